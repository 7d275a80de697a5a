import type { OperationName, ServiceError } from "@reelscript/contract";
import { readInput } from "../run/read-input.ts";
import { withoutAnyNulls } from "../run/json-schema.ts";
import type { Caller } from "../rules/caller.ts";
import { type OnProgress, patiences } from "../run/patience.ts";
import type { Run } from "../run/run.ts";
import type { Place } from "../run/places.ts";
import { compactText, nullsInWords } from "./compact-text.ts";
import { readTexts } from "./read-texts.ts";
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
  if ("error" in result) return { isError: true, content: [{ type: "text", text: errorText(result.error) }] };
  if (!("output" in result)) throw new Error(`${call.operation} isn't a tool: its answer isn't an object`);
  const structuredContent = { ...(shape.answer?.from(result.output, call.read) ?? result.output) };
  const text = shape.text?.(structuredContent, call.read) ?? compactText(nullsInWords(structuredContent, shape.nulls));
  return { content: [{ type: "text", text }], structuredContent };
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
