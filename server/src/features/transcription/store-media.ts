import { ServiceError } from "@reelscript/contract";
import type { IncomingMedia } from "../../run/handler.ts";

const partBytes = 1_048_576;
/** Slow uploads are written at least this often, so that their progress shows. */
const partMilliseconds = 20_000;

/**
 * Stores media part by part as they arrive, so that memory never holds more than one part. Throws `invalidRequest`
 * when they are too large or empty.
 */
export async function storeMedia(
  media: IncomingMedia,
  {
    maxBytes,
    append,
    count,
  }: {
    readonly maxBytes: number;
    readonly append: (number: number, part: Uint8Array) => Promise<void>;
    /** Receives the number of bytes that arrived, even if the media broke off. */
    readonly count: (bytes: number) => Promise<void>;
  },
): Promise<void> {
  const { length } = media;
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes);
  let total = 0;
  let number = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let writtenAt = performance.now();
  const write = async (): Promise<void> => {
    const part = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    await count(part.length);
    await append(number, part);
    number += 1;
    writtenAt = performance.now();
  };
  try {
    for await (const chunk of media.bytes()) {
      total += chunk.length;
      waitingBytes += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      waiting.push(chunk);
      if (waitingBytes >= partBytes || performance.now() - writtenAt >= partMilliseconds) await write();
    }
  } catch (error) {
    if (waitingBytes > 0) await count(waitingBytes);
    throw error;
  }
  if (total === 0) throw new ServiceError("invalidRequest", "The body is empty; it must be the media of the reel.");
  if (waitingBytes > 0) await write();
}

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError("invalidRequest", `The media are larger than ${maxBytes} bytes, the most this service takes.`, {
    reason: "videoTooLarge",
    status: 413,
  });
