import { languageCodes, languages, type Language, type RecognitionQuality } from "@reelscript/contract";
import { embeddedModelName, embeddedModelQuality } from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";

type LanguageQuality = Readonly<Record<Language, RecognitionQuality>>;

/** How well a model reads a language; only the embedded one has been measured. */
export const qualityOf = (model: string, language: Language): RecognitionQuality =>
  model === embeddedModelName ? embeddedModelQuality[language] : "unmeasured";

/** How well the configured models read each language. */
export function languageQualityOf({ transcriber }: Pick<Config, "transcriber">): LanguageQuality {
  const modelOf = (language: Language): string => {
    if (transcriber.kind === "openai" || language in transcriber.endpoints) return "at an endpoint";
    const { heads, languageModels, model } = transcriber;
    return heads[language]?.name ?? languageModels[language] ?? model ?? embeddedModelName;
  };
  return Object.fromEntries(
    languageCodes.map((language) => [language, qualityOf(modelOf(language), language)]),
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
