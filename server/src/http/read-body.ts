import type { IncomingMessage } from "node:http";
import { cutText, ServiceError } from "@reelscript/contract";
import { readJsonObject } from "../run/read-input.ts";
import { contentTypeOf, isJson } from "./content-type.ts";

/** Limit for operations that set none. */
export const usualBodyBytes = 64 * 1_024;

/** The JSON object of a request's body; an empty body is an empty object. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBodyBytes(request);
  return bytes.length === 0 ? {} : readJsonObject(bytes);
}

/** The bytes of a request's body, which must say that it is JSON unless it is empty. */
export async function readBodyBytes(request: IncomingMessage, maxBytes: number = usualBodyBytes): Promise<Buffer> {
  const bytes = await readBytes(request, maxBytes);
  const type = contentTypeOf(request);
  if (bytes.length > 0 && !isJson(request))
    throw new ServiceError(
      "invalidRequest",
      `The body must be JSON with \`content-type: application/json\`${type ? `, not ${quote(type)}` : ""}.`,
      { status: 415 },
    );
  return bytes;
}

/** Joins the parts of a body. Throws `invalidRequest`, with 413 as soon as there are more bytes. */
export async function readBytes(parts: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of parts) {
      length += chunk.length;
      if (length > maxBytes)
        throw new ServiceError("invalidRequest", `The body is larger than ${maxBytes} bytes.`, { status: 413 });
      chunks.push(chunk);
    }
  } catch (error) {
    return endedEarly(error);
  }
  return Buffer.concat(chunks);
}

/** Throws the error for a body that broke off, or the one that says why we stopped reading. */
export function endedEarly(error: unknown): never {
  if (error instanceof ServiceError) throw error;
  throw new ServiceError("invalidRequest", "The request body ended early. Send it again.", { cause: error });
}

const quote = (text: string): string => JSON.stringify(cutText(text, 60));
