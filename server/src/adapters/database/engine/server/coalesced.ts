import { setTimeout as pause } from "node:timers/promises";

/** Sends what says the same for every caller at most once every `restMilliseconds`. `send` never rejects. */
export function coalesced(send: () => Promise<unknown>, restMilliseconds: number) {
  let isAsked = false;
  let isClosing = false;
  let underWay: Promise<void> | undefined;
  async function work(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await send();
      if (!isClosing) await pause(restMilliseconds, undefined, { ref: false });
    }
    underWay = undefined;
  }
  return {
    /** Sends now; while something is being sent or has just been, once more after that for all calls meanwhile. */
    send: (): void => {
      isAsked = true;
      underWay ??= work();
    },
    /** Resolves when everything that was called for has been sent. */
    settled: async (): Promise<void> => {
      isClosing = true;
      await underWay;
    },
  };
}
