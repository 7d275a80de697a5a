import { operations, peopleBasePath, restBasePath, ServiceError } from "@reelscript/contract";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Authenticate } from "../authenticate.ts";
import type { DevelopmentBillerPages, Thumbnails } from "../ports.ts";
import type { Run } from "../run.ts";
import { rateHeaders } from "../error-response.ts";
import { refuseCrossSite } from "../refuse-cross-site.ts";
import { serveBioPreview, type PreviewBioPage } from "./bio-preview.ts";
import { answerBrokenRequest, answerWhatServersRefuse, newRequestId } from "./broken-requests.ts";
import { hideContentType } from "./content-type.ts";
import { createDocsPage, docsPaths } from "./docs-page.ts";
import { createMethodTable } from "./method-table.ts";
import { openApi } from "./openapi.ts";
import { peopleDoorOperations, type AuthenticatePerson } from "./people-door.ts";
import { prefers } from "./send-answer.ts";
import { sendError } from "./send-error.ts";
import { serveBilling } from "./serve-billing.ts";
import { dashboardPath, serveDashboard } from "./serve-dashboard.ts";
import { serveOperations } from "./serve-operations.ts";
import { sendThumbnail, thumbnailPath } from "./send-thumbnail.ts";

interface Needs {
  readonly run: Run;
  readonly authenticate: Authenticate;
  readonly authenticatePerson: AuthenticatePerson;
  /** Takes an event of the biller; returns when its effect is stored. */
  readonly receiveEvent: (body: Uint8Array, signature: string) => Promise<void>;
  readonly developmentBiller: DevelopmentBillerPages | undefined;
  readonly previewBioPage: PreviewBioPage;
  /** The address that users see; asked for when it is needed, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  /** What is answered at /llms.txt. */
  readonly llmsText: () => string;
  readonly trustProxy: boolean | string;
  readonly thumbnails: Pick<Thumbnails, "read">;
  /** Aborted with the error that waiting callers get when the service goes down. */
  readonly closing: AbortSignal;
  readonly onFault: (error: unknown, where: string) => void;
}

/** The door for HTTP: a route for each operation, for programs with a key and for people with a session, and what surrounds them. */
export function createHttp(needs: Needs): FastifyInstance {
  const { run, authenticate, closing, onFault } = needs;
  const app = Fastify({
    trustProxy: needs.trustProxy,
    genReqId: newRequestId,
    requestTimeout: 30_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: (_error, request, reply) => {
      reply.header("x-request-id", request.id);
      return sendError(reply, new ServiceError("invalidRequest", "The path is not a valid URL path."));
    },
    clientErrorHandler: answerBrokenRequest,
    http: { requireHostHeader: false },
  });
  answerWhatServersRefuse(app.server);
  // Bodies are read by the operations' own reader, after access and rate limit.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  app.addHook("onRequest", async (request, reply) => {
    reply
      .header("x-request-id", request.id)
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff");
    if (closing.aborted) throw closing.reason;
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      throw new ServiceError("invalidRequest", "The header Host is missing.");
    hideContentType(request.raw);
  });

  const methods = createMethodTable();
  serveOperations(app, {
    name: "rest",
    operations,
    basePath: restBasePath,
    callerOf: (request) => authenticate(request.headers.authorization, request.ip),
    run,
    methods,
    closing,
  });
  serveOperations(app, {
    name: "people",
    operations: peopleDoorOperations,
    basePath: peopleBasePath,
    callerOf: async (request, reply) => {
      refuseCrossSite(request, needs.baseUrl());
      return needs.authenticatePerson(request, reply);
    },
    run,
    methods,
    closing,
  });
  serveBioPreview(app, {
    preview: needs.previewBioPage,
    methods,
    accountOf: async (request, reply) => {
      refuseCrossSite(request, needs.baseUrl());
      const caller = await needs.authenticatePerson(request, reply);
      if (caller.kind !== "session") throw new ServiceError("unauthorized", "Sign in to see your bio page.");
      await run.admit(undefined, caller);
      return caller.account;
    },
  });
  const describeRest = (): unknown => openApi(needs.baseUrl());
  const docsPage = createDocsPage();
  const plain: Record<string, (request: FastifyRequest, reply: FastifyReply) => unknown> = {
    "/": (request, reply) => sendWelcome(request, reply, needs.baseUrl()),
    [`${restBasePath}/openapi.json`]: describeRest,
    "/openapi.json": describeRest,
    "/llms.txt": (_request, reply) => reply.type("text/plain; charset=utf-8").send(needs.llmsText()),
    "/docs/": (_request, reply) => reply.redirect("../docs", 301),
    ...Object.fromEntries(docsPaths.map((path) => [path, docsPage])),
    [thumbnailPath]: (request, reply) => sendThumbnail(request, reply, needs.thumbnails),
    "/healthz": () => ({ status: "ok" }),
  };
  for (const [url, answer] of Object.entries(plain)) {
    methods.add(url, "GET");
    app.get(url, async (request, reply) => answer(request, reply));
  }
  serveDashboard(app, methods);
  serveBilling(app, { ...needs, methods });

  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith(`${restBasePath}/`)) await countUnrouted(request, reply);
    return sendError(reply, unrouted(request, reply));
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ServiceError) return sendError(reply, error);
    const { statusCode = 500 } = error as { statusCode?: number };
    if (statusCode < 500) return sendError(reply, unrouted(request, reply));
    onFault(error, `${request.method} ${request.routeOptions.url ?? "?"}`);
    return sendError(
      reply,
      new ServiceError("internalError", "Something broke on our side. Try again; if it stays, report the request id."),
    );
  });

  /** Why a request reached no operation: a wrong method, or nothing there. */
  function unrouted(request: FastifyRequest, reply: FastifyReply): ServiceError {
    const possible = methods.methodsAt(request.url);
    if (possible === undefined || possible.includes(request.method))
      return new ServiceError(
        "notFound",
        "There is nothing at this path. GET /api/v1/openapi.json lists what there is.",
      );
    reply.header("allow", possible.join(", "));
    const named = possible.filter((method) => method !== "HEAD").join(" or ");
    return new ServiceError("invalidRequest", `${request.method} is not possible here; use ${named}.`, { status: 405 });
  }

  /** A request that reaches no operation counts too when it carries a key. */
  async function countUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await authenticate(request.headers.authorization, request.ip);
    if (caller.kind !== "anonymous") reply.headers(rateHeaders(await run.admit(undefined, caller)));
  }
  return app;
}

/** A person who opens the address in a browser is taken to the dashboard; a program is told where things are. */
function sendWelcome(request: FastifyRequest, reply: FastifyReply, baseUrl: string): FastifyReply {
  reply.header("vary", "accept");
  if (prefers(request.headers.accept, "text/html")) return reply.redirect(dashboardPath.slice(1), 302);
  return reply.send({
    name: "Reelscript",
    rest: `${baseUrl}${restBasePath}`,
    mcp: `${baseUrl}/mcp`,
    docs: `${baseUrl}/docs`,
    openApi: `${baseUrl}/openapi.json`,
    llms: `${baseUrl}/llms.txt`,
  });
}
