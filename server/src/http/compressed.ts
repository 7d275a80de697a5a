import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";

type Encoding = "br" | "gzip";

const compress: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text) => promisify(gzip)(text, { level: 9 }),
};

/** The smallest encoding that the caller accepts; `undefined` for none. */
export function encodingOf(request: Pick<FastifyRequest, "headers">): Encoding | undefined {
  const accepted = new Set(new Negotiator(request).encodings(["br", "gzip"]));
  return (["br", "gzip"] as const).find((encoding) => accepted.has(encoding));
}

/** Compresses each document once for as long as the document itself is kept. */
export function createCompressed(): (document: { readonly html: string }, encoding: Encoding) => Promise<Buffer> {
  const kept = new WeakMap<object, Partial<Record<Encoding, Promise<Buffer>>>>();
  return (document, encoding) => {
    const byEncoding = kept.get(document) ?? {};
    kept.set(document, byEncoding);
    return (byEncoding[encoding] ??= compress[encoding](document.html));
  };
}
