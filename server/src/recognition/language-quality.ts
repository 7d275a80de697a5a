import { languageCodes, languages, type Language, type RecognitionQuality } from "@reelscript/contract";
import { embeddedModelName, embeddedModelQuality } from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";

type LanguageQuality = Readonly<Record<Language, RecognitionQuality>>;

/** How well the configured models read each language; only the embedded one has been measured. */
export function languageQualityOf({ transcriber }: Pick<Config, "transcriber">): LanguageQuality {
  const isEmbedded = (language: Language): boolean =>
    transcriber.kind === "embedded" &&
    (transcriber.languageModels[language] ?? transcriber.model ?? embeddedModelName) === embeddedModelName;
  return Object.fromEntries(
    languageCodes.map((language) => [language, isEmbedded(language) ? embeddedModelQuality[language] : "unmeasured"]),
  ) as Record<Language, RecognitionQuality>;
}

/** The languages that the configured models cannot read. */
export const unreadLanguages = (quality: LanguageQuality): readonly Language[] =>
  languageCodes.filter((language) => quality[language] === "unusable");

/** How the operator gets a language that the embedded model cannot read. */
export const largerModelHint = (unread: readonly Language[]): string =>
  `${unread.map((language) => languages[language]).join(" and ")}: not supported by this model. Add a larger one: npx reelscript model add onnx-community/whisper-small --language ${unread[0]}`;
