import type { FastifyRequest } from "fastify";

const usualLength = 4_096;

/**
 * `undefined` if the body is larger, in bytes, than the form may be. Values have no U+0000, which the database drops: otherwise one
 * name could be written in any number of ways, and each would be counted apart.
 */
export async function readForm({ raw }: FastifyRequest, longest = usualLength): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longest) return undefined;
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  return new URLSearchParams(Array.from(form, ([name, value]): [string, string] => [name, value.replaceAll("\0", "")]));
}
