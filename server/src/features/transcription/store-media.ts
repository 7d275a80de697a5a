import { ServiceError } from "@reelscript/contract";
import type { IncomingMedia } from "../../run/run.ts";

const partBytes = 1_048_576;
/** What arrives slowly is written sooner, so that it is seen to go on. */
const partMilliseconds = 20_000;

/** Keeps what arrives part by part, so that memory never holds more than one. Throws `invalidRequest` when it is too much or nothing. */
export async function storeMedia(
  media: IncomingMedia,
  {
    maxBytes,
    append,
  }: { readonly maxBytes: number; readonly append: (number: number, part: Uint8Array) => Promise<void> },
): Promise<void> {
  const { length } = media;
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes);
  let [total, number] = [0, 0];
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let writtenAt = performance.now();
  const write = async (): Promise<void> => {
    await append(number, Buffer.concat(waiting));
    [waiting, waitingBytes, number] = [[], 0, number + 1];
    writtenAt = performance.now();
  };
  for await (const chunk of media.bytes()) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(maxBytes);
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= partBytes || performance.now() - writtenAt >= partMilliseconds) await write();
  }
  if (total === 0) throw new ServiceError("invalidRequest", "The body is empty; it must be the media of the reel.");
  if (waitingBytes > 0) await write();
}

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError("invalidRequest", `The media are larger than ${maxBytes} bytes, the most this service takes.`, {
    reason: "videoTooLarge",
    status: 413,
  });
