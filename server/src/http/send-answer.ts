import Negotiator from "negotiator";
import fresh from "fresh";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Operation } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../callers/authenticate.ts";
import type { RateState, WrittenBody } from "../ports.ts";
import { NoTurn, createFairLine } from "../rules/fair-line.ts";
import { createPlaces, goneWith } from "../run/admission.ts";
import { chosenFormat, queryOf } from "./read-request.ts";

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
    const numbers = always.numbers && output[always.numbers.field];
    if (always.numbers !== undefined && typeof numbers === "object" && numbers !== null)
      reply.header(always.numbers.header, numbersText(numbers));
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

const numbersText = (numbers: object): string =>
  Object.entries(numbers)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

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

/** How much of the tightest limit is left. */
export function rateHeaders(rate: RateState | undefined): Record<string, string> {
  if (rate === undefined) return {};
  return {
    "ratelimit-limit": String(rate.bucket.limit),
    "ratelimit-remaining": String(rate.remaining),
    "ratelimit-reset": String(Math.ceil(rate.resetSeconds)),
  };
}

type Encoding = "br" | "gzip";

/** `quickly` for a response sent once, `well` for one that is kept and sent to many. */
type Effort = "quickly" | "well";

const brotliQuality = { quickly: 4, well: 9 };
const gzipLevel = { quickly: 6, well: 9 };

function compress(
  text: string | Buffer,
  encoding: Encoding,
  effort: Effort,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (encoding === "br")
    brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality[effort] } }, done);
  else gzip(text, { level: gzipLevel[effort] }, done);
}

const compressing = promisify(compress);

/** Texts from this size take some milliseconds of processor time. */
const longBytes = 64 * 1_024;
/** Two at a time, because the few threads also look up addresses and read files. */
const line = createFairLine({ atATime: 2, waiting: 32 });

/** Browsers send a handful of different headers; others may send any. */
const encodingByHeader = new Map<string, Encoding | undefined>();
const mostKnown = 100;
const longestKnown = 100;

/** The smallest encoding that the caller accepts; `undefined` for none. */
function encodingOf(request: Pick<FastifyRequest, "headers">): Encoding | undefined {
  const header = request.headers["accept-encoding"]?.toString() ?? "";
  if (encodingByHeader.has(header)) return encodingByHeader.get(header);
  const accepted = new Set(new Negotiator(request).encodings(["br", "gzip"]));
  const encoding = (["br", "gzip"] as const).find((one) => accepted.has(one));
  if (encodingByHeader.size < mostKnown && header.length <= longestKnown) encodingByHeader.set(header, encoding);
  return encoding;
}

type Compress = (text: string, encoding: Encoding, effort: Effort) => Promise<Buffer>;

/**
 * Encodes and compresses texts that are the same for everybody once, and caches the most recently requested ones by tag. Without an
 * encoding, the bytes are as they are.
 */
type KeptTexts = (tag: string, text: string, encoding: Encoding | undefined) => Buffer | Promise<Buffer>;

/** A text weighs as it is until it is compressed; a larger one than `mostBytes` isn't kept. */
export function createKeptTexts(mostBytes = 16 * 1_024 * 1_024, compressText: Compress = compressing): KeptTexts {
  const cache = new Map<string, { readonly bytes: Buffer | Promise<Buffer>; readonly weight: number }>();
  let weightOfAll = 0;

  function forget(name: string): void {
    weightOfAll -= cache.get(name)?.weight ?? 0;
    cache.delete(name);
  }

  /** Makes the entry the most recently used one. */
  function keep(name: string, bytes: Buffer | Promise<Buffer>, weight: number): void {
    forget(name);
    cache.set(name, { bytes, weight });
    weightOfAll += weight;
    for (const oldest of cache.keys()) {
      if (weightOfAll <= mostBytes) return;
      forget(oldest);
    }
  }

  return (tag, text, encoding) => {
    const name = `${encoding ?? "identity"} ${tag}`;
    const entry = cache.get(name);
    if (entry !== undefined) {
      keep(name, entry.bytes, entry.weight);
      return entry.bytes;
    }
    if (encoding === undefined) {
      const plain = Buffer.from(text);
      keep(name, plain, plain.length);
      return plain;
    }
    const bytes = compressText(text, encoding, "well").then(
      (done) => {
        if (cache.has(name)) keep(name, done, done.length);
        return done;
      },
      (error: unknown) => {
        forget(name);
        throw error;
      },
    );
    keep(name, bytes, text.length);
    return bytes;
  };
}

/** Shorter bodies would hardly shrink. */
const leastBytes = 1_024;
const shrinks = /^(?:text\/|application\/(?:json|xml)\b)/;

/**
 * Compresses texts that are sent whole, as the caller likes them. Answers that a cookie opened stay as they are: beside a
 * secret, their length could be used to guess it.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, proceed) => {
    const isKept = reply.statusCode === 304 && String(reply.getHeader("etag")).startsWith("W/");
    const text = isWorthwhile(reply, payload) ? payload : undefined;
    if (!isKept && text === undefined) return proceed(null, payload);
    varyByEncoding(reply);
    const encoding = isKept || hasCookie(request, reply) ? undefined : encodingOf(request);
    if (encoding === undefined || text === undefined) return proceed(null, payload);
    const work = (): Promise<Buffer> => compressing(text, encoding, "quickly");
    (text.length < longBytes ? work() : line.run("everybody", work)).then(
      (bytes) => {
        reply.header("content-encoding", encoding).removeHeader("content-length");
        proceed(null, bytes);
      },
      // Sent larger, but without waiting.
      (error: unknown) => (error instanceof NoTurn ? proceed(null, payload) : proceed(error as Error)),
    );
  });
}

const isWorthwhile = (reply: FastifyReply, payload: unknown): payload is string | Buffer =>
  (typeof payload === "string" || Buffer.isBuffer(payload)) &&
  payload.length >= leastBytes &&
  !reply.hasHeader("content-encoding") &&
  shrinks.test(String(reply.getHeader("content-type")));

const hasCookie = ({ headers }: FastifyRequest, reply: FastifyReply): boolean =>
  headers.cookie !== undefined || reply.hasHeader("set-cookie");

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader("vary")?.toString();
  if (vary?.includes("accept-encoding")) return;
  reply.header("vary", vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`);
}

/** Characters after which others get a turn. */
const charactersOfTurn = 64 * 1_024;

/** Writes an object as JSON, a list item by item: what is long becomes bytes in UTF-8, with turns for others between them. */
async function jsonInTurns(output: Readonly<Record<string, unknown>>): Promise<string | Buffer> {
  const written: Buffer[] = [];
  let text = "";
  for (const part of partsOf(output)) {
    text += part;
    if (text.length < charactersOfTurn) continue;
    written.push(Buffer.from(text));
    text = "";
    await setImmediate();
  }
  return written.length === 0 ? text : Buffer.concat([...written, Buffer.from(text)]);
}

function* partsOf(output: Readonly<Record<string, unknown>>): Generator<string> {
  let before = "{";
  for (const [field, value] of Object.entries(output)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(field)}:`;
    before = ",";
    if (Array.isArray(value)) yield* itemsOf(value);
    else yield JSON.stringify(value);
  }
  yield before === "{" ? "{}" : "}";
}

function* itemsOf(list: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [index, item] of list.entries()) yield `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
  yield "]";
}

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
