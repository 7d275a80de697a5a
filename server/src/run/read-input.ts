import { ServiceError } from "@reelscript/contract";
import type * as z from "zod";
import { issueInWords } from "./issue-in-words.ts";
import { withoutNulls } from "./without-nulls.ts";

/** Reads `value` by `schema`; throws `invalidRequest` with a message that names each wrong field. */
export function readInput<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(withoutNulls(schema, value), { reportInput: true, error: issueInWords });
  if (result.success) return result.data;
  const { issues } = result.error;
  const more = issues.length > shownIssues ? ` And ${issues.length - shownIssues} more.` : "";
  throw new ServiceError(
    "invalidRequest",
    `${issues
      .slice(0, shownIssues)
      .map((issue) => describeIssue(issue))
      .join(" ")}${more}`,
  );
}

const shownIssues = 10;
const shownNames = 5;
const shownCharacters = 60;

/** What a stranger wrote may be of any length. */
const shorten = (text: string): string => (text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text);

/** Throws `invalidRequest` for a text with the character U+0000, which the database refuses, outside of the fields `names`. */
export function refuseZeros(input: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  for (const [field, value] of Object.entries(input)) {
    const zero = names.includes(field) ? undefined : zeroIn(value, [field]);
    if (zero !== undefined)
      throw new ServiceError("invalidRequest", `\`${nameOf(zero)}\`: must not contain the character U+0000.`);
  }
}

/** Where the character U+0000 is, which the database refuses; undefined when it is nowhere. */
function zeroIn(value: unknown, path: readonly (string | number)[]): readonly (string | number)[] | undefined {
  if (typeof value === "string") return value.includes("\0") ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const found = zeroIn(part, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${shorten(String(part))}`))
    .join("");

/** One sentence that names the field and says what is accepted. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const field = nameOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys
      .slice(0, shownNames)
      .map((key) => `\`${shorten(key)}\``)
      .join(", ");
    const more = issue.keys.length > shownNames ? ` and ${issue.keys.length - shownNames} more` : "";
    return `${names}${more}: unknown ${issue.keys.length === 1 ? "field" : "fields"}${field ? ` in \`${field}\`` : ""}.`;
  }
  if (issue.code === "invalid_type" && issue.input === undefined && field) return `\`${field}\` is missing.`;
  return field ? `\`${field}\`: ${issue.message}.` : `The input: ${issue.message}.`;
}
