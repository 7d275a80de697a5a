import type { IncomingMessage, ServerResponse } from "node:http";
import {
  hostHeaderValidation,
  originValidation,
  toNodeHandler,
  type FetchLikeMcpHandler,
  type NodeIncomingMessageLike,
} from "@modelcontextprotocol/node";
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
  type AuthInfo,
  type LegacyHttpHandler,
  type McpRequestContext,
  type McpServer,
} from "@modelcontextprotocol/server";
import { ServiceError, cutText, operations, type Operation } from "@reelscript/contract";
import type { Authenticate } from "../callers/authenticate.ts";
import type { Caller } from "../rules/caller.ts";
import type { CountCalls } from "../rules/count-calls.ts";
import { createWhileOpen, goneWith, subjectOf, type Place } from "../run/admission.ts";
import { envelopeOf, errorHeaders, internalError } from "../run/error-response.ts";
import { doorSeconds } from "../run/patience.ts";
import type { Run } from "../run/run.ts";
import { refuseDeepNesting } from "../run/schemas.ts";
import { buildServer } from "./build-server.ts";
import { objectIn, readMessages, withPlainArguments } from "./read-messages.ts";
import { toolsByName } from "./tools.ts";

const maxBodyBytes = 256 * 1_024;

interface CreateMcpNeeds {
  readonly run: Run;
  readonly authenticate: Authenticate;
  /** Counts a message of a caller, separately from calls. */
  readonly countMessage: CountCalls;
  /** Host names at which browsers may address the service. */
  readonly hostnames: readonly string[];
  /** Additional origins whose pages may call. */
  readonly origins?: readonly string[] | undefined;
  /** URL of the metadata from which programs learn how people connect them. */
  readonly resourceMetadata: () => string;
  /** The address that users see; known only after listening. */
  readonly baseUrl: () => string;
  readonly closing: AbortSignal;
  readonly languageSentence: string;
  readonly onFault: (error: unknown, where: string) => void;
  /** Receives requests that aren't protocol messages, which are mistakes of clients, not ours. */
  readonly onNotice: (error: unknown, where: string) => void;
}

interface Mcp {
  /** Answers one HTTP request whole. `address` is the client's. */
  handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void>;
  close(): Promise<void>;
}

