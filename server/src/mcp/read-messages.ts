import type { IncomingHttpHeaders } from "node:http";
import { ServiceError, cutText } from "@reelscript/contract";
import { refuseDeepNesting } from "../run/schemas.ts";

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

/**
 * Some hosts send null, an empty text or an empty list for no arguments, or all of them as one text: `"{}"`. The protocol
 * library accepts only objects, so these are replaced by objects; any other body stays unchanged, byte for byte. Throws
 * `invalidRequest` if such a text is nested too deeply.
 */
export function withPlainArguments(bytes: Buffer): Buffer {
  const body = parsed(bytes.toString("utf8"));
  let hasChanged = false;
  for (const message of Array.isArray(body) ? body : [body]) {
    const params = isObject(message) ? message.params : undefined;
    if (!isObject(params)) continue;
    if ("cursor" in params && typeof params.cursor !== "string") {
      // The library answers an internal error to these, and the list of tools refuses an unknown cursor in a sentence.
      params.cursor = "";
      hasChanged = true;
    }
    const plain = plainArguments(params.arguments);
    if (plain === undefined) continue;
    params.arguments = plain;
    hasChanged = true;
  }
  return hasChanged ? Buffer.from(JSON.stringify(body)) : bytes;
}

/** `undefined` if nothing needs to be changed. */
function plainArguments(given: unknown): Record<string, unknown> | undefined {
  if (typeof given === "string") refuseDeepNesting(Buffer.from(given));
  const read = typeof given === "string" && given.trim() !== "" ? parsed(given) : given;
  if (isNothing(read)) return {};
  return typeof given === "string" && isObject(read) ? read : undefined;
}

/** Some languages have one type for lists and objects, and write an empty one as a list. */
const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === "string" && value.trim() === "") || (Array.isArray(value) && value.length === 0);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
