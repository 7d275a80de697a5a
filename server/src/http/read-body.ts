import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";
import { contentTypeOf, isJson } from "./content-type.ts";

const usualMaxBytes = 64 * 1_024;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object of a request's body; an empty body is an empty object. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number = usualMaxBytes,
): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  const type = contentTypeOf(request);
  if (!isJson(request))
    throw new ServiceError(
      "invalidRequest",
      `The body must be JSON with \`content-type: application/json\`${type ? `, not ${quote(type)}` : ""}.`,
      { status: 415 },
    );
  return jsonObjectOf(bytes);
}

/** Throws `invalidRequest` when the bytes are anything else. */
export function jsonObjectOf(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new ServiceError("invalidRequest", "The body is not valid JSON in UTF-8.", { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ServiceError("invalidRequest", "The body must be a JSON object.");
  return value as Record<string, unknown>;
}

/** Throws `invalidRequest` 413 as soon as there are more. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes)
        throw new ServiceError("invalidRequest", `The body is larger than ${maxBytes} bytes.`, { status: 413 });
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("invalidRequest", "The request body ended early. Send it again.", { cause: error });
  }
  return Buffer.concat(chunks);
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 60));
