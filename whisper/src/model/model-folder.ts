import path from "node:path";
import type { WhisperError } from "../whisper-error.ts";
import { unavailable, gaveUp } from "../whisper-error.ts";
import { readFile, statfs } from "node:fs/promises";
import { isJsonObject } from "../recognition/decoder/json-fields.ts";
import { takeFileLock } from "../file-lock.ts";

/** A model of the hub, or one that was added from a folder: those belong to the owner `local`. */
export interface ModelName {
  /** `owner/name`. */
  readonly name: string;
  /** The requested commit. */
  readonly revision: string | undefined;
}

const modelNamePattern = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
const localPrefix = "local/";

/** Reads `owner/name`, or `owner/name@revision`. Throws `WhisperError` "unavailable". */
export function readModelName(text: string): ModelName {
  const [, name, revision] = /^([^@]*)(?:@([0-9a-f]{40}))?$/.exec(text) ?? [];
  if (name === undefined || !isModelName(name))
    throw unavailable(
      `${text} is not a folder and not a name such as owner/model, or owner/model@revision with the whole id of a commit.`,
    );

  return { name, revision };
}

export const isModelName = (text: string): boolean => modelNamePattern.test(text) && !text.includes("..");

/** Models that came from a folder are on no hub. */
export const isLocalModel = (name: string): boolean => name.startsWith(localPrefix);

/** Names a model that is added from a folder. Throws `WhisperError` "unavailable". */
export function localModelName(folder: string): string {
  const name = localPrefix + path.basename(path.resolve(folder));
  if (isModelName(name)) return name;
  throw unavailable(
    `The folder's name becomes the model's name, so it may have letters, digits, ".", "_" and "-" only: rename ${folder}.`,
  );
}

/** Below this folder are the models of a data directory, in `owner/name`. */
export const modelsFolder = (dataDirectory: string): string => path.join(path.resolve(dataDirectory), "models");

export const installedDirectory = (dataDirectory: string, name: string): string =>
  path.join(modelsFolder(dataDirectory), ...name.split("/"));

/** Path of a model's lock or download: no model's name begins with a dot. */
export const besideModel = (directory: string, kind: "lock" | "download"): string =>
  path.join(path.dirname(directory), `.${path.basename(directory)}.${kind}`);

/** Beside the files of a model that was added: what it is, and the checksum of each file. */
export const manifestName = "download.json";

/** Commit of the hub's repository; `null` for a model from a folder. */
interface Manifest {
  readonly revision: string | null;
}

/** `undefined` when the directory has none, because somebody put the files there. */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await readFile(path.join(directory, manifestName), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    const revision = isJsonObject(read) ? read["revision"] : undefined;
    return { revision: typeof revision === "string" ? revision : null };
  } catch {
    return { revision: null };
  }
}

/** Runs `work` while no other process does with the same lock file; waits for as long as it takes. */
export async function withLock<Result>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const patience = { ending: Infinity, silent: Infinity };
  const lock = await takeFileLock(file, { patience, signal }).catch((error: unknown) => {
    throw signal.aborted ? gaveUp() : error;
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Throws `WhisperError` when the disk of `directory` has less than `bytes` left. */
export async function checkFreeSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= bytes) return;
  const megabytes = Math.ceil((bytes - bavail * bsize) / 1e6);
  throw unavailable(`The disk of ${directory} lacks ${megabytes} MB for the model.`);
}

/** The error that a person reads when a model can't be written. */
export function notWritten(directory: string, cause: unknown): WhisperError {
  const { code } = cause as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" ? "the disk is full" : (code ?? String(cause));
  return unavailable(`The model cannot be stored in ${directory}: ${reason}.`, cause);
}
