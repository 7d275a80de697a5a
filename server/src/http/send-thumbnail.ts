import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Thumbnails } from "../ports.ts";
import { holds } from "./send-answer.ts";

export const thumbnailPath = "/media/thumbnails/:platform/:file";

/** The stored picture of a reel, for anybody and for good: it never changes. */
export async function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  thumbnails: Pick<Thumbnails, "read">,
): Promise<FastifyReply> {
  const { platform = "", file = "" } = request.params as { platform?: string; file?: string };
  const mediaId = /^([\w-]{1,64})\.webp$/.exec(file)?.[1];
  const picture = mediaId === undefined ? undefined : await thumbnails.read({ platform, mediaId });
  if (picture === undefined) throw new ServiceError("notFound", "There is no such picture.");
  const tag = `"${createHash("sha256").update(picture.bytes).digest("base64url").slice(0, 22)}"`;
  reply
    .header("etag", tag)
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cross-origin-resource-policy", "cross-origin");
  if (holds(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.type("image/webp").send(Buffer.from(picture.bytes));
}
