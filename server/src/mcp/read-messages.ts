import type { IncomingHttpHeaders } from "node:http";
import { cutText, ServiceError } from "@reelscript/contract";

const mostMessages = 10;

/** The messages of a body. Throws `invalidRequest` if there are too many, or if one has a name that is too long. */
export function readMessages(headers: IncomingHttpHeaders, bytes: Buffer): readonly Record<string, unknown>[] {
  const messages = messagesIn(bytes);
  if (messages.length > mostMessages)
    throw new ServiceError("invalidRequest", `A batch has at most ${mostMessages} messages.`);
  refuseLongNames(headers, messages);
  return messages;
}

/** No real method, tool or version of the protocol is nearly as long. */
const longest = 200;

/**
 * The protocol library quotes names that it does not know, so an answer would be as long as they are. Throws `invalidRequest`;
 * anything that isn't a message is left to the library.
 */
function refuseLongNames(headers: IncomingHttpHeaders, messages: readonly Record<string, unknown>[]): void {
  for (const name of ["mcp-name", "mcp-method", "mcp-protocol-version"])
    refuseLong(headers[name], `The header ${name}`);
  for (const { method, params } of messages) {
    refuseLong(method, "`method`");
    for (const [field, value] of Object.entries(objectIn(params)))
      refuseLong(value, `\`params.${cutText(field, 60)}\``);
    for (const value of Object.values(objectIn(objectIn(params)._meta))) refuseLong(value, "`params._meta`");
  }
}

function refuseLong(value: unknown, what: string): void {
  if (typeof value === "string" && value.length > longest)
    throw new ServiceError("invalidRequest", `${what} has more than ${longest} characters.`);
}

/** Skips anything that isn't a message. */
function messagesIn(bytes: Buffer): readonly Record<string, unknown>[] {
  try {
    const read: unknown = JSON.parse(bytes.toString("utf8"));
    return (Array.isArray(read) ? read : [read]).map(objectIn);
  } catch {
    return [];
  }
}

/** `{}` for anything else. */
export const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
