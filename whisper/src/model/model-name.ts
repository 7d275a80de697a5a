import path from "node:path";
import { WhisperError } from "../whisper-error.ts";

/** A model of the hub, or one that was added from a folder: those belong to the owner `local`. */
export interface ModelName {
  /** `owner/name`. */
  readonly name: string;
  /** The commit that was asked for. */
  readonly revision: string | undefined;
}

const modelNamePattern = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
const localPrefix = "local/";

/** Reads `owner/name`, or `owner/name@revision`. Throws `WhisperError` "unavailable". */
export function readModelName(text: string): ModelName {
  const [, name, revision] = /^([^@]*)(?:@([0-9a-f]{40}))?$/.exec(text) ?? [];
  if (name === undefined || !isModelName(name))
    throw new WhisperError(
      "unavailable",
      `${text} is not a folder and not a name such as owner/model, or owner/model@revision with the whole id of a commit.`,
    );

  return { name, revision };
}

export const isModelName = (text: string): boolean => modelNamePattern.test(text) && !text.includes("..");

/** Models that came from a folder are on no hub. */
export const isLocalModel = (name: string): boolean => name.startsWith(localPrefix);

/** What a model is called that is added from a folder. Throws `WhisperError` "unavailable". */
export function localModelName(folder: string): string {
  const name = localPrefix + path.basename(path.resolve(folder));
  if (isModelName(name)) return name;
  throw new WhisperError(
    "unavailable",
    `The folder's name becomes the model's name, so it may have letters, digits, ".", "_" and "-" only: rename ${folder}.`,
  );
}

/** Below this folder are the models of a data directory, in `owner/name`. */
export const modelsFolder = (dataDirectory: string): string => path.join(path.resolve(dataDirectory), "models");

export const installedDirectory = (dataDirectory: string, name: string): string =>
  path.join(modelsFolder(dataDirectory), ...name.split("/"));

/** Where a model's lock or its download is: no model's name begins with a dot. */
export const besideModel = (directory: string, kind: "lock" | "download"): string =>
  path.join(path.dirname(directory), `.${path.basename(directory)}.${kind}`);
