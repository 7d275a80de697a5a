import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { isJsonObject } from "./recognition/decoder/json-fields.ts";
import { supportedLanguages } from "./recognition/languages.ts";

export const embeddedModelName = "whisper-base";

/** Folder of the Whisper that comes with this package: multilingual base, see the folder's license and checksums. */
export const embeddedModelDirectory: string = fileURLToPath(new URL("../models/whisper-base", import.meta.url));

const qualities = ["good", "fair", "poor", "unusable"] as const;

/** How well a model reads a language, for people who choose one. */
export type ModelQuality = (typeof qualities)[number];

/** The embedded model, by primary subtag. The bench measures it and writes the file; other models are not measured here. */
export const embeddedModelQuality: Readonly<Record<(typeof supportedLanguages)[number], ModelQuality>> = readTable(
  new URL("../models/whisper-base/language-quality.json", import.meta.url),
);

function readTable(file: URL): typeof embeddedModelQuality {
  const table: unknown = JSON.parse(readFileSync(file, "utf8"));
  const rows = isJsonObject(table) && isJsonObject(table["languages"]) ? table["languages"] : {};
  const qualityOf = (language: string): ModelQuality => {
    const row = rows[language];
    const quality = qualities.find((one) => isJsonObject(row) && row["quality"] === one);
    if (quality === undefined) throw new TypeError(`${file.pathname} has no quality for ${language}`);
    return quality;
  };
  return Object.fromEntries(
    supportedLanguages.map((language) => [language, qualityOf(language)]),
  ) as typeof embeddedModelQuality;
}
