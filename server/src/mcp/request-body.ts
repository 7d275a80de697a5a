import type { IncomingMessage } from "node:http";
import type { NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import type { AuthInfo } from "@modelcontextprotocol/server";

interface ReadRequest {
  /** The whole body, or what came of it when it is larger than the limit. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

export const noBody: ReadRequest = { bytes: Buffer.alloc(0), isWhole: true };

/** Reads a body, but not much further than `maxBytes`. Throws when it breaks off. */
export async function readRequest(request: IncomingMessage, maxBytes: number): Promise<ReadRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The connection must outlive a body that is too large, for the answer that says so.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

/** The same request for the protocol library, which reads the body anew, byte for byte. */
export const replay = (
  { method, url, headers }: IncomingMessage,
  { bytes }: ReadRequest,
  auth: AuthInfo,
): NodeIncomingMessageLike => ({
  ...(method !== undefined && { method }),
  ...(url !== undefined && { url }),
  headers,
  auth,
  async *[Symbol.asyncIterator]() {
    if (bytes.length > 0) yield bytes;
  },
});
