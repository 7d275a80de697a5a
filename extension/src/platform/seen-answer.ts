import { number, shape, text, type Guarded } from "../messages/guards.ts";

/** From the script in the page's world to the extension's own, as JSON. The page can make one up, so it is checked. */
export const answerEvent = "reelscript:answer";
/** How many requests of the page are under way, as a number in decimal digits. */
export const loadingEvent = "reelscript:loading";
/** The two scripts start in any order: each says that it is there, and the first is answered. */
export const listeningEvent = "reelscript:listening";
export const watchingEvent = "reelscript:watching";

export const isSeenAnswer = shape({ address: text(8_192), status: number, body: text(8_000_000) });
export type SeenAnswer = Guarded<typeof isSeenAnswer>;

export function parseJson(source: string): unknown {
  try {
    // The platform puts a guard before some of its answers.
    return JSON.parse(source.replace(/^for \(;;\);/, ""));
  } catch {
    return undefined;
  }
}
