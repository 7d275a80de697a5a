import type * as z from "zod";
import { ServiceError, cutText, nearestWord, type InputProblem } from "@reelscript/contract";
import type { UnreadInput } from "../ports.ts";
import { issueInWords } from "./issue-in-words.ts";
import { withoutNulls } from "./json-schema.ts";

/** A body long enough to be read off the main thread. */
export class UnreadBody {
  readonly unread: UnreadInput;

  constructor(unread: UnreadInput) {
    this.unread = unread;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses bytes as a JSON object; throws `invalidRequest` if they are anything else, or nested too deeply. */
export function readJsonObject(bytes: Uint8Array): Record<string, unknown> {
  refuseDeepNesting(bytes);
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

/** Combines a body's fields with input from elsewhere. Throws `invalidRequest`. */
export function joinInput(
  body: Uint8Array,
  beside: UnreadInput["beside"],
  misplaced: UnreadInput["misplaced"],
): Record<string, unknown> {
  const read = body.length === 0 ? {} : readJsonObject(body);
  for (const [field, place] of misplaced)
    if (Object.hasOwn(read, field))
      throw new ServiceError("invalidRequest", `\`${field}\` belongs in ${place}, not in the body.`);
  return { ...read, ...beside };
}

/** Parses `value` by `schema`; throws `invalidRequest` with a message that names each wrong field. */
export function readInput<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(withoutNulls(schema, value), { reportInput: true, error: issueInWords });
  if (result.success) return result.data;
  const all = withoutFollowing(result.error.issues).flatMap((issue) => problemsOf(issue, Object.keys(schema.shape)));
  const problems = all.slice(0, shownProblems);
  const more = all.length > problems.length ? ` And ${all.length - problems.length} more.` : "";
  throw new ServiceError("invalidRequest", `${problems.map(sentenceOf).join(" ")}${more}`, { problems });
}

/** For a value of the wrong kind, reports only its kind. A note about its length, for example, would mislead. */
function withoutFollowing(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const wrongKinds = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")));
  return issues.filter(({ code, path }) => code === "invalid_type" || !wrongKinds.has(path.join(".")));
}

const shownProblems = 10;
const shownCharacters = 60;

/** Error messages quote the input, so they could have any length. */
const shorten = (text: string): string => (text.length > shownCharacters ? `${cutText(text, shownCharacters)}…` : text);

/** Throws `invalidRequest` for a text with the character U+0000, which the database refuses, outside of the fields `names`. */
export function refuseZeros(input: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  for (const [field, value] of Object.entries(input)) {
    const zero = names.includes(field) ? undefined : zeroIn(value, [field]);
    if (zero !== undefined)
      throw new ServiceError("invalidRequest", `\`${nameOf(zero)}\`: must not contain the character U+0000.`);
  }
}

/** Finds the character U+0000, which the database refuses; undefined when there is none. */
function zeroIn(value: unknown, path: readonly (string | number)[]): readonly (string | number)[] | undefined {
  if (typeof value === "string") return value.includes("\0") ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const zero = zeroIn(part, [...path, key]);
    if (zero !== undefined) return zero;
  }
  return undefined;
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${shorten(String(part))}`))
    .join("");

/** One sentence with the field and the accepted values. */
function sentenceOf({ path, problem }: InputProblem): string {
  if (path.length === 0) return `The input: ${problem}.`;
  return `\`${nameOf(path)}\`${problem === missing ? "" : ":"} ${problem}${problem.endsWith("?") ? "" : "."}`;
}

const missing = "is missing";

/** `fields` are the names of the input's own fields. */
function problemsOf(issue: z.core.$ZodIssue, fields: readonly string[]): InputProblem[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : shorten(String(part))));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => {
      const nearest = path.length === 0 ? nearestWord(shorten(key), fields) : undefined;
      const problem = nearest === undefined ? "unknown field" : `unknown field; did you mean ${nearest}?`;
      return { path: [...path, shorten(key)], problem };
    });
  const isMissing = issue.code === "invalid_type" && issue.input === undefined && path.length > 0;
  return [{ path, problem: isMissing ? missing : issue.message }];
}

/** No input of ours is nested nearly as deeply. */
const deepest = 64;
const quote = 0x22;
const backslash = 0x5c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Throws `invalidRequest` for JSON whose lists and objects are nested too deeply, before it is parsed. Reads each byte once; in
 * UTF-8 these signs are never part of another character.
 */
export function refuseDeepNesting(bytes: Uint8Array): void {
  let depth = 0;
  let isInString = false;
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place]!;
    if (byte === quote) isInString = !isInString;
    else if (isInString) place += byte === backslash ? 1 : 0;
    else if (closing.has(byte)) depth -= 1;
    else if (opening.has(byte) && (depth += 1) > deepest)
      throw new ServiceError("invalidRequest", `The body is nested more than ${deepest} levels deep.`);
  }
}
