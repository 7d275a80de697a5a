import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { operations, restBasePath, ServiceError, type Operation, type OperationName } from "@reelscript/contract";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Authenticate } from "../authenticate.ts";
import { RateLimited, type Run } from "../run.ts";
import { envelopeOf, errorHeaders, rateHeaders } from "../error-response.ts";
import { openApi } from "./openapi.ts";
import { createRequestReader } from "./read-request.ts";
import { sendAnswer } from "./send-answer.ts";

const waitSeconds = 150;

interface Needs {
  readonly run: Run;
  readonly authenticate: Authenticate;
  /** The address that users see; asked for when it is needed, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  readonly trustProxy: boolean | string;
  /** Aborted with the error that waiting callers get when the service goes down. */
  readonly closing: AbortSignal;
  readonly onFault: (error: unknown, where: string) => void;
}

/** The REST door: a route for each operation, and nothing that an operation does not say. */
export function createHttp(needs: Needs): FastifyInstance {
  const { run, authenticate, closing, onFault } = needs;
  const app = Fastify({
    trustProxy: needs.trustProxy,
    genReqId: () => `req_${randomBytes(12).toString("hex")}`,
    requestTimeout: 30_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: (_error, request, reply) => {
      reply.header("x-request-id", request.id);
      return sendError(reply, new ServiceError("invalidRequest", "The path is not a valid URL path."));
    },
    clientErrorHandler: answerBrokenRequest,
  });
  // Bodies are read by the operations' own reader, after access and rate limit.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  app.addHook("onRequest", async (request, reply) => {
    reply
      .header("x-request-id", request.id)
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff");
    if (closing.aborted) throw closing.reason;
  });

  const methodsOf = new Map<string, Set<string>>();
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const { method, path } = operation.http;
    const url = restBasePath + path.replace(/\{(\w+)\}/g, ":$1");
    const readRequest = createRequestReader(operation);
    (methodsOf.get(url) ?? methodsOf.set(url, new Set()).get(url)!).add(method).add(method === "GET" ? "HEAD" : method);
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const caller = await authenticate(request.headers.authorization, request.ip);
        const gone = goneSignal(reply);
        const signal = AbortSignal.any([gone, closing]);
        const { result, rate } = await run.call(name, () => readRequest(request), caller, { signal, waitSeconds });
        reply.headers(rateHeaders(rate));
        return "error" in result
          ? sendError(reply, result.error)
          : sendAnswer(request, reply, operation.http, result.output);
      },
    });
  }
  for (const [url, methods] of methodsOf) {
    const others = app.supportedMethods.filter((method) => !methods.has(method));
    app.route({
      method: others,
      url,
      handler: async (request, reply) => {
        await countUnrouted(request, reply);
        reply.header("allow", [...methods].join(", "));
        const message = `${request.method} is not possible here; use ${[...methods].filter((method) => method !== "HEAD").join(" or ")}.`;
        return sendError(reply, new ServiceError("invalidRequest", message, { status: 405 }));
      },
    });
  }

  app.get(`${restBasePath}/openapi.json`, async () => openApi(needs.baseUrl()));
  app.get("/healthz", async () => ({ status: "ok" }));

  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith(`${restBasePath}/`)) await countUnrouted(request, reply);
    return sendError(
      reply,
      new ServiceError("notFound", "There is nothing at this path. GET /api/v1/openapi.json lists what there is."),
    );
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ServiceError) return sendError(reply, error);
    onFault(error, `${request.method} ${request.routeOptions.url ?? "?"}`);
    return sendError(
      reply,
      new ServiceError("internalError", "Something broke on our side. Try again; if it stays, report the request id."),
    );
  });

  /** A request that reaches no operation counts too when it carries a key. */
  async function countUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await authenticate(request.headers.authorization, request.ip);
    if (caller.kind !== "anonymous") reply.headers(rateHeaders(await run.admit(undefined, caller)));
  }
  return app;
}

function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimited) reply.headers(rateHeaders(error.rate));
  return reply.code(error.status).headers(errorHeaders(error)).send(envelopeOf(error));
}

/** Aborts when the connection closes before the answer is sent. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Requests that are no HTTP, too slow or with too large a header never reach a route. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(
    envelopeOf(
      new ServiceError("invalidRequest", "The request is not valid HTTP, took too long, or its headers are too large."),
    ),
  );
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
