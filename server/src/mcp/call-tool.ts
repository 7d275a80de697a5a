import type { ServiceError } from "@reelscript/contract";
import { readInput } from "../read-input.ts";
import type { Caller } from "../caller.ts";
import type { CallContext, Run } from "../run.ts";
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
  { operationName, input: schema, tool: { toInput } }: PreparedTool,
  input: unknown,
  caller: Caller,
  context: Omit<CallContext, "door" | "waitSeconds">,
): Promise<ToolResult> {
  const receive = (): unknown => {
    const read = readInput(schema, input ?? {});
    return toInput?.(read) ?? read;
  };
  const { result } = await run.call(operationName, receive, caller, { ...context, door: "mcp", waitSeconds });
  if ("error" in result) return { isError: true, content: [{ type: "text", text: errorText(result.error) }] };
  return {
    content: [{ type: "text", text: JSON.stringify(result.output) }],
    structuredContent: result.output,
  };
}

const errorText = ({ code, message }: ServiceError): string => `[${code}] ${message}`;
