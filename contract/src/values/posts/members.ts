/** Declared here because browsers and Node both have it, but the language's types don't. */
declare const URL: new (text: string) => { readonly protocol: string };

/** True for a JSON object; false for a list and for null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Readers of untrusted JSON members: a missing value, or one of another type, is null. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

export function textIn(value: unknown, name: string): string | null {
  const text = member(value, name);
  return typeof text === "string" && text !== "" ? text : null;
}

/** Hidden counts are missing, null or -1. */
export function countIn(value: unknown, name: string): number | null {
  const count = member(value, name);
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

export function positiveIn(value: unknown, name: string): number | null {
  const number = member(value, name);
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : null;
}

export function flagIn(value: unknown, name: string): boolean | null {
  const flag = member(value, name);
  return typeof flag === "boolean" ? flag : null;
}

const mostItems = 1_000;

export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? list.slice(0, mostItems) : [];
}

/** Signed media addresses have several hundred characters. */
export function webAddressIn(value: unknown, name: string): string | null {
  const address = textIn(value, name);
  if (address === null || address.length > 4_096) return null;
  try {
    return /^https?:$/.test(new URL(address).protocol) ? address : null;
  } catch {
    return null;
  }
}
