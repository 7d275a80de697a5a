import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";

type Encoding = "br" | "gzip";

const compress: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text) => promisify(gzip)(text, { level: 9 }),
};

/** Browsers send a handful of different headers; others may send any. */
const known = new Map<string, Encoding | undefined>();
const mostKnown = 100;
const longestKnown = 100;

/** The smallest encoding that the caller accepts; `undefined` for none. */
export function encodingOf(request: Pick<FastifyRequest, "headers">): Encoding | undefined {
  const header = request.headers["accept-encoding"]?.toString() ?? "";
  if (known.has(header)) return known.get(header);
  const accepted = new Set(new Negotiator(request).encodings(["br", "gzip"]));
  const encoding = (["br", "gzip"] as const).find((one) => accepted.has(one));
  if (known.size < mostKnown && header.length <= longestKnown) known.set(header, encoding);
  return encoding;
}

/** Compresses each document once for as long as the document itself is kept. */
export function createCompressed(): (
  document: { readonly html: string },
  encoding: Encoding,
) => Buffer | Promise<Buffer> {
  const kept = new WeakMap<object, Partial<Record<Encoding, Buffer | Promise<Buffer>>>>();
  return (document, encoding) => {
    const byEncoding = kept.get(document) ?? {};
    kept.set(document, byEncoding);
    const known = byEncoding[encoding];
    if (known !== undefined) return known;
    const made = compress[encoding](document.html).then((bytes) => (byEncoding[encoding] = bytes));
    byEncoding[encoding] = made;
    return made;
  };
}
