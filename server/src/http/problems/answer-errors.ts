import { restBasePath, ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate } from "../../callers/authenticate.ts";
import { internalError, rateHeaders } from "../../run/error-response.ts";
import type { Run } from "../../run/run.ts";
import type { MethodTable } from "../method-table.ts";
import { answerProblem } from "./answer-problem.ts";

/** Answers what reaches no route and what breaks on the way, with an error envelope. */
export function answerErrors(
  app: FastifyInstance,
  needs: {
    readonly run: Pick<Run, "admit">;
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
      return new ServiceError("notFound", "This path doesn't exist. GET /api/v1/openapi.json lists the paths that do.");
    reply.header("allow", possible.join(", "));
    const named = possible.filter((method) => method !== "HEAD").join(" or ");
    return new ServiceError("invalidRequest", `${request.method} isn't allowed here. Use ${named}.`, { status: 405 });
  }

  /** A request that reaches no operation counts too when it carries a key. */
  async function countUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await authenticate(request.headers.authorization, request.ip);
    if (caller.kind !== "anonymous") reply.headers(rateHeaders(await run.admit(undefined, caller)));
  }
}
