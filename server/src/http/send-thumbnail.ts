import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Thumbnails } from "../ports.ts";
import { entityTagOf, sendTagged } from "./entity-tag.ts";

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
  if (picture === undefined) throw new ServiceError("notFound", "Picture not found.");
  const body = Buffer.from(picture.bytes);
  reply
    .type("image/webp")
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cross-origin-resource-policy", "cross-origin");
  return sendTagged(request, reply, { tag: entityTagOf(body), body });
}
