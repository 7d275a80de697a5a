const intervalMilliseconds = 500;
const mostSilentLooks = 6;

interface SilenceWatch {
  /** Something has come. */
  readonly sign: () => void;
  /** Whether anything has come at all. */
  readonly hasHeard: () => boolean;
  /** While we wait ourselves, nobody is silent. */
  readonly during: <Value>(wait: () => Promise<Value>) => Promise<Value>;
  readonly stop: () => void;
}

/**
 * Calls `onSilence` after three seconds without a sign, and then twice a second until the next one. Looks are counted, and
 * not seconds: time in which this process stood still itself is nobody's silence.
 */
export function watchSilence(onSilence: () => void): SilenceWatch {
  let silentLooks = 0;
  let heard = false;
  let waits = false;
  const timer = setInterval(() => {
    silentLooks = waits ? 0 : silentLooks + 1;
    if (silentLooks >= mostSilentLooks) onSilence();
  }, intervalMilliseconds);
  return {
    sign() {
      heard = true;
      silentLooks = 0;
    },
    hasHeard: () => heard,
    async during(wait) {
      waits = true;
      try {
        return await wait();
      } finally {
        waits = false;
        silentLooks = 0;
      }
    },
    stop: () => clearInterval(timer),
  };
}
