import { number, shape, text, type Guarded } from "../messages/guards.ts";

/**
 * Carries JSON from the script in the page's world to the extension's isolated one. The page can forge it, so it is checked.
 */
export const answerEvent = "reelscript:answer";
/** Carries the number of the page's pending requests, in decimal digits. */
export const loadingEvent = "reelscript:loading";
/** The two scripts start in any order: each announces itself, and the first is answered. */
export const listeningEvent = "reelscript:listening";
export const watchingEvent = "reelscript:watching";

export const isSeenAnswer = shape({ address: text(8_192), status: number, body: text(8_000_000) });
export type SeenAnswer = Guarded<typeof isSeenAnswer>;

export function parseJson(source: string): unknown {
  try {
    // The platform puts a guard before some of its responses.
    return JSON.parse(source.replace(/^for \(;;\);/, ""));
  } catch {
    return undefined;
  }
}
