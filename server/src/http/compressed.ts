import Negotiator from "negotiator";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { createFairLine, NoTurn } from "../rules/fair-line.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

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
export function encodingOf(request: Pick<FastifyRequest, "headers">): Encoding | undefined {
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
export type KeptTexts = (tag: string, text: string, encoding: Encoding | undefined) => Buffer | Promise<Buffer>;

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
export const leastBytes = 1_024;
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

export const hasCookie = ({ headers }: FastifyRequest, reply: FastifyReply): boolean =>
  headers.cookie !== undefined || reply.hasHeader("set-cookie");

export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader("vary")?.toString();
  if (vary?.includes("accept-encoding")) return;
  reply.header("vary", vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`);
}
