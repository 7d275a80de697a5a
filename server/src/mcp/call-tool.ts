import type { OperationName, ServiceError } from "@reelscript/contract";
import { readInput } from "../run/read-input.ts";
import { withoutAnyNulls } from "../run/json-schema.ts";
import type { Caller } from "../caller.ts";
import type { Run } from "../run/run.ts";
import type { CallContext } from "../run/handler.ts";
import { compactText } from "./compact-text.ts";
import type { PreparedTool } from "./tools.ts";

/** Within what clients and proxies commonly wait for an answer. */
const waitSeconds = 50;
/** Of a call that repeats one whose work still runs, by a client that sees its progress. */
const repeatWaitSeconds = 240;

type ToolResult = {
  readonly content: [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** Runs a tool for a caller. Every failure is a result that says what to do; never throws. */
export async function callTool(
  run: Run,
  { operationName, input: schema, tool: { operationFor, toInput, answer } }: PreparedTool,
  input: Readonly<Record<string, unknown>>,
  caller: Caller,
  context: Omit<CallContext, "door" | "waitSeconds" | "repeatWaitSeconds">,
): Promise<ToolResult> {
  let read: Record<string, unknown> = {};
  // Hosts with strict function calling write null for every field that their model leaves out.
  const given = withoutAnyNulls(input) as Readonly<Record<string, unknown>>;
  const receive = (): unknown => {
    read = readInput(schema, given);
    return toInput?.(read) ?? read;
  };
  const name = (operationFor?.(given) as OperationName | undefined) ?? operationName; // safe: a test calls every such tool
  const { result } = await run.call(name, receive, caller, {
    ...context,
    door: "mcp",
    waitSeconds,
    repeatWaitSeconds: context.onProgress ? repeatWaitSeconds : waitSeconds,
  });
  if ("error" in result) return { isError: true, content: [{ type: "text", text: errorText(result.error) }] };
  const structuredContent = { ...(answer?.from(result.output, read) ?? result.output) };
  return {
    content: [{ type: "text", text: answer?.text?.(structuredContent) ?? compactText(structuredContent) }],
    structuredContent,
  };
}

const errorText = ({ code, message }: ServiceError): string => `[${code}] ${message}`;
