import path from "node:path";
import {
  recognizerRevision,
  embeddedModelName,
  listOwnHeads,
  type ModelChoice,
  readModelChoice,
} from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";
import type { RecognizerVersion } from "../ports.ts";

/** Names everything that recognizes speech, including other models for single languages. */
const modelOf = ({ transcriber }: Config): string => {
  if (transcriber.kind === "openai") return transcriber.model;
  const { model = "whisper-base", languageModels, heads, endpoints } = transcriber;
  const others = [
    ...Object.entries(heads).map(([language, head]) => `${language}:${head.name}`),
    ...Object.entries(languageModels).map(([language, directory]) => `${language}:${path.basename(directory)}`),
    ...Object.entries(endpoints).map(([language, endpoint]) => `${language}:${endpoint.model}`),
  ];
  return [path.basename(model), ...others].join("+");
};

/** The recognizer of this configuration. */
export const recognizerOf = (config: Config): RecognizerVersion => ({
  model: modelOf(config),
  revision: recognizerRevision,
});

/**
 * The configuration with the models that the operator chose by `reelscript model use`. The environment takes precedence. Throws
 * `WhisperError` if the choice cannot be read.
 */
export async function withChosenModels(config: Config): Promise<Config> {
  const { transcriber, dataDirectory } = config;
  if (transcriber.kind !== "embedded") return config;
  const inUse = modelsInUse(transcriber, await readModelChoice(dataDirectory));
  // They listen to the embedded model, and give way to a model of the language.
  const ownHeads = inUse.model === undefined ? Object.entries(await listOwnHeads(dataDirectory)) : [];
  const heads = Object.fromEntries(
    ownHeads.filter(
      ([language]) => inUse.languageModels[language] === undefined && !(language in transcriber.endpoints),
    ),
  );
  return {
    ...config,
    transcriber: { ...transcriber, ...inUse, heads },
  };
}

/** The model for all languages (`undefined` is the embedded one), and those for single languages. */
export function modelsInUse(
  environment: {
    readonly model: string | undefined;
    readonly languageModels: Readonly<Record<string, string>>;
    readonly endpoints: Readonly<Record<string, unknown>>;
  },
  choice: ModelChoice,
): { readonly model: string | undefined; readonly languageModels: Readonly<Record<string, string>> } {
  const all = environment.model ?? choice.all ?? embeddedModelName;
  const languages = Object.entries({ ...choice.languages, ...environment.languageModels });
  return {
    model: all === embeddedModelName ? undefined : all,
    languageModels: Object.fromEntries(
      languages.filter(([language, model]) => model !== all && !(language in environment.endpoints)),
    ),
  };
}

/** Identifies a recognizer: one with the same key gives the same result. */
export const recognizerKey = ({ model, revision }: RecognizerVersion): string => `${revision} ${model}`;

/** Identifies a remembered refusal: the hint may have caused it, so it applies only to the same hint. */
export const refusalKey = (recognizer: RecognizerVersion, languageHint: string | null): string =>
  languageHint === null ? recognizerKey(recognizer) : `${recognizerKey(recognizer)} hint=${languageHint}`;

/** True if a recognizer may recognize more of a reel than the previous one: it is not older, and hasn't heard the reel. */
export const mayHearMore = (
  recognizer: RecognizerVersion,
  { revision, heardBy }: { readonly revision: number; readonly heardBy: readonly string[] },
): boolean => revision <= recognizer.revision && !heardBy.includes(recognizerKey(recognizer));
