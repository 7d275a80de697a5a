import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";

const windowSeconds = 30;
/** In bytes a second, like the next one. A phone with a poor connection has more. */
const leastSpeed = 16_000;
/** Enough for 200 MB in the time that a body has. */
export const unhurriedSpeed = 222_000;
const judgedAfterMilliseconds = 2_000;

/** A body whose sender has to keep a least speed. */
export interface PacedBody {
  /** Throws `invalidRequest` when they arrive too slowly or break off, and what ended them. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Speed over the last half minute or more; infinite until it can be measured. */
  speed(): number;
  end(reason: ServiceError): void;
}

/** Only time in which we wait for the sender counts, never that in which the sender waits for us. */
export function createPacedBody(raw: IncomingMessage): PacedBody {
  let before = { bytes: 0, waited: 0 };
  let current = { bytes: 0, waited: 0 };
  let waitingSince: number | undefined;
  let end: (reason: ServiceError) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  ended.catch(() => undefined);
  const waiting = (): number => (waitingSince === undefined ? 0 : performance.now() - waitingSince);

  async function waitFor<Value>(arriving: Promise<Value>): Promise<Value> {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const left = Math.max(0, windowSeconds * 1_000 - current.waited);
      const over = new Promise<"over">((resolve) => {
        timer = setTimeout(() => resolve("over"), left);
      });
      waitingSince = performance.now();
      const next = await Promise.race([arriving, ended, over]).finally(() => {
        clearTimeout(timer);
        current.waited += waiting();
        waitingSince = undefined;
      });
      if (next !== "over") return next;
      if (current.bytes < leastSpeed * windowSeconds)
        throw new ServiceError(
          "invalidRequest",
          `Fewer than ${leastSpeed / 1_000} kB per second arrived for ${windowSeconds} seconds, so it was given up.`,
        );
      [before, current] = [current, { bytes: 0, waited: 0 }];
    }
  }

  return {
    async *chunks() {
      const arriving = (raw as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      for (;;) {
        const next = await waitFor(
          arriving.next().catch((error: unknown) => {
            throw new ServiceError("invalidRequest", "The request body ended early. Send it again.", { cause: error });
          }),
        );
        if (next.done) return;
        current.bytes += next.value.length;
        yield next.value;
      }
    },
    speed() {
      const milliseconds = before.waited + current.waited + waiting();
      if (milliseconds < judgedAfterMilliseconds) return Number.POSITIVE_INFINITY;
      return ((before.bytes + current.bytes) / milliseconds) * 1_000;
    },
    end: (reason) => end(reason),
  };
}
