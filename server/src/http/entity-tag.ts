import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import fresh from "fresh";

/** Names a body by its content. */
export const entityTagOf = (body: string | Uint8Array): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

type Body = string | Buffer;

/** Gives the answer its tag, and sends the body that it names, or 304 when the caller has it. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, body }: { readonly tag: string; readonly body: Body | (() => Body | Promise<Body>) },
): FastifyReply | Promise<FastifyReply> {
  reply.header("etag", tag);
  // Only of the tag: programs whose own cache is off send "no-cache" with it, and still want to hear that they have it.
  const { "if-none-match": known } = request.headers;
  if (known !== undefined && fresh({ "if-none-match": known }, { etag: tag }))
    return reply.code(304).removeHeader("content-type").send();
  const made = typeof body === "function" ? body() : body;
  return made instanceof Promise ? made.then((bytes) => reply.send(bytes)) : reply.send(made);
}
