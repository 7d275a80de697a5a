import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";

const firstPause = 250;
const longestPause = 5_000;
/** After this long somebody else has it. */
const longestMilliseconds = 10 * 60 * 1_000;

/**
 * Writes how a transcription ended, again and again while the database is away. Throws what is not remedied by waiting, or
 * the last error when `givenUp` or after ten minutes.
 */
export async function untilStored(write: () => Promise<boolean>, givenUp: AbortSignal): Promise<boolean> {
  const until = performance.now() + longestMilliseconds;
  for (let wait = firstPause; ; wait = Math.min(longestPause, wait * 2))
    try {
      return await write();
    } catch (error) {
      const away = error instanceof ServiceError && error.code === "unavailable";
      if (!away || givenUp.aborted || performance.now() >= until) throw error;
      await pause(wait, givenUp);
    }
}

/** Ends early, and without an error, by the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);
