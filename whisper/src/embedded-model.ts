import { fileURLToPath } from "node:url";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { type ModelQuality, qualityOfErrors, type ReadingErrors, readingErrorsSchema } from "./model-quality.ts";
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

const table = readTable(new URL("../models/whisper-base/language-quality.json", import.meta.url));

type OfLanguages<Value> = Readonly<Record<(typeof supportedLanguages)[number], Value>>;

/** Errors of the embedded model by primary subtag, from the file that the bench writes. */
export const embeddedModelErrors: OfLanguages<ReadingErrors> = table;

/** The embedded model, by primary subtag; other models are not measured here. */
export const embeddedModelQuality: OfLanguages<ModelQuality> = ofLanguages((language) =>
  qualityOfErrors(table[language]),
);

/** Read so badly that only those who name the language get a draft. */
export const unreliableLanguages: readonly string[] = supportedLanguages.filter(
  (language) => embeddedModelQuality[language] === "unreliable",
);

function readTable(file: URL): OfLanguages<ReadingErrors> {
  const { languages } = z
    .object({ languages: z.record(z.string(), readingErrorsSchema) })
    .parse(JSON.parse(readFileSync(file, "utf8")));
  return ofLanguages((language) => {
    const row = languages[language];
    if (row === undefined) throw new TypeError(`${file.pathname} has no row for ${language}`);
    return row;
  });
}

function ofLanguages<Value>(valueOf: (language: (typeof supportedLanguages)[number]) => Value): OfLanguages<Value> {
  return Object.fromEntries(supportedLanguages.map((language) => [language, valueOf(language)])) as OfLanguages<Value>;
}
