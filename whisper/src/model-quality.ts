/** How well a model reads a language, for people who choose one. */
export type ModelQuality = "good" | "fair" | "poor" | "unusable";

/*
 * Wrong words in a hundred, over 39 recordings of people who read or speak (`npm run bench -- --only accuracy` with a
 * SPEECH_DIR): en 7, es 12; pt 21, de 21, fr 29, it 33; ta 57, id 67, ar 91; hi and te: nothing that could be used.
 * Below 15 is good, below 50 fair, the rest poor where parts can be followed.
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
