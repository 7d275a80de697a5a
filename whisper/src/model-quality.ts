import * as z from "zod";

const modelQualities = ["good", "fair", "poor", "unreliable", "unusable", "unmeasured"] as const;

/** How well a model reads a language, for people who choose one. */
export type ModelQuality = (typeof modelQualities)[number];

/** Fewer recordings tell nothing about a language. */
export const leastRecordings = 20;

/** Percentages of wrong words below which a language is good, fair and poor. */
const goodBelow = 15;
const fairBelow = 45;
const poorBelow = 65;

export const readingErrorsSchema = z.object({
  wordErrorPercent: z.number().nonnegative(),
  clips: z.int().nonnegative(),
  refused: z.int().nonnegative(),
  speakers: z.int().nonnegative().nullable(),
});

/** Errors in recordings of a language whose text is known. */
export interface ReadingErrors {
  /** Wrong words of a hundred; a refused recording counts as wrong altogether. */
  readonly wordErrorPercent: number;
  readonly clips: number;
  /** How many of the clips. */
  readonly refused: number;
  /** Speakers of the clips, as far as they are known. */
  readonly speakers: number | null;
}

/** A language is unusable when most of its recordings are refused. */
export function qualityOfErrors({ wordErrorPercent, clips, refused }: ReadingErrors): ModelQuality {
  if (refused > clips / 2) return "unusable";
  if (clips < leastRecordings) return "unmeasured";
  if (wordErrorPercent < goodBelow) return "good";
  if (wordErrorPercent < fairBelow) return "fair";
  return wordErrorPercent < poorBelow ? "poor" : "unreliable";
}
