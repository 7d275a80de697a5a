import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ServiceError, restBasePath } from "@reelscript/contract";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { closedPolicy } from "../markup/scriptless-policy.ts";
import { newRequestId } from "../rules/new-id.ts";
import { mediaSeconds, type Bodies } from "./bodies.ts";
import { compressAnswers, cutSlowReaders } from "./send-answer.ts";
import { beginInTurns, boundNewConnections } from "./arrivals.ts";
import { answerProblem } from "./problems/answer-problem.ts";
import { answerBrokenRequest, answerWhatServersRefuse } from "./problems/broken-requests.ts";
import { hideContentType } from "./read-request.ts";

/** Makes browsers use https only, for a year. */
const transportSecurity = "max-age=31536000";

/** For the first request on a connection that was accepted as the server closes. */
const lateMilliseconds = 1_000;

const noSchemas = (): never => {
  throw new Error("No route has a schema of the framework");
};

export interface AppNeeds {
  readonly baseUrl: () => string;
  readonly trustProxy: boolean | string;
  readonly bodies: Bodies;
  /** Origins of pages that may call MCP. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Adds hooks that come before all others. */
  readonly observe: (app: FastifyInstance) => void;
}

/** The framework without routes: how long and how large requests may be, and what every answer carries. */
export function createApp(needs: AppNeeds): FastifyInstance {
  const { trustProxy, bodies, corsOrigins = [] } = needs;
  const app = Fastify({
    trustProxy,
    genReqId: newRequestId,
    // The longest of all requests; each kind has its own limit below.
    requestTimeout: Math.max(bodies.usualSeconds, mediaSeconds) * 1_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    rewriteUrl: (request) => {
      const path = pathOfTarget(request);
      Object.assign(request, { originalUrl: path });
      // Some programs write the @ of a bio page's address so.
      return path.replace(/^\/%40/, "/@");
    },
    routerOptions: { maxParamLength: 2_048 },
    // The operations have schemas of their own; the framework's would load two large libraries, and none may be used.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (_error, request, reply) => {
      reply.header("x-request-id", request.id);
      return answerProblem(request, reply, new ServiceError("invalidRequest", "The path is not a valid URL path."));
    },
    clientErrorHandler: answerBrokenRequest,
    // The default looks every 30 s, so that a timeout could take twice as long.
    http: { requireHostHeader: false, connectionsCheckingInterval: 1_000 },
  });
  answerWhatServersRefuse(app.server);
  boundNewConnections(app);
  endSilentConnections(app);
  app.server.headersTimeout = bodies.usualSeconds * 1_000;
  // Bodies are read by the operations' own reader, after access and rate limit.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  needs.observe(app);
  // These hooks call back instead of returning promises, which would take longer than the hooks themselves.
  app.addHook("onRequest", (request, reply, done) => {
    bodies.begin(request);
    reply
      .header("x-request-id", request.id)
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff");
    // Set on the raw response, so that doors that bypass the framework send it too.
    if (needs.baseUrl().startsWith("https:")) reply.raw.setHeader("strict-transport-security", transportSecurity);
    if (request.url.startsWith("/oauth/")) reply.raw.setHeader("content-security-policy", closedPolicy);
    done();
  });
  allowOtherOrigins(app, corsOrigins);
  app.addHook("onRequest", (request, reply, done) => {
    try {
      refuseForm(request.raw);
      hideContentType(request.raw);
      done();
    } catch (error) {
      // RFC 7694: which encodings of a body are taken.
      if (error instanceof ServiceError && error.status === 415) reply.header("accept-encoding", "identity");
      done(error as Error);
    }
  });
  // A request that its head alone refuses is answered before its turn.
  beginInTurns(app);
  compressAnswers(app);
  cutSlowReaders(app);
  return app;
}

