import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";

/** A reader is judged by each half minute. */
export const usualWindow = 30_000;
/** Bytes a second; a phone with a poor connection takes more. */
export const leastSpeed = 16_000;
/** Bytes that are sent at a time. */
export const sliceBytes = 64 * 1_024;

/**
 * Sends long answers as their readers take them, and disconnects a reader that is too slow, because its answer stays in
 * memory. To be added after what changes answers.
 */
export function cutSlowReaders(app: FastifyInstance, windowMilliseconds = usualWindow): void {
  app.addHook("onSend", (_request, reply, payload, proceed) => {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    if (!Buffer.isBuffer(bytes) || bytes.length <= sliceBytes) return proceed(null, payload);
    reply.header("content-length", bytes.length);
    proceed(null, Readable.from(takenOf(bytes, reply, windowMilliseconds), { objectMode: false }));
  });
}

function* takenOf(bytes: Buffer, { raw }: FastifyReply, windowMilliseconds: number): Generator<Buffer> {
  let taken = 0;
  let before = 0;
  const stop = (): void => clearInterval(timer);
  const timer = setInterval(() => {
    if (taken - before < (leastSpeed * windowMilliseconds) / 1_000) {
      raw.destroy();
      stop();
    }
    before = taken;
  }, windowMilliseconds).unref();
  raw.once("close", stop);
  for (; taken < bytes.length; taken += sliceBytes) yield bytes.subarray(taken, taken + sliceBytes);
}
