import { languageCodes, languages, type Language, type RecognitionQuality } from "@reelscript/contract";
import {
  embeddedModelErrors,
  embeddedModelName,
  embeddedModelQuality,
  qualityOfErrors,
  type ReadingErrors,
} from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";

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
