import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";

/** Bodies of strangers that are read at a time. */
export interface BodySlots {
  /** The whole body. Throws `invalidRequest` 413 when it is larger, and `unavailable` when newer ones need its place. */
  read(request: IncomingMessage, maxBytes: number): Promise<Buffer>;
}

/**
 * Holds at most `most` unfinished bodies. A new one takes the place of the oldest: a true sender is done within moments, and
 * many that never end cannot keep it out.
 */
export function createBodySlots(most: number): BodySlots {
  const unfinished = new Set<(error: ServiceError) => void>();

  function makeRoom(): void {
    const [oldest] = unfinished;
    if (unfinished.size < most || oldest === undefined) return;
    oldest(new ServiceError("unavailable", "Too many requests are being sent. Try again.", { retryAfter: 5 }));
  }

  return {
    read: (request, maxBytes) =>
      new Promise((resolve, reject) => {
        makeRoom();
        const chunks: Buffer[] = [];
        let length = 0;
        const settle = (): void => {
          unfinished.delete(fail);
          request.pause();
          request.off("data", onData).off("end", onEnd).off("close", onClose);
          chunks.length = 0;
        };
        const fail = (error: ServiceError): void => {
          settle();
          reject(error);
        };
        const onData = (chunk: Buffer): void => {
          length += chunk.length;
          if (length <= maxBytes) chunks.push(chunk);
          else fail(new ServiceError("invalidRequest", `The body is larger than ${maxBytes} bytes.`, { status: 413 }));
        };
        const onEnd = (): void => {
          const body = Buffer.concat(chunks);
          settle();
          resolve(body);
        };
        const onClose = (): void =>
          fail(new ServiceError("invalidRequest", "The request body ended early. Send it again."));
        unfinished.add(fail);
        request.on("data", onData).on("end", onEnd).on("close", onClose);
        request.on("error", () => undefined);
      }),
  };
}
