import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Nothing in a stranger's file is ever run or shown as a page. */
const inert = { "content-security-policy": "default-src 'none'; sandbox", "accept-ranges": "bytes" };

/** Answers of which an account reads the media at a time in a process. Each holds a part of them, and browsers need a few. */
const mostOfAccount = 8;
/** A player that is paused takes nothing, and asks again for what it lacks. */
const idleMilliseconds = 10 * 60_000;

/** Bounds the answers with media that are read at a time. */
export type BoundReaders = (accountId: string, response: ServerResponse) => void;

/** When an account opens one too many, its oldest one ends; one of which nothing is taken for long ends, too. */
export function createBoundReaders(): BoundReaders {
  const readers = new Map<string, Set<ServerResponse>>();
  return (accountId, response) => {
    const open = readers.get(accountId) ?? new Set();
    const [oldest] = open;
    if (open.size >= mostOfAccount && oldest !== undefined) {
      open.delete(oldest);
      oldest.destroy();
    }
    readers.set(accountId, open.add(response));
    response.setTimeout(idleMilliseconds, () => response.destroy());
    response.once("close", () => {
      open.delete(response);
      if (open.size === 0 && readers.get(accountId) === open) readers.delete(accountId);
    });
  };
}

/** Sends the bytes that a request's `Range` header asks for, or all; of several ranges the first. */
export function sendRange(
  request: FastifyRequest,
  reply: FastifyReply,
  file: {
    readonly size: number;
    readonly mediaType: string;
    /** From the byte `from` to the byte `to`, which is the last. */
    readonly bytes: (from: number, to: number) => AsyncIterable<Uint8Array>;
  },
): FastifyReply {
  const range = rangeOf(request.headers.range, file.size);
  if (range === undefined) throw new ServiceError("invalidRequest", "The range is outside the file.", { status: 400 });
  const { from, to } = range;
  const isPart = request.headers.range !== undefined;
  return reply
    .code(isPart ? 206 : 200)
    .headers({ ...inert, "content-length": to - from + 1 })
    .headers(isPart ? { "content-range": `bytes ${from}-${to}/${file.size}` } : {})
    .type(file.mediaType)
    .send(Readable.from(file.bytes(from, to), { objectMode: false, highWaterMark: 65_536 }));
}

/** The first and the last byte that a header asks for. */
function rangeOf(header: string | undefined, size: number): { readonly from: number; readonly to: number } | undefined {
  if (header === undefined) return { from: 0, to: size - 1 };
  const [, start = "", end = ""] = /^bytes=(\d{0,15})-(\d{0,15})/.exec(header) ?? [];
  if (start === "" && end === "") return undefined;
  const from = start === "" ? Math.max(0, size - Number(end)) : Number(start);
  const to = start === "" || end === "" ? size - 1 : Math.min(Number(end), size - 1);
  return from > to ? undefined : { from, to };
}
