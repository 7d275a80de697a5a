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

/** Ends early when stopped or woken, and leaves nothing behind. */
export function pause(milliseconds: number, stopped: AbortSignal, woken?: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    stopped.addEventListener("abort", finish);
    void woken?.then(finish);
    if (stopped.aborted) finish();
  });
}
