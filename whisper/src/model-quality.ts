/** How well a model reads a language, for people who choose one. */
export type ModelQuality = "good" | "fair" | "poor" | "unusable";

/*
 * Words wrong on read-aloud recordings, summed per language: below 15 % is good, below 50 % fair, above it poor as long as
 * the text can be followed. `bench/` measures again.
 */

/** The embedded model, by primary subtag. Other models are not measured here, and nothing is said of them. */
export const embeddedModelQuality = {
  en: "good",
  es: "good",
  pt: "fair",
  fr: "fair",
  de: "fair",
  it: "fair",
  hi: "unusable",
  ta: "poor",
  te: "unusable",
  ar: "poor",
  id: "poor",
} as const satisfies Readonly<Record<string, ModelQuality>>;
