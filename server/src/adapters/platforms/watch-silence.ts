const intervalMilliseconds = 500;
const mostSilentLooks = 6;

interface SilenceWatch {
  /** Something has come. */
  readonly sign: () => void;
  /** Whether anything has come at all. */
  readonly hasHeard: () => boolean;
  readonly stop: () => void;
}

/**
 * Calls `onSilence` after three seconds without a sign, and then twice a second until the next one. Looks are counted, and
 * not seconds: time in which this process stood still itself is nobody's silence.
 */
export function watchSilence(onSilence: () => void): SilenceWatch {
  let silentLooks = 0;
  let heard = false;
  const timer = setInterval(() => {
    silentLooks += 1;
    if (silentLooks >= mostSilentLooks) onSilence();
  }, intervalMilliseconds);
  return {
    sign() {
      heard = true;
      silentLooks = 0;
    },
    hasHeard: () => heard,
    stop: () => clearInterval(timer),
  };
}
