import { fileURLToPath } from "node:url";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isJsonObject } from "./recognition/decoder/json-fields.ts";
import { supportedLanguages } from "./recognition/languages.ts";

export const embeddedModelName = "whisper-base";

/** Folder of the Whisper that comes with this package: multilingual base, see the folder's license and checksums. */
export const embeddedModelDirectory: string = fileURLToPath(new URL("../models/whisper-base", import.meta.url));

export const voiceDetectorFile: string = fileURLToPath(
  new URL("../models/silero-vad/silero_vad_v6.onnx", import.meta.url),
);

const headsFolder = fileURLToPath(new URL("../models/heads", import.meta.url));

/** Directories of the heads that come with the embedded model, by primary subtag of the language that each reads. */
export const embeddedHeads: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(headsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, path.join(headsFolder, name)]),
);

const qualities = ["good", "fair", "poor", "unreliable", "unusable", "unmeasured"] as const;

/** How well a model reads a language, for people who choose one. */
export type ModelQuality = (typeof qualities)[number];

/** The embedded model, by primary subtag. The bench measures it and writes the file; other models are not measured here. */
export const embeddedModelQuality: Readonly<Record<(typeof supportedLanguages)[number], ModelQuality>> = readTable(
  new URL("../models/whisper-base/language-quality.json", import.meta.url),
);

/** Read so badly that only those who name the language get a draft. */
export const unreliableLanguages: readonly string[] = supportedLanguages.filter(
  (language) => embeddedModelQuality[language] === "unreliable",
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
