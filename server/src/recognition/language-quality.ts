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

/** Errors in recordings of each language with the models that run; absent where nobody measured them. */
type LanguageErrors = Readonly<Partial<Record<Language, ReadingErrors>>>;

/** How well the model of a transcript reads a language; only the embedded one has been measured for all who run it. */
export const qualityOf = (model: string, language: Language): RecognitionQuality =>
  model === embeddedModelName ? embeddedModelQuality[language] : "unmeasured";

/** True if the model of a transcript is a head of an operator's own on the embedded model. */
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

/** How well the configured models read each language. */
export function languageQualityOf(config: Pick<Config, "transcriber">): LanguageQuality {
  const errors = languageErrorsOf(config);
  return Object.fromEntries(
    languageCodes.map((language) => {
      const measured = errors[language];
      return [language, measured ? qualityOfErrors(measured) : "unmeasured"];
    }),
  ) as Record<Language, RecognitionQuality>;
}

/** The languages that the configured models cannot read, or not without being told. */
export const unreadLanguages = (quality: LanguageQuality): readonly Language[] =>
  languageCodes.filter((language) => quality[language] === "unusable" || quality[language] === "unreliable");

/** Advice to the operator about a language that the embedded model cannot read. It names no model, because none was measured here. */
export function unreadHint(quality: LanguageQuality, language: Language): string {
  const verdict =
    quality[language] === "unreliable" ? "only a rough draft, where callers name it" : "not supported by this model";
  return `${languages[language]}: ${verdict}. The README says what may help. Measure it with clips of your own: npx --no-install reelscript model test --language ${language} --clips FOLDER`;
}
