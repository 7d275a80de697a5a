import type { Socket } from "node:net";
import { ServiceError } from "@reelscript/contract";
import Fastify, { type FastifyInstance } from "fastify";
import { type Bodies, mediaSeconds } from "./bodies/bodies.ts";
import { answerBrokenRequest, answerWhatServersRefuse } from "./problems/broken-requests.ts";
import { compressAnswers } from "./compressed.ts";
import { cutSlowReaders } from "./cut-slow-readers.ts";
import { hideContentType, pathOfTarget, refuseForm } from "./request-form.ts";
import { allowOtherOrigins } from "./cross-origin.ts";
import { beginInTurns } from "./begin-in-turns.ts";
import { boundNewConnections } from "./new-connections.ts";
import { answerProblem, newRequestId } from "./problems/answer-problem.ts";

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
  beginInTurns(app);
  // These hooks call back instead of returning promises, which would take longer than the hooks themselves.
  app.addHook("onRequest", (request, reply, done) => {
    bodies.begin(request);
    reply
      .header("x-request-id", request.id)
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff");
    // Set on the raw response, so that doors that bypass the framework send it too.
    if (needs.baseUrl().startsWith("https:")) reply.raw.setHeader("strict-transport-security", transportSecurity);
    done();
  });
  allowOtherOrigins(app, corsOrigins);
  compressAnswers(app);
  cutSlowReaders(app);
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
  return app;
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
