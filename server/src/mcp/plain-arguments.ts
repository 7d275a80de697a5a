import { refuseDeepNesting } from "../run/json-nesting.ts";

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
    const plain = isObject(params) ? plainArguments(params.arguments) : undefined;
    if (!isObject(params) || plain === undefined) continue;
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