const absoluteForm = /^https?:\/\/([^/?#]+)(.*)$/is;

/**
 * The target of a request as a path: one in absolute form (RFC 9112, 3.2.2) loses its authority, which takes the place of
 * the Host header, so that nothing behind the door meets a second way to write an address, and whoever judges a host judges
 * the one that was asked for.
 */
function pathOfTarget({ url = "/", headers, httpVersion }: IncomingMessage): string {
  const [, authority, path = ""] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return url;
  // HTTP/1.1 needs the header in any case, and is refused without it.
  if (headers.host !== undefined || httpVersion === "1.0") headers.host = authority;
  return path.startsWith("/") ? path : `/${path}`;
}

/** Throws `invalidRequest` for a request whose target, host or encoding no door takes. */
function refuseForm({ url = "/", headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1")
    throw new ServiceError("invalidRequest", "The Host header is missing.");
  // A user name before the host could pass for the host.
  if (headers.host?.includes("@")) throw new ServiceError("invalidRequest", "The host must not have a user name.");
  if (!url.startsWith("/"))
    throw new ServiceError("invalidRequest", "The request target must be a path, or an address with http or https.");
  const encoding = encodingOfBody(headers);
  if (encoding !== undefined)
    throw new ServiceError(
      "invalidRequest",
      `The body is encoded as ${encoding.slice(0, longestShown)}, which isn't supported. Send it as it is.`,
      { status: 415 },
    );
}

const longestShown = 60;
const plain: ReadonlySet<string> = new Set(["", "identity", "chunked"]);

/** The encoding of a body, by either header; `undefined` when it isn't encoded, or there is none. */
function encodingOfBody(headers: IncomingMessage["headers"]): string | undefined {
  const { "content-length": length, "transfer-encoding": transfer, "content-encoding": content } = headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return undefined;
  return `${content ?? ""},${transfer ?? ""}`
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .find((one) => !plain.has(one));
}

/**
 * Browsers and proxies open connections ahead. The server doesn't count one on which nothing came as idle, and would wait for
 * its request for more than a minute when it closes; nothing that follows in a shutdown would be done in time.
 */
function endSilentConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>();
  let isClosing = false;
  const end = (socket: Socket): void => void (socket.bytesRead === 0 && socket.destroy());
  app.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
    // It may have been accepted just before the server listens no more.
    if (isClosing) socket.setTimeout(lateMilliseconds, () => end(socket));
  });
  app.server.on("request", ({ socket }) => void silent.delete(socket));
  app.addHook("preClose", async () => {
    isClosing = true;
    silent.forEach(end);
  });
}

const preflightSeconds = "86400";

/** Headers for pages of other sites that call REST. They never allow cookies. */
const forAnyone = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, ETag, Location, Idempotent-Replayed, Preference-Applied, x-request-id, x-error-reason, Reading-Speed",
};
const preflightForAnyone = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer",
  "access-control-max-age": preflightSeconds,
};

const mcpForOrigin = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "Retry-After, WWW-Authenticate, x-request-id",
});
const preflightOfMcp = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID",
  "access-control-max-age": preflightSeconds,
};

const openPages: ReadonlySet<string> = new Set(["/openapi.json", "/llms.txt"]);

/**
 * Lets pages of any site call REST with a key, and those of `origins` and of the visitor's own machine MCP: both take no cookie, so that a page gets nothing
 * that it has no key for. Everything else stays closed to other sites.
 */
function allowOtherOrigins(app: FastifyInstance, origins: readonly string[]): void {
  /** Sets the CORS headers and returns those of a preflight; `undefined` for paths that are closed to the other site. */
  const allow = (request: FastifyRequest, reply: FastifyReply): Record<string, string> | undefined => {
    const [path = ""] = request.url.split("?", 1);
    if (path.startsWith(`${restBasePath}/`) || openPages.has(path)) {
      reply.headers(forAnyone);
      return preflightForAnyone;
    }
    if (path !== "/mcp") return undefined;
    const { origin } = request.headers;
    // Set on the raw response, which the protocol library writes itself.
    reply.raw.setHeader("vary", "origin");
    if (origin === undefined || !(origins.includes(origin) || isLoopback(origin))) return undefined;
    for (const [name, value] of Object.entries(mcpForOrigin(origin))) reply.raw.setHeader(name, value);
    return preflightOfMcp;
  };
  app.addHook("onRequest", (request, reply, done) => {
    const preflight = allow(request, reply);
    if (preflight !== undefined && isPreflight(request)) reply.code(204).headers(preflight).send();
    else done();
  });
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Pages on the visitor's own machine, such as an inspector of MCP, whatever their port. */
const isLoopback = (origin: string): boolean => URL.canParse(origin) && loopback.has(new URL(origin).hostname);

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
