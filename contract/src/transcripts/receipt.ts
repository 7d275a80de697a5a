import * as z from "zod";
import { recognitionQualities, type RecognitionQuality } from "../values/languages.ts";

/** How a transcript came to be. */
export const Receipt = z
  .object({
    model: z.string(),
    quality: z.enum(Object.keys(recognitionQualities) as [RecognitionQuality, ...RecognitionQuality[]]).optional(),
    revision: z.int().min(0).meta({ description: "Revision of the recognizer." }),
    languageProbability: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: "How sure the model was of the language; null: unknown." }),
    speechSeconds: z.number().min(0).meta({ description: "Seconds of speech." }),
    audioSeconds: z.number().min(0).meta({ description: "Seconds of audio heard." }),
    cut: z.boolean().meta({ description: "true when the audio was longer than is transcribed." }),
  })
  .meta({ id: "Receipt", description: "How the transcript was made." });
export type Receipt = z.infer<typeof Receipt>;
