import type { IncomingMessage } from "node:http";
import type { NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import type { AuthInfo } from "@modelcontextprotocol/server";

interface ReadRequest {
  /** The whole body, or the beginning of one that is larger than the limit, itself larger than it. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

export const noBody: ReadRequest = { bytes: Buffer.alloc(0), isWhole: true };

/** A client that is still sending would not hear the answer to a larger body. */
const drainedBytes = 4 * 1_024 * 1_024;

/** Reads a body and keeps hardly more of it than `maxBytes`. Throws when it breaks off. */
export async function readRequest(request: IncomingMessage, maxBytes: number): Promise<ReadRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The connection must outlive a body that is too large, for the answer that says so.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (length <= maxBytes) chunks.push(chunk);
    length += chunk.length;
    if (length > drainedBytes) break;
  }
  return { bytes: Buffer.concat(chunks), isWhole: length <= maxBytes };
}

/** The same request for the protocol library, which reads the body again, byte for byte. */
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
