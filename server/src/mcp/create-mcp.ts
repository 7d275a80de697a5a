import type { IncomingMessage, ServerResponse } from "node:http";
import { hostHeaderValidation, originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type AuthInfo, type McpRequestContext, type McpServer } from "@modelcontextprotocol/server";
import { operations, ServiceError } from "@reelscript/contract";
import type { Authenticate } from "../callers/authenticate.ts";
import { envelopeOf, errorHeaders, internalError } from "../run/error-response.ts";
import type { Caller } from "../caller.ts";
import type { Run } from "../run/run.ts";
import { buildServer } from "./build-server.ts";
import { noBody, readRequest, replay } from "./request-body.ts";
import { messagesIn, refuseLongNames } from "./refuse-long-names.ts";
import { toolsByName } from "./tools.ts";

const maxBodyBytes = 256 * 1_024;
const mostMessages = 10;

interface CreateMcpNeeds {
  readonly run: Run;
  readonly authenticate: Authenticate;
  /** Host names under which the service may be addressed, for requests that come from a browser. */
  readonly hostnames: readonly string[];
  /** Further origins whose pages may call. */
  readonly origins?: readonly string[] | undefined;
  readonly closing: AbortSignal;
  readonly onFault: (error: unknown, where: string) => void;
  /** Told of requests that are no protocol messages: mistakes of clients, not of ours. */
  readonly onNotice: (error: unknown, where: string) => void;
}

export interface Mcp {
  /** Answers one HTTP request whole. `address` is the client's. */
  handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void>;
  close(): Promise<void>;
}

/** The MCP door: stateless, with every tool of the contract. */
export function createMcp(needs: CreateMcpNeeds): Mcp {
  const { run, authenticate, closing, onFault } = needs;
  const build = ({ authInfo }: McpRequestContext): McpServer =>
    buildServer({ run, closing, caller: callerOf(authInfo) });
  const options = { onerror: (error: Error) => needs.onNotice(error, "mcp"), maxRequestBodySize: maxBodyBytes };
  const handler = createMcpHandler(build, options);
  // A stream from the first byte keeps proxies from giving up on a call that takes long.
  const streaming = createMcpHandler(build, { ...options, responseMode: "sse" });
  const answer = toNodeHandler(handler);
  const answerStreaming = toNodeHandler(streaming);
  const hostAllowed = hostHeaderValidation([...needs.hostnames]);
  const hostnameAllowed = originValidation([...needs.hostnames]);
  const originAllowed = (request: IncomingMessage, response: ServerResponse): boolean =>
    needs.origins?.includes(request.headers.origin ?? "") === true || hostnameAllowed(request, response);

  /** Calls of tools are counted where they run. Without a key, whatever else is asked counts too. */
  async function admit(caller: Caller, { method, headers }: IncomingMessage, bytes: Buffer): Promise<void> {
    const messages = messagesIn(bytes);
    if (messages.length > mostMessages)
      throw new ServiceError("invalidRequest", `A batch has at most ${mostMessages} messages.`);
    refuseLongNames(headers, messages);
    if (caller.kind !== "anonymous" || method !== "POST") return;
    const others = messages.filter(({ method: asked }) => asked !== "tools/call").length;
    for (let left = messages.length === 0 ? 1 : others; left > 0; left -= 1)
      await run.admit(operations.getPlans, caller);
  }

  async function handleAs(caller: Caller, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = request.method === "POST" ? await readRequest(request, maxBodyBytes).catch(() => undefined) : noBody;
    if (read === undefined) {
      // The client broke off: nobody is there to be answered.
      response.destroy();
      return;
    }
    const { bytes, isWhole } = read;
    if (!isWhole) response.setHeader("connection", "close");
    if (isWhole) await admit(caller, request, bytes);
    const name = request.headers["mcp-name"];
    const mayTakeLong = typeof name === "string" && toolsByName.get(name)?.mayTakeLong === true;
    await (mayTakeLong ? answerStreaming : answer)(replay(request, read, authOf(caller)), response);
  }

  return {
    async handle(request, response, address) {
      if (!hostAllowed(request, response) || !originAllowed(request, response)) return;
      try {
        const caller = await authenticate(request.headers.authorization, address);
        await handleAs(caller, request, response);
      } catch (error) {
        if (!(error instanceof ServiceError)) onFault(error, "mcp");
        answerError(response, error instanceof ServiceError ? error : internalError(error));
      }
    },
    async close() {
      await Promise.all([handler.close(), streaming.close()]);
    },
  };
}

function answerError(response: ServerResponse, error: ServiceError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(error.status, {
    "content-type": "application/json; charset=utf-8",
    ...(error.reason !== undefined && { "x-error-reason": error.reason }),
    ...errorHeaders(error),
  });
  response.end(JSON.stringify(envelopeOf(error)));
}

/** Carries the caller through the protocol library. */
const authOf = (caller: Caller): AuthInfo => ({ token: "", clientId: "", scopes: [], extra: { caller } });

const callerOf = (auth: AuthInfo | undefined): Caller => {
  const caller = auth?.extra?.caller as Caller | undefined;
  if (caller === undefined) throw new Error("a request reached the tools without a caller");
  return caller;
};
