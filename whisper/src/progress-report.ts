import type { DecodedMedia } from "./decoded-media.ts";

export interface ProgressReport {
  /** So many seconds of the recording are recognized. */
  recognized(seconds: number): void;
  /** The recording has ended and is so long. */
  ended(seconds: number): void;
  finished(): void;
}

/**
 * Turns seconds into the share of the recording as soon as its length is known: by the container or by its end.
 * The share never falls and is 1 only when everything is done.
 */
export function createProgressReport(
  media: DecodedMedia,
  onProgress: ((done: number) => void) | undefined,
): ProgressReport {
  let length: number | null = null;
  let reported = 0;
  const report = (share: number) => {
    // Not-a-number fails the comparison.
    if (!(share > reported)) return;
    reported = share;
    onProgress?.(share);
  };
  media.durationSeconds.then(
    (seconds) => {
      length ??= seconds;
    },
    () => undefined,
  );
  return {
    recognized(seconds) {
      if (length !== null && length > 0) report(Math.min(0.99, seconds / length));
    },
    ended(seconds) {
      length = seconds;
    },
    finished() {
      report(1);
    },
  };
}
