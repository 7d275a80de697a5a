import { createHash } from "node:crypto";
import type { Operation } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chosenFormat } from "./answer-format.ts";

/**
 * Sends an output as JSON or, where the operation offers it and the caller asks for it, as bare text or as a file; 304 when
 * the caller has it.
 */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  http: Operation["http"],
  output: Record<string, unknown>,
  /** Who may keep what may be kept: the caller's own cache, or any on the way too. */
  caches: "private" | "public",
): FastifyReply {
  const { text, cacheSeconds, entityTag } = http;
  const file = chosenFormat(request, http);
  if (file !== undefined) reply.header("content-disposition", `attachment; filename="${file.fileName(output)}"`);
  const bare = file === undefined && text !== undefined && prefers(request.headers.accept, text.type);
  const body = bare ? String(output[text.field]) : (file?.write(output) ?? JSON.stringify(output));
  reply.type(`${bare ? text.type : (file?.type ?? "application/json")}; charset=utf-8`);
  if (text !== undefined) reply.header("vary", "accept");
  if (entityTag !== undefined) reply.header("etag", `"${String(output[entityTag.output])}"`);
  if (cacheSeconds === undefined) return reply.send(body);
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  reply.header("etag", tag).header("cache-control", `${caches}, max-age=${cacheSeconds}`);
  if (!holds(request.headers["if-none-match"], tag)) return reply.send(body);
  return reply.code(304).removeHeader("content-type").send();
}

/** Whether `Accept` names `type` itself, and neither ranks anything higher nor names JSON before it. */
export function prefers(accept: string | undefined, type: string): boolean {
  const ranges = (accept ?? "").split(",").map((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { name, quality: given === undefined ? 1 : Number(given) || 0 };
  });
  const highest = Math.max(...ranges.map(({ quality }) => quality));
  const named = ranges.find(({ name, quality }) => quality === highest && [type, "application/json"].includes(name));
  return highest > 0 && named?.name === type;
}

/** Whether `If-None-Match` names the tag; a cache on the way may have weakened it. */
export const holds = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag));
