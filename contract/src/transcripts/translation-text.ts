import * as z from "zod";

/** A translation without its times. */
export const TranslationText = z
  .object({
    language: z.literal("en"),
    status: z.enum(["done", "inProgress", "failed", "notOffered"]).meta({
      description:
        "`failed` when most of the speech couldn't be translated or the reel wasn't there any more; `notOffered` for languages that aren't translated, and without speech.",
    }),
    byMachine: z.literal(true).meta({ description: "Always true: a model wrote the text, and nobody has checked it." }),
    text: z.string().optional().meta({ description: "The whole translation; absent until it is done." }),
  })
  .meta({ id: "TranslationText" });
export type TranslationText = z.infer<typeof TranslationText>;
