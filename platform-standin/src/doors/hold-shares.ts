import { once } from "node:events";
import type { IncomingMessage } from "node:http";

/** Requests for share links that get no answer yet. */
export interface HeldShares {
  /** How many are waiting. */
  readonly waiting: number;
  /** How many waited at a time, at most. */
  readonly most: number;
  /** Ends with the release, or with the caller's connection. */
  wait(request: IncomingMessage): Promise<void>;
  release(): void;
}

export function holdShares(): HeldShares {
  let waiting = 0;
  let most = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    get waiting() {
      return waiting;
    },
    get most() {
      return most;
    },
    async wait({ socket }) {
      waiting += 1;
      most = Math.max(most, waiting);
      await Promise.race([released, once(socket, "close")]);
      waiting -= 1;
    },
    release: () => release(),
  };
}
