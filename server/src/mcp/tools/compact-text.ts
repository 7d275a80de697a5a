/**
 * An answer for a model: one line per field and one per item of a list, with fewer signs than JSON. Nulls are left out, and a
 * value that could be mistaken for a line of its own is quoted.
 */
export const compactText = (answer: Readonly<Record<string, unknown>>): string => linesOf(answer, "").join("\n");

/** Replaces meaningful nulls by words. `nulls` names them by their path, without list indexes. */
export function nullsInWords(
  answer: Readonly<Record<string, unknown>>,
  nulls: Readonly<Record<string, string>> = {},
  way = "",
): Readonly<Record<string, unknown>> {
  const worded = (value: unknown, at: string): unknown => {
    if (value === null) return nulls[at] ?? null;
    if (Array.isArray(value)) return value.map((item: unknown) => worded(item, at));
    return isObject(value) ? nullsInWords(value as Record<string, unknown>, nulls, `${at}.`) : value;
  };
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, worded(value, `${way}${name}`)]));
}

function linesOf(answer: object, indent: string): string[] {
  return Object.entries(answer).flatMap(([name, value]: [string, unknown]) => {
    if (isMissing(value)) return [];
    if (Array.isArray(value)) return listOf(name, value, indent);
    if (isObject(value) && !isFlat(value)) return [`${indent}${name}:`, ...linesOf(value, `${indent}  `)];
    return [`${indent}${name}: ${inline(value)}`];
  });
}

function listOf(name: string, items: readonly unknown[], indent: string): string[] {
  if (items.length === 0 || !items.some(isObject)) return [`${indent}${name}: ${inline(items)}`];
  return [
    `${indent}${name}:`,
    ...items.flatMap((item) =>
      isObject(item) && !isFlat(item) ? nested(item, indent) : [`${indent}- ${inline(item)}`],
    ),
  ];
}

function nested(item: object, indent: string): string[] {
  const [first = "", ...rest] = linesOf(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

/** A value within a line. */
function inline(value: unknown): string {
  if (isMissing(value)) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(inline).join(", ");
  if (typeof value === "number") return String(rounded(value));
  if (!isObject(value)) return typeof value === "string" ? quoted(value) : JSON.stringify(value);
  const fields = Object.entries(value).filter(([, part]) => !isMissing(part));
  return fields.map(([name, part]) => `${name} ${inline(part)}`).join("; ");
}

/** More than three digits of an average help nobody. */
const rounded = (value: number): number =>
  Number.isInteger(value) ? value : Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));

const quoted = (text: string): string =>
  text === "" || /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** True if an object fits in one line: simple values, or lists of them. */
const isFlat = (value: object): boolean =>
  Object.values(value).every((part: unknown) => !isObject(part) || (Array.isArray(part) && !part.some(isObject)));
