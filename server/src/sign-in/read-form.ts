import type { FastifyRequest } from "fastify";

const usualLength = 4_096;

/** `undefined` if the body is larger, in bytes, than the form may be. */
export async function readForm({ raw }: FastifyRequest, longest = usualLength): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longest) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
