import { peopleBasePath, restBasePath, ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest, FastifyInstance } from "fastify";
import { errorHeaders, internalError, envelopeOf } from "../../run/error-response.ts";
import { prefers, rateHeaders } from "../send-answer.ts";
import type { Authenticate } from "../../callers/authenticate.ts";
import type { Run } from "../../run/run.ts";
import { goneWith } from "../../run/admission.ts";
import type { MethodTable } from "../method-table.ts";
import { RateLimited } from "../../rules/refusals.ts";
import { noticeHeaders, noticePage, type Notice } from "./notice-page.ts";

/** Only programs call these, whatever they accept. */
const pathsOfPrograms = [restBasePath, peopleBasePath, "/mcp", "/webhooks", "/uploads", "/.well-known"];

/** Longest wait for a place among the caller's calls. */
const waitSeconds = 30;

/** True for a person's browser, which can do nothing with JSON. */
export function isForPeople(request: Pick<FastifyRequest, "url" | "headers">): boolean {
  const [path = ""] = request.url.split("?", 1);
  return !pathsOfPrograms.some((base) => path === base || path.startsWith(`${base}/`)) && prefers(request, "text/html");
}

/** An error as a page for people and as the envelope for programs. */
export function answerProblem(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
  reply.header("vary", "accept");
  if (!isForPeople(request)) return sendError(reply, error);
  return sendNotice(reply.headers(errorHeaders(error)), error.status, noticeOf(error, request.id));
}

export const sendNotice = (reply: FastifyReply, status: number, notice: Notice): FastifyReply =>
  reply.code(status).headers(noticeHeaders).send(noticePage(notice));

function noticeOf({ code, reason, status, message }: ServiceError, requestId: string): Notice {
  if (reason === "bioPageTakenDown")
    return {
      title: "This page was taken down",
      text: "The operator of this service removed it because of what it showed or where it led. If it’s yours, sign in: you can still edit it.",
      captions: ["Off", "the air"],
    };
  if (code === "notFound" && reason !== "bioLinkGone")
    return {
      title: "There’s nothing at this address",
      text: "It may have moved, or the address has a typo.",
      captions: ["No page", "here"],
    };
  if (status === 503)
    return {
      title: "We’ll be right back",
      text: "Try again in a few seconds.",
      captions: ["One", "moment"],
      requestId,
    };
  if (status >= 500)
    return {
      title: "Something broke on our side",
      text: "Try again. If it keeps happening, send us the number below.",
      captions: ["Cut,", "please"],
      requestId,
    };
  return { title: "That didn’t work", text: message, captions: ["Take", "two"] };
}

/** Answers what reaches no route and what breaks on the way, with an error envelope. */
export function answerErrors(
  app: FastifyInstance,
  needs: {
    readonly run: Pick<Run, "admit" | "within">;
    readonly authenticate: Authenticate;
    readonly methods: MethodTable;
    readonly onFault: (error: unknown, where: string) => void;
  },
): void {
  const { run, authenticate, methods, onFault } = needs;

  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith(`${restBasePath}/`)) await countUnrouted(request, reply);
    return answerProblem(request, reply, unrouted(request, reply));
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ServiceError) return answerProblem(request, reply, error);
    const { statusCode = 500 } = error as { statusCode?: number };
    if (statusCode < 500) return answerProblem(request, reply, unrouted(request, reply));
    onFault(error, `${request.method} ${request.routeOptions.url ?? "?"}`);
    return answerProblem(request, reply, internalError(error));
  });

  /** Why a request reached no operation: a wrong method, or nothing there. */
  function unrouted(request: FastifyRequest, reply: FastifyReply): ServiceError {
    const possible = methods.methodsAt(request.url);
    if (possible === undefined || possible.includes(request.method))
      return new ServiceError("notFound", "This path doesn't exist. GET /api/v1/openapi.json lists all paths.");
    reply.header("allow", possible.join(", "));
    const methodList = possible.filter((method) => method !== "HEAD").join(" or ");
    return new ServiceError("invalidRequest", `${request.method} isn't allowed here. Use ${methodList}.`, {
      status: 405,
    });
  }

  /** A request that reaches no operation counts too when it carries a key. */
  async function countUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await authenticate(request);
    if (caller.kind === "anonymous") return;
    const wait = { signal: goneWith(reply.raw).signal, waitSeconds };
    reply.headers(rateHeaders(await run.within(caller, wait, () => run.admit(undefined, caller))));
  }
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimited) reply.headers(rateHeaders(error.rate));
  if (error.reason !== undefined) reply.header("x-error-reason", error.reason);
  return reply.code(error.status).headers(errorHeaders(error)).send(envelopeOf(error));
}
