import * as z from "zod";
import type { OperationName, ServiceError } from "@reelscript/contract";
import { isRecord } from "@reelscript/contract/values";
import type { Caller } from "../rules/caller.ts";
import { readInput, unwrapped, withoutAnyNulls } from "../run/schemas.ts";
import { patiences, type OnProgress } from "../run/patience.ts";
import type { Place } from "../run/admission.ts";
import type { Run } from "../run/run.ts";
import { compactText, nullsInWords } from "./tools/compact-text.ts";
import type { PreparedTool } from "./tools.ts";

interface ToolResult {
  readonly content: [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  // The protocol library adds fields of its own to a result.
  readonly [field: string]: unknown;
}

interface ToolContext {
  readonly signal: AbortSignal;
  readonly place: Place | undefined;
  /** Present if the client accepts progress. */
  readonly onProgress: OnProgress | undefined;
}

/** Runs a tool for a caller. Every failure is a result that says what to do; never throws. */
export async function callTool(
  run: Run,
  prepared: PreparedTool,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  { signal, place, onProgress }: ToolContext,
): Promise<ToolResult> {
  const { shape } = prepared;
  const call = readCall(prepared, given);
  const { result } = await run.call(call.operation, call.receive, caller, {
    door: "mcp",
    signal,
    place,
    patience: onProgress ? { ...patiences.watchingTool, onProgress } : patiences.tool,
  });
  // The work continues, so a model that reads of an error would give up or start over.
  if ("error" in result && result.error.reason === "transcriptionRunning")
    return { content: [{ type: "text", text: errorText(result.error) }], structuredContent: {} };
  if ("error" in result) return { isError: true, content: [{ type: "text", text: errorText(result.error) }] };
  if (!("output" in result)) throw new Error(`${call.operation} isn't a tool: its answer isn't an object`);
  const structuredContent = withoutTails({ ...(shape.answer?.from(result.output, call.read) ?? result.output) });
  const text = shape.text?.(structuredContent, call.read) ?? compactText(nullsInWords(structuredContent, shape.nulls));
  return { content: [{ type: "text", text }], structuredContent };
}

/** A number that needs all of its digits, such as two thirds, keeps them. */
function withoutTail(given: number): number {
  const short = Number(given.toPrecision(12));
  return String(short).length < 12 ? short : given;
}

/** Replaces numbers such as 22.400000000000002 by those that were meant. */
function withoutTails<Value>(value: Value): Value {
  const plain = (part: unknown): unknown => {
    if (typeof part === "number") return withoutTail(part);
    if (Array.isArray(part)) return part.map(plain);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plain(inner)]));
  };
  return plain(value) as Value; // safe: only numbers change, into numbers
}

interface ReadCall {
  readonly operation: OperationName;
  /** The input, parsed by the tool's schema; empty when it was refused. */
  readonly read: object;
  /** Returns the operation's input. Throws the refusal of the tool's schema, once the call is admitted. */
  readonly receive: () => unknown;
}

/**
 * Parses the input by the tool's schema, and chooses the operation by the parsed input. A refused input counts as a call of the
 * tool's own operation.
 */
function readCall({ operationName, input: schema, shape }: PreparedTool, given: unknown): ReadCall {
  try {
    // Hosts with strict function calling send null for every field that their model leaves out.
    const read = readInput(schema, withoutAnyNulls(readTexts(schema, given)));
    const { operation, input } = shape.call?.(read) ?? { operation: operationName, input: read };
    return { operation, read, receive: () => input };
  } catch (error) {
    const receive = (): never => {
      throw error;
    };
    return { operation: operationName, read: {}, receive };
  }
}

const errorText = ({ code, message }: ServiceError): string => `[${code}] ${message}`;

/**
 * Some hosts write every argument as text, even null. Where the schema accepts a list, an object, a number or a boolean but no
 * text, this parses the text as JSON. Text that doesn't parse to such a value stays, and the schema refuses it.
 */
function readTexts(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return readChoice(inner.options, value);
  if (inner instanceof z.ZodArray) {
    const list = readText(value, Array.isArray);
    return Array.isArray(list) ? list.map((item: unknown) => readTexts(inner.element, item)) : list;
  }
  if (inner instanceof z.ZodObject) {
    const object = readText(value, isRecord);
    return isRecord(object) ? readFields(inner.shape, object) : object;
  }
  if (inner instanceof z.ZodNumber) return readText(value, (read) => typeof read === "number");
  if (inner instanceof z.ZodBoolean) return readText(value, (read) => typeof read === "boolean");
  if (inner instanceof z.ZodLiteral && !inner.values.has(value as z.core.util.Literal))
    return readText(value, (read) => inner.values.has(read as z.core.util.Literal));
  return value;
}

/** A text that equals one of the choices stays a text. */
function readChoice(choices: readonly z.core.$ZodType[], value: unknown): unknown {
  const takes = (one: unknown): boolean => choices.some((choice) => z.safeParse(choice, one).success);
  if (takes(value)) return value;
  return choices.map((choice) => readTexts(choice, value)).find(takes) ?? value;
}

function readFields(shape: Readonly<Record<string, z.core.$ZodType>>, fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, part]) => {
      const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
      return [field, schema === undefined ? part : readTexts(schema, part)];
    }),
  );
}

function readText(value: unknown, isWanted: (read: unknown) => boolean): unknown {
  if (typeof value !== "string") return value;
  try {
    const read: unknown = JSON.parse(value);
    return read === null || isWanted(read) ? read : value;
  } catch {
    return value;
  }
}
