import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Operation } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import fresh from "fresh";
import { networkOf } from "../callers/network-of.ts";
import type { WrittenBody } from "../ports.ts";
import { createPlaces } from "../run/places.ts";
import { goneWith } from "../run/while-open.ts";
import { jsonInTurns } from "./json-in-turns.ts";
import { chosenFormat, queryOf } from "./read-request.ts";
import { createKeptTexts, encodingOf, hasCookie, leastBytes, varyByEncoding } from "./compressed.ts";

/**
 * Sends an output as JSON or, where the operation offers it and the caller asks for it, as bare text or as a file; 304 when
 * the caller has it.
 */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  http: Operation["http"],
  output: Record<string, unknown>,
  /** Caches that may store a cacheable response: the caller's own, or shared ones too. */
  caches: "private" | "public",
): Promise<FastifyReply> {
  const { text, cacheSeconds, entityTag, bare: always } = http;
  if (always !== undefined) {
    const choice = always.chosenBy === undefined ? null : queryOf(request).get(always.chosenBy);
    const type = always.types[choice ?? ""] ?? Object.values(always.types)[0] ?? "text/plain";
    return reply.type(`${type}; charset=utf-8`).send(String(output[always.field]));
  }
  const file = chosenFormat(request, http);
  if (file !== undefined) reply.header("content-disposition", attachmentOf(file.fileName(output), file.ending));
  const bare = file === undefined && text !== undefined && prefers(request, text.type);
  const asText = bare ? String(output[text.field]) : file?.write(output);
  reply.type(`${bare ? text.type : (file?.type ?? "application/json")}; charset=utf-8`);
  if (text !== undefined) reply.header("vary", "accept");
  if (entityTag !== undefined) reply.header("etag", `"${String(output[entityTag.output])}"`);
  if (cacheSeconds === undefined) return reply.send(asText ?? (await jsonInTurns(output)));
  const body = asText ?? JSON.stringify(output);
  reply.header("cache-control", `${caches}, max-age=${cacheSeconds}`);
  // Compressed beside a cookie that it sets or was opened by, an answer could tell of it by its length.
  return hasCookie(request, reply)
    ? sendTagged(request, reply, { tag: entityTagOf(body), body })
    : sendText(request, reply, body);
}

/** Sends a body that is already written, in the requested form. */
export function sendWritten(
  request: FastifyRequest,
  reply: FastifyReply,
  http: Operation["http"],
  { bytes, fileName }: WrittenBody,
): FastifyReply {
  const file = chosenFormat(request, http);
  if (file !== undefined && fileName !== undefined)
    reply.header("content-disposition", attachmentOf(fileName, file.ending));
  reply.type(`${file?.type ?? "application/json"}; charset=utf-8`);
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

export const attachmentOf = (fileName: string, ending: string): string =>
  `attachment; filename="${fileName}.${ending}"`;

/** True if the caller prefers this media type to JSON. */
export const prefers = (request: Pick<FastifyRequest, "headers">, type: string): boolean =>
  new Negotiator(request).mediaType(["application/json", type]) === type;

/** Names a body by its content. The name of a text is weak, because each encoding of it has bytes of its own. */
export const entityTagOf = (body: string | Uint8Array): string =>
  `${typeof body === "string" ? "W/" : ""}"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

type Body = string | Buffer | Readable;

/** Gives the answer its tag, and sends the body that it names, or 304 when the caller has it. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, body }: { readonly tag: string; readonly body: Body | (() => Body | Promise<Body>) },
): FastifyReply | Promise<FastifyReply> {
  reply.header("etag", tag);
  // Only of the tag: programs whose own cache is off send "no-cache" with it, and still want to hear that they have it.
  const { "if-none-match": requestTag } = request.headers;
  if (requestTag !== undefined && fresh({ "if-none-match": requestTag }, { etag: tag }))
    return reply.code(304).removeHeader("content-type").send();
  const content = typeof body === "function" ? body() : body;
  return content instanceof Promise ? content.then((bytes) => reply.send(bytes)) : reply.send(content);
}

/** A picture whose address names its content: anybody may keep it for good, and pages of other sites may show it. */
export const pictureHeaders = (format: "jpeg" | "webp"): Readonly<Record<string, string>> => ({
  "content-type": `image/${format}`,
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
});

const keptTexts = createKeptTexts();

/** Characters from which a text is sent as a stream, and only a few at a time to one network. */
const longDocument = 64 * 1_024;
const documentPlaces = createPlaces({ atATime: 4, waiting: 256 });
const lineSeconds = 30;
const placeSeconds = 2;

/** Waits until fewer long documents are on their way to the caller's network, and sends the bytes piece by piece. */
async function inOwnLine(
  request: FastifyRequest,
  reply: FastifyReply,
  coming: Buffer | Promise<Buffer>,
): Promise<Readable> {
  const { signal } = goneWith(reply.raw);
  const bytes = await coming;
  const deadline = performance.now() + lineSeconds * 1_000;
  const place = await documentPlaces.enter(networkOf(request.ip), { signal, deadline });
  // A reader who takes nothing costs nothing either, so others of its network needn't wait for it.
  const timer = setTimeout(() => place.leave(), placeSeconds * 1_000).unref();
  const leave = (): void => {
    clearTimeout(timer);
    place.leave();
  };
  if (reply.raw.closed) leave();
  else reply.raw.once("close", leave);
  reply.header("content-length", bytes.length);
  return Readable.from(slicesOf(bytes), { objectMode: false });
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += longDocument) yield bytes.subarray(from, from + longDocument);
}

/**
 * Sends a text that is the same for everybody as the caller can take it, or 304 when it has it. It is compressed once, and
 * beside cookies too, for there is no secret in it.
 */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  tag = entityTagOf(text),
): FastifyReply | Promise<FastifyReply> {
  if (text.length < leastBytes) return sendTagged(request, reply, { tag, body: text });
  const encoding = encodingOf(request);
  varyByEncoding(reply);
  return sendTagged(request, reply, {
    tag,
    body: () => {
      if (encoding !== undefined) reply.header("content-encoding", encoding);
      const bytes = keptTexts(tag, text, encoding);
      return text.length < longDocument ? bytes : inOwnLine(request, reply, bytes);
    },
  });
}

/** Sends cached documents, whose tags are computed once. */
export function createSendDocument() {
  const tags = new WeakMap<{ readonly html: string }, string>();
  return (request: FastifyRequest, reply: FastifyReply, document: { readonly html: string }) => {
    const tag = tags.get(document) ?? entityTagOf(document.html);
    tags.set(document, tag);
    return sendText(request, reply, document.html, tag);
  };
}
