import type { ServiceError } from "@reelscript/contract";
import { readInput } from "../run/read-input.ts";
import type { Caller } from "../caller.ts";
import type { CallContext, Run } from "../run/run.ts";
import { compactText } from "./compact-text.ts";
import type { PreparedTool } from "./tools.ts";

/** Within what clients and proxies commonly wait for an answer. */
const waitSeconds = 50;

type ToolResult = {
  readonly content: [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** Runs a tool for a caller. Every failure is a result that says what to do; never throws. */
export async function callTool(
  run: Run,
  { operationName, input: schema, tool: { toInput, answer } }: PreparedTool,
  input: unknown,
  caller: Caller,
  context: Omit<CallContext, "door" | "waitSeconds">,
): Promise<ToolResult> {
  let read: Record<string, unknown> = {};
  const receive = (): unknown => {
    read = readInput(schema, input ?? {});
    return toInput?.(read) ?? read;
  };
  const { result } = await run.call(operationName, receive, caller, { ...context, door: "mcp", waitSeconds });
  if ("error" in result) return { isError: true, content: [{ type: "text", text: errorText(result.error) }] };
  const structuredContent = { ...(answer?.from(result.output, read) ?? result.output) };
  return {
    content: [{ type: "text", text: answer?.text?.(structuredContent) ?? compactText(structuredContent) }],
    structuredContent,
  };
}

const errorText = ({ code, message }: ServiceError): string => `[${code}] ${message}`;
