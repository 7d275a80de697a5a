import { languageCodes, type Language, type RecognitionQuality } from "@reelscript/contract";
import { embeddedModelQuality } from "@reelscript/whisper";
import type { Config } from "./config.ts";

/** How well the configured models read each language; only the embedded one has been measured. */
export function languageQualityOf({
  transcriber,
}: Pick<Config, "transcriber">): Readonly<Record<Language, RecognitionQuality>> {
  const isEmbedded = (language: Language): boolean =>
    transcriber.kind === "embedded" &&
    transcriber.model === undefined &&
    transcriber.languageModels[language] === undefined;
  return Object.fromEntries(
    languageCodes.map((language) => [language, isEmbedded(language) ? embeddedModelQuality[language] : "unmeasured"]),
  ) as Record<Language, RecognitionQuality>;
}
