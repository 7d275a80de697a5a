import { setTimeout as pause } from "node:timers/promises";

/** Merges equivalent calls, so that `send` runs at most once every `restMilliseconds`. It never rejects. */
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
    /** Sends now; or, during or just after another send, once afterward for all calls in between. */
    send: (): void => {
      isAsked = true;
      underWay ??= work();
    },
    /** Resolves when everything requested so far has been sent. */
    settled: async (): Promise<void> => {
      isClosing = true;
      await underWay;
    },
  };
}
