import type { Socket } from "node:net";
import { ServiceError } from "@reelscript/contract";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { answerBrokenRequest, answerWhatServersRefuse, refuseForOthers } from "./problems/broken-requests.ts";
import { compressAnswers } from "./compressed.ts";
import { hideContentType } from "./content-type.ts";
import { allowOtherOrigins } from "./cross-origin.ts";
import { mediaBodySeconds } from "./incoming-media.ts";
import { answerProblem, newRequestId } from "./problems/answer-problem.ts";
import { pathOfTarget, refuseForm } from "./request-form.ts";
import { createUnfinishedBodies, type UnfinishedBodies } from "./unfinished-bodies.ts";

const usualBodySeconds = 30;
/** Media have places of their own. */
const mostUnfinishedBytes = 64 * 1_024 * 1_024;
const mostUnfinishedOfNetwork = 64;
/** Makes browsers use https only, for a year. */
const transportSecurity = "max-age=31536000";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How long its requests may take to arrive, in seconds. */
    readonly bodySeconds?: number;
  }
}

/** Ends a request that has not arrived by then, arrives too slowly, or that newer ones need the place of. */
function limitBody(
  { raw, headers, ip, routeOptions }: FastifyRequest,
  seconds: number,
  bodies: UnfinishedBodies,
): void {
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (raw.complete || !hasBody) return;
  const areMedia = routeOptions.config.bodySeconds !== undefined;
  const drop = (): void => {
    // Null once the connection is gone.
    const socket: Socket | null = raw.socket;
    if (!raw.complete && socket !== null)
      answerBrokenRequest(Object.assign(new Error("too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  };
  if (!areMedia) bodies.enter(ip, raw, { refuse: () => refuseForOthers(raw.socket), drop });
  const timer = setTimeout(drop, seconds * 1_000).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once("end", stop).once("close", stop);
}

export interface AppNeeds {
  readonly baseUrl: () => string;
  readonly trustProxy: boolean | string;
  /** How long a request may take to arrive, in seconds; 30 unless given. */
  readonly bodySeconds?: number | undefined;
  /** How long a request may stall, in seconds; 5 unless given. */
  readonly stallSeconds?: number | undefined;
  /** Origins of pages that may call MCP. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Adds hooks that come before all others. */
  readonly observe: (app: FastifyInstance) => void;
}

/** The framework without routes: how long and how large requests may be, and what every answer carries. */
export function createApp(needs: AppNeeds): FastifyInstance {
  const { trustProxy, bodySeconds = usualBodySeconds, stallSeconds, corsOrigins = [] } = needs;
  const app = Fastify({
    trustProxy,
    genReqId: newRequestId,
    // The longest of all requests; each kind has its own limit below.
    requestTimeout: Math.max(bodySeconds, mediaBodySeconds) * 1_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    rewriteUrl: (request) => {
      const path = pathOfTarget(request);
      Object.assign(request, { originalUrl: path });
      // Some programs write the @ of a bio page's address so.
      return path.replace(/^\/%40/, "/@");
    },
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: (_error, request, reply) => {
      reply.header("x-request-id", request.id);
      return answerProblem(request, reply, new ServiceError("invalidRequest", "The path is not a valid URL path."));
    },
    clientErrorHandler: answerBrokenRequest,
    // The default looks every 30 s, so that a timeout could take twice as long.
    http: { requireHostHeader: false, connectionsCheckingInterval: 1_000 },
  });
  answerWhatServersRefuse(app.server);
  app.server.headersTimeout = bodySeconds * 1_000;
  // Bodies are read by the operations' own reader, after access and rate limit.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  const bodies = createUnfinishedBodies(mostUnfinishedBytes, mostUnfinishedOfNetwork, stallSeconds);
  needs.observe(app);
  // These hooks call back instead of returning promises, which would take longer than the hooks themselves.
  app.addHook("onRequest", (request, reply, done) => {
    limitBody(request, request.routeOptions.config.bodySeconds ?? bodySeconds, bodies);
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
