import * as z from "zod";

/** How a transcript came to be. */
export const Receipt = z
  .object({
    model: z.string().meta({ description: "The model that recognized the speech." }),
    revision: z.int().min(0).optional().meta({
      description: "Revision of the recognizer; absent in older transcripts.",
    }),
    languageProbability: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: "How sure the model was of the language, 0 to 1; null when it did not tell." }),
    speechSeconds: z.number().min(0).meta({ description: "Seconds in which somebody speaks." }),
    audioSeconds: z.number().min(0).meta({ description: "Seconds of audio that were listened to." }),
    cut: z
      .boolean()
      .meta({ description: "true when audio was left over after the longest length that is transcribed." }),
  })
  .meta({ id: "Receipt", description: "How the transcript was made." });
export type Receipt = z.infer<typeof Receipt>;