/** The MCP door: stateless, with every tool of the contract. */
export function createMcp(needs: CreateMcpNeeds): Mcp {
  const { run, authenticate, countMessage, languageSentence, onFault } = needs;
  const whileOpen = createWhileOpen(needs.closing);
  const build = ({ authInfo }: McpRequestContext): McpServer =>
    buildServer({ baseUrl: needs.baseUrl(), run, whileOpen, languageSentence, ...throughLibrary(authInfo) });
  const options = { onerror: (error: Error) => needs.onNotice(error, "mcp"), maxRequestBodySize: maxBodyBytes };
  const handler = createMcpHandler(build, options);
  // A stream from the first byte keeps proxies from giving up on a long call.
  const streaming = createMcpHandler(build, { ...options, responseMode: "sse" });
  const answer = toNodeHandler(leavingPlace(handler));
  const answerWhole = toNodeHandler(leavingPlace({ fetch: answerWithoutStream(build, handler.fetch, options) }));
  const answerStreaming = toNodeHandler(leavingPlace(streaming));
  const hostAllowed = hostHeaderValidation([...needs.hostnames]);
  const hostnameAllowed = originValidation([...needs.hostnames]);
  const originAllowed = (request: IncomingMessage, response: ServerResponse): boolean =>
    needs.origins?.includes(request.headers.origin ?? "") === true || hostnameAllowed(request, response);

  /**
   * Tool calls are counted where they run. The first message was counted before the body was read. A tool that needs a key is
   * refused here, as a request: programs look for a sign-in when they get 401, and never when a tool answers with an error.
   */
  async function admit(
    { caller, offered }: Pick<Carried, "caller" | "offered">,
    { headers }: IncomingMessage,
    bytes: Buffer,
  ): Promise<void> {
    const messages = readMessages(headers, bytes);
    for (let more = messages.length - 1; more > 0; more -= 1) await countMessage(subjectOf(caller));
    if (caller.kind !== "anonymous") return;
    for (const message of messages) {
      const tool = namesTool(message, offered) ? toolsByName.get(nameIn(message)) : undefined;
      const operation: Operation | undefined = tool && operations[tool.operationName];
      if (operation !== undefined && operation.access !== "public") await run.admit(operation, caller);
    }
  }

  async function handleAs(
    caller: Caller,
    place: Place,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    await countMessage(subjectOf(caller));
    const read =
      request.method === "POST"
        ? await place.whileWaiting(() => readRequest(request, maxBodyBytes)).catch(() => undefined)
        : noBody;
    if (read === undefined) {
      // The client disconnected, so there is nobody to answer.
      response.destroy();
      return;
    }
    const { isWhole } = read;
    if (isWhole) refuseDeepNesting(read.bytes);
    const bytes = isWhole ? withPlainArguments(read.bytes) : read.bytes;
    const offered = offeredBy(request.url);
    if (!isWhole) response.setHeader("connection", "close");
    if (isWhole) await admit({ caller, offered }, request, bytes);
    const forms = acceptedForms(request.headers.accept);
    const carried = { caller, offered, takesStream: forms.takesStream, takePlace: givenOnce(place) };
    await answerIn(forms, request)(replay(request, { bytes, isWhole }, authOf(carried)), response);
  }

  /** Responds in the form that the client accepts; if it accepts both, uses a stream for calls that may take long. */
  function answerIn({ takesJson, takesStream }: AcceptedForms, { headers }: IncomingMessage): typeof answer {
    if (!takesStream) return answerWhole;
    if (!takesJson) return answerStreaming;
    const name = headers["mcp-name"];
    return typeof name === "string" && toolsByName.get(name)?.mayTakeLong === true ? answerStreaming : answer;
  }

  return {
    async handle(request, response, address) {
      if (!hostAllowed(request, response) || !originAllowed(request, response)) return;
      try {
        const caller = await authenticate({ headers: request.headers, ip: address });
        if (caller.kind === "anonymous" && asksToSignIn(request.url)) await run.admit(undefined, caller);
        const wait = { signal: goneWith(response).signal, waitSeconds: doorSeconds.mcp };
        await run.within(caller, wait, (place) => handleAs(caller, place, request, response));
      } catch (error) {
        if (!(error instanceof ServiceError)) onFault(error, "mcp");
        const serviceError = error instanceof ServiceError ? error : internalError(error);
        answerError(response, serviceError, challengeOf(request, needs.resourceMetadata()));
      }
    },
    async close() {
      await Promise.all([handler.close(), streaming.close()]);
    },
  };
}

/** Tells a program where people connect it. */
const challengeOf = ({ headers }: IncomingMessage, metadata: string): string =>
  `Bearer realm="reelscript"${headers.authorization === undefined ? "" : ', error="invalid_token"'}, scope="read full", resource_metadata="${metadata}"`;

/** Some programs look for a sign-in only when their first request is refused. */
const asksToSignIn = (url = ""): boolean => new URL(url, "http://localhost").searchParams.get("auth") === "required";

function answerError(response: ServerResponse, error: ServiceError, challenge: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(error.status, {
    "content-type": "application/json; charset=utf-8",
    ...(error.reason !== undefined && { "x-error-reason": error.reason }),
    ...errorHeaders(error),
    ...(error.code === "unauthorized" && { "www-authenticate": challenge }),
  });
  response.end(JSON.stringify(envelopeOf(error)));
}

/** The tools that the address requests; `undefined` for all. Throws `invalidRequest` for an unknown name. */
function offeredBy(url = ""): ReadonlySet<string> | undefined {
  const toolList = new URL(url, "http://localhost").searchParams.get("tools");
  if (toolList === null) return undefined;
  const names = new Set(toolList.split(",", toolsByName.size + 1).map((name) => name.trim()));
  for (const name of names)
    if (!toolsByName.has(name))
      throw new ServiceError(
        "invalidRequest",
        `There is no tool named "${cutText(name, 60)}". Use ?tools= with some of these: ${[...toolsByName.keys()].join(", ")}.`,
      );
  return names;
}

/** True if a message calls one of the tools. */
const namesTool = (message: Record<string, unknown>, offered: Carried["offered"]): boolean =>
  message.method === "tools/call" && (offered ?? toolsByName).has(nameIn(message));

