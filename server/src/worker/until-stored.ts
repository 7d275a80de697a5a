import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";

const firstPause = 250;
const longestPause = 5_000;
/** After this long, another worker has claimed the transcription. */
const longestMilliseconds = 10 * 60 * 1_000;

/**
 * Stores the outcome of a transcription, with retries while the database is down. Throws errors that a retry can't fix, and the
 * last error on `givenUp` or after ten minutes.
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

/** Resolves early when the signal aborts, without an error. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);
