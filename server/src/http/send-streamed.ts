import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Streamed } from "../run/handler.ts";
import { attachmentOf, leastSpeed, sliceBytes, usualWindow } from "./send-answer.ts";
import type { ChosenFormat } from "./read-request.ts";

/**
 * Sends an answer while it is made, no faster than its reader takes it. What breaks off before anything was sent is thrown;
 * after that, and for a reader that is too slow, the connection is cut, so that half an answer is never taken for a whole one.
 */
export async function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Pick<ChosenFormat, "type" | "ending"> | undefined,
  needs: {
    readonly result: Streamed;
    readonly signal: AbortSignal;
    readonly onFault: (error: unknown) => void;
    /** Longest time for which a reader may be too slow, in milliseconds; half a minute unless given. */
    readonly windowMilliseconds?: number;
  },
): Promise<FastifyReply> {
  const { result, signal, onFault, windowMilliseconds = usualWindow } = needs;
  if (file !== undefined) reply.header("content-disposition", attachmentOf(result.fileName, file.ending));
  reply.type(`${file?.type ?? "application/json"}; charset=utf-8`);
  const parts = result.parts[Symbol.asyncIterator]();
  try {
    if (request.method === "HEAD") return await reply.send();
    let part = await parts.next();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    try {
      const write = createPacedWrite(raw, signal, windowMilliseconds);
      for (; !part.done; part = await parts.next()) await write(part.value);
      raw.end();
    } catch (error) {
      raw.destroy();
      if (!signal.aborted && !(error instanceof SlowReader || error instanceof ServiceError)) onFault(error);
    }
    return reply;
  } finally {
    await parts.return?.();
    result.end();
  }
}

class SlowReader extends Error {
  override readonly name = "SlowReader";
}

/** Writes what the reader has room for, and waits for it. Throws `SlowReader`, and the reason of `signal`. */
function createPacedWrite(
  raw: ServerResponse,
  signal: AbortSignal,
  windowMilliseconds: number,
): (part: Uint8Array) => Promise<void> {
  let window = { bytes: 0, waited: 0 };

  /** Resolves with true when the reader has taken everything. */
  function waitForRoom(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (hasRoom: boolean) => (): void => {
        clearTimeout(timer);
        raw.off("drain", onDrain);
        signal.removeEventListener("abort", onAbort);
        resolve(hasRoom);
      };
      const onDrain = settle(true);
      const onAbort = settle(false);
      const timer = setTimeout(onAbort, milliseconds);
      raw.once("drain", onDrain);
      signal.addEventListener("abort", onAbort);
    });
  }

  return async (part) => {
    for (let from = 0; from < part.length; from += sliceBytes) {
      signal.throwIfAborted();
      const slice = part.subarray(from, from + sliceBytes);
      let hasRoom = raw.write(slice);
      while (!hasRoom) {
        const begun = performance.now();
        hasRoom = await waitForRoom(Math.max(1, windowMilliseconds - window.waited));
        signal.throwIfAborted();
        window.waited += performance.now() - begun;
        if (window.waited < windowMilliseconds) continue;
        if (window.bytes < (leastSpeed * windowMilliseconds) / 1_000)
          throw new SlowReader(`fewer than ${leastSpeed} bytes a second were taken`);
        window = { bytes: 0, waited: 0 };
      }
      window.bytes += slice.length;
    }
  };
}