function nameIn({ params }: Record<string, unknown>): string {
  const { name } = objectIn(params);
  return typeof name === "string" ? name : "";
}

interface Carried {
  readonly caller: Caller;
  readonly offered: ReadonlySet<string> | undefined;
  /** True if progress can reach the client. */
  readonly takesStream: boolean;
  /** The place of the request, for the first tool that it calls; other tools take their own places. */
  readonly takePlace: () => Place | undefined;
}

/** Nobody works twice in one place. */
function givenOnce(place: Place): () => Place | undefined {
  let left: Place | undefined = place;
  return () => {
    const taken = left;
    left = undefined;
    return taken;
  };
}

/**
 * Releases the place of a request as soon as its answer begins, unless a tool has taken it, because clients may read slowly.
 * The server decides whether the connection is kept.
 */
const leavingPlace = (handler: FetchLikeMcpHandler): FetchLikeMcpHandler => ({
  async fetch(request, options) {
    try {
      const response = await handler.fetch(request, options);
      // The library keeps every connection of a stream, even if the client or a stopping service closes it.
      response.headers.delete("connection");
      return response;
    } finally {
      throughLibrary(options?.authInfo).takePlace()?.leave();
    }
  },
});

/** Carries the caller through the protocol library. */
const authOf = (carried: Carried): AuthInfo => ({ token: "", clientId: "", scopes: [], extra: { carried } });

const throughLibrary = (auth: AuthInfo | undefined): Carried => {
  const carried = auth?.extra?.carried as Carried | undefined;
  if (carried === undefined) throw new Error("a request reached the tools without a caller");
  return carried;
};

interface ReadRequest {
  /** The whole body, or, if it exceeds the limit, its beginning, which also exceeds it. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

const noBody: ReadRequest = { bytes: Buffer.alloc(0), isWhole: true };

/** A client that is still sending would not read the answer to a larger body. */
const drainedBytes = 4 * 1_024 * 1_024;

/** Reads a body and keeps little more of it than `maxBytes`. Throws if it breaks off. */
async function readRequest(request: IncomingMessage, maxBytes: number): Promise<ReadRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The connection must survive a body that is too large, so that the answer can say so.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (length <= maxBytes) chunks.push(chunk);
    length += chunk.length;
    if (length > drainedBytes) break;
  }
  return { bytes: Buffer.concat(chunks), isWhole: length <= maxBytes };
}

/** Repeats the request for the protocol library, which reads the body again. */
const replay = (
  { method, url, headers }: IncomingMessage,
  { bytes }: ReadRequest,
  auth: AuthInfo,
): NodeIncomingMessageLike => ({
  ...(method !== undefined && { method }),
  ...(url !== undefined && { url }),
  headers: { ...headers, accept: bothForms },
  auth,
  async *[Symbol.asyncIterator]() {
    if (bytes.length > 0) yield bytes;
  },
});

/** The forms of an answer that a client accepts. */
interface AcceptedForms {
  readonly takesJson: boolean;
  readonly takesStream: boolean;
}

/** The header of a client that accepts both forms; the protocol library answers no other. */
const bothForms = "application/json, text/event-stream";

/** Reads an Accept header. Without one, or with a wildcard alone, a client gets JSON. */
function acceptedForms(accept = "*/*"): AcceptedForms {
  const takesStream = /text\/(?:event-stream|\*)/i.test(accept);
  const takesJson = /application\/(?:json|\*)/i.test(accept) || /\*\/\*/.test(accept);
  // We have no other form, and most programs can read JSON.
  return { takesJson: takesJson || !takesStream, takesStream };
}

/**
 * Answers with JSON, for clients that don't accept a stream. `answer` does so for the modern protocol as long as nothing is
 * sent before the answer; the older protocol would always get a stream.
 */
function answerWithoutStream(
  build: (context: McpRequestContext) => McpServer,
  answer: LegacyHttpHandler,
  { maxRequestBodySize }: { readonly maxRequestBodySize: number },
): LegacyHttpHandler {
  return async (request, options) => {
    if (request.method !== "POST" || !(await isLegacyRequest(request, undefined, { maxRequestBodySize })))
      return answer(request, options);
    const server = build({ era: "legacy", authInfo: options?.authInfo, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, maxRequestBodySize });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { authInfo: options?.authInfo });
    } finally {
      await server.close();
    }
  };
}
