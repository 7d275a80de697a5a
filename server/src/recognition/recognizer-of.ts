import path from "node:path";
import {
  languageCodes,
  languages,
  type Language,
  type RecognitionQuality,
  translatedLanguages,
} from "@reelscript/contract";
import {
  embeddedModelErrors,
  embeddedModelName,
  embeddedModelQuality,
  listOwnHeads,
  qualityOfErrors,
  readModelChoice,
  recognizerRevision,
  type ModelChoice,
  type ReadingErrors,
} from "@reelscript/whisper";
import type { RecognizerVersion } from "../ports.ts";
import type { Config } from "../settings/config.ts";

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

type LanguageQuality = Readonly<Record<Language, RecognitionQuality>>;

/** Error rates of the running models on recordings of each language; absent if nobody measured them. */
type LanguageErrors = Readonly<Partial<Record<Language, ReadingErrors>>>;

/** How well the model of a transcript recognizes a language; only the embedded model was measured in general. */
export const qualityOf = (model: string, language: Language): RecognitionQuality =>
  model === embeddedModelName ? embeddedModelQuality[language] : "unmeasured";

/** True if the model of a transcript is the embedded one with an operator's own head. */
export const isByOwnHead = (model: string): boolean => model.startsWith(`${embeddedModelName}+`);

/** The measured errors of the configured models in each language. */
export function languageErrorsOf({ transcriber }: Pick<Config, "transcriber">): LanguageErrors {
  if (transcriber.kind === "openai") return {};
  const { endpoints, heads, languageModels, model = embeddedModelName } = transcriber;
  const errorsOf = (language: Language): ReadingErrors | undefined => {
    if (language in endpoints) return undefined;
    const head = heads[language];
    if (head) return head.errors;
    return (languageModels[language] ?? model) === embeddedModelName ? embeddedModelErrors[language] : undefined;
  };
  return Object.fromEntries(
    languageCodes.flatMap((language) => {
      const errors = errorsOf(language);
      return errors ? [[language, errors]] : [];
    }),
  );
}

/** How well the configured models recognize each language. */
export function languageQualityOf(config: Pick<Config, "transcriber">): LanguageQuality {
  const errors = languageErrorsOf(config);
  return Object.fromEntries(
    languageCodes.map((language) => {
      const measured = errors[language];
      return [language, measured ? qualityOfErrors(measured) : "unmeasured"];
    }),
  ) as Record<Language, RecognitionQuality>;
}

/** The languages that the configured models translate: the embedded one was measured, and no other. */
export const translatedLanguagesOf = ({ transcriber }: Pick<Config, "transcriber">): readonly Language[] =>
  transcriber.kind === "embedded" && (transcriber.model ?? embeddedModelName) === embeddedModelName
    ? translatedLanguages
    : [];

/** The languages that the configured models cannot recognize, or only with a hint. */
export const unreadLanguages = (quality: LanguageQuality): readonly Language[] =>
  languageCodes.filter((language) => quality[language] === "unusable" || quality[language] === "unreliable");

/**
 * Advice to the operator about a language that the embedded model cannot recognize. It names no model, because none was
 * measured here.
 */
export function unreadHint(quality: LanguageQuality, language: Language): string {
  const verdict =
    quality[language] === "unreliable" ? "only a rough draft, where callers name it" : "not supported by this model";
  return `${languages[language]}: ${verdict}. The README says what may help. Measure it with clips of your own: npx --no-install reelscript model test --language ${language} --clips FOLDER`;
}

/** One line for a start: the languages of `unreadHint`, by what the embedded model makes of them; undefined if there are none. */
export function unreadSummary(quality: LanguageQuality): string | undefined {
  const unread = unreadLanguages(quality);
  if (unread.length === 0) return undefined;
  const namesOf = (level: RecognitionQuality): string =>
    unread
      .filter((language) => quality[language] === level)
      .map((language) => languages[language])
      .join(", ");
  const drafts = namesOf("unreliable");
  const unsupported = namesOf("unusable");
  return [
    ...(drafts === "" ? [] : [`${drafts}: only a rough draft, where callers name it.`]),
    ...(unsupported === "" ? [] : [`${unsupported}: not supported by this model.`]),
    "The README says what may help.",
  ].join(" ");
}
