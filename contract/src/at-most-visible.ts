import type * as z from "zod";
import { hasAtMost, unitsPerCharacter } from "./values/text/visible-length.ts";

/** A text of at most `most` visible characters, which the published schema can't count. */
export function atMostVisible(text: z.ZodString, most: number): z.ZodString {
  const error = `must have at most ${most} visible characters`;
  return text
    .max(most * unitsPerCharacter, { error, abort: true })
    .refine((given) => hasAtMost(given, most), { error });
}
