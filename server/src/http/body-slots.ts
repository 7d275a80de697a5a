import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";

/** Bodies of strangers that are read at a time. */
export interface BodySlots {
  /**
   * The whole body, sent by `owner` where that is known. Throws `invalidRequest` 413 when it is larger, and `unavailable`
   * when newer ones need its place.
   */
  read(request: IncomingMessage, maxBytes: number, owner?: string): Promise<Buffer>;
}

/**
 * Holds at most `most` unfinished bodies. A new one replaces the oldest body of the owner that has the most: an honest sender
 * is done within moments, and many bodies that never end can't keep it out.
 */
export function createBodySlots(most: number): BodySlots {
  const unfinished = new Map<(error: ServiceError) => void, string | undefined>();

  function makeRoom(): void {
    if (unfinished.size < most) return;
    const owners = [...unfinished.values()];
    const bodiesOf = (owner: string | undefined): number => owners.filter((other) => other === owner).length;
    const mostOfOne = Math.max(...owners.map(bodiesOf));
    const oldest = [...unfinished].find(([, owner]) => bodiesOf(owner) === mostOfOne);
    oldest?.[0](
      new ServiceError("unavailable", "The service is receiving too many requests. Try again in a few seconds.", {
        retryAfter: 5,
      }),
    );
  }

  return {
    read: (request, maxBytes, owner) =>
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
        unfinished.set(fail, owner);
        request.on("data", onData).on("end", onEnd).on("close", onClose);
        request.on("error", () => undefined);
      }),
  };
}
