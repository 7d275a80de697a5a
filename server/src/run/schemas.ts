import * as z from "zod";
import { createHash } from "node:crypto";
import {
  ServiceError,
  allOperations,
  cutText,
  fieldsInPath,
  nearestWord,
  type AnyOperationName,
  type InputProblem,
  type Operation,
} from "@reelscript/contract";
import type { CheckedInput, PackedJson, UnreadInput } from "../ports.ts";
import { issueInWords } from "./issue-in-words.ts";

/** A body long enough to be read off the main thread. */
export class UnreadBody {
  readonly unread: UnreadInput;

  constructor(unread: UnreadInput) {
    this.unread = unread;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses bytes as a JSON object; throws `invalidRequest` if they are anything else, or nested too deeply. */
export function readJsonObject(bytes: Uint8Array): Record<string, unknown> {
  refuseDeepNesting(bytes);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
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
  for (const [field, location] of misplaced)
    if (Object.hasOwn(read, field))
      throw new ServiceError("invalidRequest", `\`${field}\` belongs in ${location}, not in the body.`);
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
function refuseZeros(input: Readonly<Record<string, unknown>>, names: readonly string[]): void {
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
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === quote) isInString = !isInString;
    else if (isInString) index += byte === backslash ? 1 : 0;
    else if (closing.has(byte)) depth -= 1;
    else if (opening.has(byte) && (depth += 1) > deepest)
      throw new ServiceError("invalidRequest", `The body is nested more than ${deepest} levels deep.`);
  }
}

/**
 * Drops null fields where the schema only knows them as optional: programs and agents write both for the same. Null stays
 * where it has a meaning of its own.
 */
function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item: unknown) => withoutNulls(inner.element, item));
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  if (!Object.values(value).some((part) => typeof part === "object")) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, part]): [string, unknown][] => {
      const fieldSchema = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (fieldSchema === undefined) return [[field, part]];
      if (part === null && takes(fieldSchema, undefined) && !takes(fieldSchema, null)) return [];
      return [[field, withoutNulls(fieldSchema, part)]];
    }),
  );
}

/** Drops every null field, as deep as inputs are. */
export function withoutAnyNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((part: unknown) => withoutAnyNulls(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, part]) =>
      part === null ? [] : [[field, withoutAnyNulls(part, depth + 1)]],
    ),
  );
}

/** The schema inside the wrappers that make a value optional or nullable, or give it a default. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wrapped ? unwrapped(schema.def.innerType) : schema;
}

const takes = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

/**
 * Fields whose length is that of a long body, and that only a long job reads: handlers get them packed, so that the main thread
 * has bytes to pass on and no objects.
 */
const packedFields = { importReport: "reels" } as const;

export type PackedFields = typeof packedFields;

const packedFieldOf = new Map<string, string>(Object.entries(packedFields));

const pathFieldsOf = new Map<string, readonly string[]>(
  Object.entries(allOperations).map(([name, { http }]) => [name, fieldsInPath(http.path)]),
);

/** Reads an operation's input, with its digest if it is wanted. Throws `invalidRequest`. */
export function checkInput(name: AnyOperationName, given: unknown, wantsDigest: boolean): CheckedInput {
  const operation: Operation = allOperations[name];
  const input = readInput(operation.input, given);
  // Public operations don't query the database. Elsewhere a path field with U+0000 is simply not found.
  if (operation.access !== "public") refuseZeros(input, pathFieldsOf.get(name) ?? []);
  const field = packedFieldOf.get(name);
  return {
    input: field === undefined ? input : { ...input, [field]: pack(input[field]) },
    digest: wantsDigest ? digestOf(name, input) : undefined,
  };
}

/** Describes the parsed input, so that another spelling of the same request makes no difference. */
const digestOf = (name: AnyOperationName, input: Record<string, unknown>): Uint8Array =>
  createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest();

/** Packs a field as `checkInput` does. */
export const pack = (value: unknown): PackedJson => encoder.encode(JSON.stringify(value));

/** Reads what `checkInput` packed. */
export const unpack = (packed: PackedJson): unknown => JSON.parse(decoder.decode(packed));

/**
 * An answer before `writeOutput` has written it. Where the contract promises text, a handler may return a `Date`, which is
 * written in UTC; lists and objects may be read-only. Field names, numbers and enumerations are the contract's. For `{
 * createdAt: string; plan: "free" | "hobby"; ids: string[] }`, a handler may return `{ createdAt: new Date(0), plan: "free",
 * ids }`, and callers get "1970-01-01T00:00:00.000Z". Only the schema knows which texts are dates: the compiler accepts a
 * `Date` for an id, too.
 */
export type Unwritten<Value> = Value extends readonly (infer Item)[]
  ? readonly Unwritten<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Unwritten<Value[Field]> }
    : string extends Value
      ? Value | Date
      : Value;

/** An answer as its operation describes it: dates become text, and undeclared fields are left out. */
export const writeOutput = <Output extends z.ZodType>(
  { output }: { readonly output: Output },
  answer: unknown,
): z.output<Output> => output.parse(withoutDates(answer));

function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withoutDates);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, withoutDates(part)]));
}

export type Json = Record<string, unknown>;

/** A schema as JSON Schema 2020-12; named parts stay references into `$defs`. Output objects are open, so that fields may be added. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (io === "output") delete jsonSchema.additionalProperties;
      // The format says the same in fewer characters, and in a way that people read.
      if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
      if (jsonSchema.type === "integer") dropSafeIntegerBounds(jsonSchema);
    },
  }) as Json;
  return json;
}

/** Omits the bounds of safe integers, which tell a reader nothing. */
function dropSafeIntegerBounds(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Writes every named part out in place, for readers that don't follow references. */
export function inlineSchema(schema: Json): Json {
  const { $defs = {}, ...root } = schema as Json & { $defs?: Record<string, Json> };
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as Json;
    const definition = typeof $ref === "string" ? $defs[$ref.slice("#/$defs/".length)] : undefined;
    const merged = { ...(definition && withoutId(definition)), ...rest };
    return Object.fromEntries(Object.entries(merged).map(([key, part]) => [key, inline(part)]));
  };
  return inline(withoutId(root)) as Json;
}

export function withoutId(schema: Json): Json {
  const { id: _id, ...rest } = schema;
  return rest;
}
