import type { FastifyRequest } from "fastify";

const longestBody = 4_096;

/** `undefined` if the body is larger than any of our forms. */
export async function readForm({ raw }: FastifyRequest): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longestBody) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
