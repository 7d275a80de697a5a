import { setTimeout as pause } from "node:timers/promises";

/** Joins calls that all mean the same, so that `send` runs at most once every `restMilliseconds`. It never rejects. */
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
    /** Sends now, or, if something is being sent or has just been sent, once afterward for all calls in between. */
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
