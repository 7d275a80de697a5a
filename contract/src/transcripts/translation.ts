import * as z from "zod";
import { operation } from "../operation.ts";
import { languages, translatedLanguages, translationMark } from "../values/languages.ts";
import { transcribeReasons } from "./reel-reasons.ts";
import { exampleScript, ScriptId } from "./script.ts";
import { TranslationText } from "./translation-text.ts";

export const TranslateTo = z.enum(["en"]).meta({
  description: "Adds an English machine translation, for free.",
});

const stretch = { start: z.number().min(0), end: z.number().min(0) };

export const Translation = z
  .object({
    ...TranslationText.shape,
    segments: z
      .array(
        z.object({
          ...stretch,
          text: z.string(),
          unsure: z.literal(true).optional().meta({ description: "True if the model was unsure of the segment." }),
        }),
      )
      .optional()
      .meta({ description: "The translation in lines with times of its own, in seconds; no times of words." }),
    gaps: z.array(z.object(stretch)).optional().meta({ description: "Speech that isn't in the translation." }),
    model: z.string().optional(),
    revision: z.int().min(0).optional().meta({ description: "Revision of the recognizer." }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: "Reason of the last failure; translating it again may help." }),
  })
  .meta({ id: "Translation", description: "English translation of the speech, written by a model." });
export type Translation = z.infer<typeof Translation>;

/** Which of its two texts a file of a script has. */
export const ChosenText = z.enum(["transcript", "translation"]).meta({
  description: `Text of the file; a translation begins with "${translationMark}", and is 404 until it is there.`,
});

const names = new Intl.ListFormat("en", { type: "conjunction" }).format(
  translatedLanguages.map((code) => languages[code]),
);

export const translateScript = operation({
  summary: "Translate a script to English",
  description: [
    `Adds an English machine translation to scripts in ${names}; other languages get 422.`,
    "It is free, and made once for everybody who has the reel. It takes about as long as the transcript, and counts against your hourly transcriptions. A file must still be kept.",
    "Waits for the translation like `/transcribe`, and returns immediately if there is one.",
  ].join("\n\n"),
  section: "Library",
  access: "key",
  http: { method: "POST", path: "/scripts/{id}/translate", respondAsync: "getTranscription" },
  bucket: "transcribe",
  input: z.strictObject({ id: ScriptId }),
  output: Translation,
  errors: ["notFound", "inProgress", "upstreamError"],
  reasons: [...transcribeReasons, "notTranslated"],
  example: { id: exampleScript.id },
  exampleOutput: {
    language: "en",
    status: "done",
    byMachine: true,
    text: "You need to wait four minutes.",
    segments: [{ start: 2.1, end: 4, text: "You need to wait four minutes." }],
    gaps: [],
    model: "whisper-base",
    revision: 5,
  },
});
