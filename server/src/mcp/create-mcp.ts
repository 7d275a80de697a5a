import type { IncomingMessage, ServerResponse } from "node:http";
import { hostHeaderValidation, originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer, type AuthInfo, type McpRequestContext } from "@modelcontextprotocol/server";
import { ServiceError } from "@reelscript/contract";
import type { Authenticate } from "../authenticate.ts";
import { envelopeOf, errorHeaders } from "../error-response.ts";
import { readInput } from "../read-input.ts";
import type { Caller, Run } from "../run.ts";
import { annotationsOf, preparedTools, type PreparedTool } from "./tools.ts";

const waitSeconds = 50;
const cacheHints = { ttlMs: 3_600_000, cacheScope: "public" } as const;
const instructions =
  "Reelscript transcribes the speech of public reels and keeps them in a searchable library. transcribe_reel turns one reel into text; search_my_scripts and list_my_scripts read the library; get_my_usage says what is left of the quota; get_product_overview, get_plans and find_guide need no key.";

interface Needs {
  readonly run: Run;
  readonly authenticate: Authenticate;
  /** Host names under which the service may be addressed, for requests that come from a browser. */
  readonly hostnames: readonly string[];
  readonly closing: AbortSignal;
  readonly onFault: (error: unknown, where: string) => void;
  /** Told of requests that are no protocol messages: mistakes of clients, not of ours. */
  readonly onNotice: (error: unknown, where: string) => void;
}

export interface Mcp {
  /** Answers one HTTP request whole. `address` is the client's. */
  handle(request: IncomingMessage & { auth?: AuthInfo }, response: ServerResponse, address: string): Promise<void>;
  close(): Promise<void>;
}

/** The MCP door: a stateless server per request that offers every tool of the contract. */
export function createMcp(needs: Needs): Mcp {
  const { authenticate, onFault } = needs;
  const build = (context: McpRequestContext): McpServer => buildServer(needs, callerOf(context.authInfo));
  const options = { onerror: (error: Error) => needs.onNotice(error, "mcp"), maxRequestBodySize: 256 * 1_024 };
  const handler = createMcpHandler(build, options);
  // A stream from the first byte keeps proxies from giving up on a call that takes long.
  const streaming = createMcpHandler(build, { ...options, responseMode: "sse" });
  const answer = toNodeHandler(handler);
  const answerStreaming = toNodeHandler(streaming);
  const hostAllowed = hostHeaderValidation([...needs.hostnames]);
  const originAllowed = originValidation([...needs.hostnames]);

  function masked(error: unknown): ServiceError {
    onFault(error, "mcp");
    return new ServiceError(
      "internalError",
      "Something broke on our side. Try again; if it stays, report the request id.",
    );
  }

  return {
    async handle(request, response, address) {
      if (!hostAllowed(request, response) || !originAllowed(request, response)) return;
      let caller: Caller;
      try {
        caller = await authenticate(request.headers.authorization, address);
      } catch (error) {
        answerError(response, error instanceof ServiceError ? error : masked(error));
        return;
      }
      request.auth = { token: "", clientId: "", scopes: [], extra: { caller } };
      const long = request.headers["mcp-name"] === "transcribe_reel";
      await (long ? answerStreaming : answer)(request, response);
    },
    async close() {
      await Promise.all([handler.close(), streaming.close()]);
    },
  };
}

function answerError(response: ServerResponse, error: ServiceError): void {
  response.writeHead(error.status, { "content-type": "application/json; charset=utf-8", ...errorHeaders(error) });
  response.end(JSON.stringify(envelopeOf(error)));
}

const callerOf = (auth: AuthInfo | undefined): Caller => {
  const caller = auth?.extra?.caller as Caller | undefined;
  if (caller === undefined) throw new Error("a request reached the tools without a caller");
  return caller;
};

function buildServer({ run, closing }: Needs, caller: Caller): McpServer {
  const server = new McpServer(
    { name: "reelscript", title: "Reelscript", version: "1.0.0" },
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { "tools/list": cacheHints, "server/discover": cacheHints },
    },
  );
  for (const prepared of preparedTools) {
    const { tool, inputSchema, outputSchema } = prepared;
    const { name, title, description } = tool;
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations: annotationsOf(tool) },
      async (input, context) => {
        const { signal, _meta, notify } = context.mcpReq;
        const onProgress = progressNotifier(_meta?.progressToken, notify);
        return callTool(run, prepared, input, caller, {
          signal: AbortSignal.any([signal, closing]),
          waitSeconds,
          onProgress,
        });
      },
    );
  }
  return server;
}

async function callTool(
  run: Run,
  { operationName, input: schema, tool: { toInput } }: PreparedTool,
  input: unknown,
  caller: Caller,
  context: Parameters<Run["call"]>[3],
) {
  const receive = (): unknown => {
    const read = readInput(schema, input ?? {});
    return toInput?.(read) ?? read;
  };
  const { result } = await run.call(operationName, receive, caller, context);
  if ("error" in result) return { isError: true, content: [{ type: "text" as const, text: errorText(result.error) }] };
  return {
    content: [{ type: "text" as const, text: JSON.stringify(result.output) }],
    structuredContent: result.output,
  };
}

const errorText = ({ code, message }: ServiceError): string => `[${code}] ${message}`;

type Notify = (notification: {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
}) => Promise<void>;

/** Progress must rise with every notification, also while nothing happens. */
function progressNotifier(progressToken: string | number | undefined, notify: Notify) {
  if (progressToken === undefined) return undefined;
  let last = -1;
  return ({ done, message }: { done: number; message: string }): void => {
    const progress = Math.max(Math.round(done * 1_000) / 10, last + 0.1);
    if (progress >= 100) return;
    last = progress;
    void notify({ method: "notifications/progress", params: { progressToken, progress, total: 100, message } }).catch(
      () => undefined,
    );
  };
}
