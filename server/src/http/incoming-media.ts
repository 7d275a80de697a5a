import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMedia } from "../run/run.ts";
import { contentTypeOf } from "./content-type.ts";

/** For all of a body of media. */
export const mediaBodySeconds = 15 * 60;
const usualSilenceSeconds = 30;
const farewellMilliseconds = 5_000;
/** Bodies that one process takes at a time: each holds a part of a megabyte or two in memory. */
const mostAtATime = 8;

/** What a handler gets of a body that is media: nothing is read until it reads. */
export function createIncomingMedia(types: readonly string[], silenceSeconds = usualSilenceSeconds) {
  let underWay = 0;
  return (request: FastifyRequest, reply: FastifyReply): IncomingMedia => {
    const { raw } = request;
    const declared = Number(raw.headers["content-length"] ?? Number.NaN);
    hangUpOnUnread(raw, reply);
    return {
      length: Number.isSafeInteger(declared) ? declared : undefined,
      async *bytes() {
        const [type = ""] = contentTypeOf(raw).toLowerCase().split(";", 1);
        if (!types.includes(type.trim()))
          throw new ServiceError("invalidRequest", `The content type must be one of ${types.join(", ")}.`, {
            status: 415,
          });
        if (underWay >= mostAtATime)
          throw new ServiceError("unavailable", "Too many reels are being sent. Try again shortly.", {
            retryAfter: 10,
          });
        underWay += 1;
        try {
          yield* paced(raw, silenceSeconds);
        } finally {
          underWay -= 1;
        }
      },
    };
  };
}

/** Throws `invalidRequest` when nothing arrives for too long, or the body breaks off. */
async function* paced(raw: IncomingMessage, silenceSeconds: number): AsyncGenerator<Uint8Array> {
  const chunks = (raw as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<"silent">((resolve) => {
      timer = setTimeout(() => resolve("silent"), silenceSeconds * 1_000);
    });
    const next = await Promise.race([
      silence,
      chunks.next().catch((error: unknown) => {
        throw new ServiceError("invalidRequest", "The body broke off before its end.", { cause: error });
      }),
    ]).finally(() => clearTimeout(timer));
    if (next === "silent")
      throw new ServiceError("invalidRequest", `Nothing arrived for ${silenceSeconds} seconds, so it was given up.`);
    if (next.done) return;
    yield next.value;
  }
}

/** Who was answered before all was read gets the time to read that, and no more. */
function hangUpOnUnread(raw: IncomingMessage, reply: FastifyReply): void {
  reply.raw.once("finish", () => {
    if (raw.complete) return;
    setTimeout(() => raw.complete || raw.socket.destroy(), farewellMilliseconds).unref();
  });
}
