import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMedia } from "../run/handler.ts";
import { contentTypeOf } from "./content-type.ts";
import { createPacedBody, type PacedBody, unhurriedSpeed } from "./paced-body.ts";

/** Time limit for a whole media body. */
export const mediaBodySeconds = 15 * 60;
const farewellMilliseconds = 5_000;
/** Bodies that one process takes at a time: each holds a part of a megabyte or two in memory. */
const mostAtATime = 8;

/** Gives handlers the media body of a request; nothing is read until they read. */
export function createIncomingMedia(types: readonly string[]) {
  const places = new Set<PacedBody>();

  /** The slowest leaves when all places are taken, unless even that one would send the largest media in time. */
  function makeRoom(): void {
    if (places.size < mostAtATime) return;
    const [slowest] = [...places].toSorted((one, other) => one.speed() - other.speed());
    if (slowest === undefined || slowest.speed() >= unhurriedSpeed)
      throw new ServiceError("unavailable", "Too many reels are being sent. Try again shortly.", { retryAfter: 10 });
    places.delete(slowest);
    slowest.end(
      new ServiceError("unavailable", "The reel arrived too slowly while others were waiting. Try again shortly.", {
        retryAfter: 30,
      }),
    );
  }

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
        makeRoom();
        const body = createPacedBody(raw);
        places.add(body);
        try {
          yield* body.chunks();
        } finally {
          places.delete(body);
        }
      },
    };
  };
}

/** A sender that is answered before its body ends has a few seconds to read the response. */
function hangUpOnUnread(raw: IncomingMessage, reply: FastifyReply): void {
  reply.raw.once("finish", () => {
    if (raw.complete) return;
    setTimeout(() => raw.complete || raw.socket.destroy(), farewellMilliseconds).unref();
  });
}
