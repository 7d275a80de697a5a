import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "@reelscript/contract";
import { runInScope, type RequestScope } from "./create-log.ts";
import type { Telemetry } from "./telemetry.ts";

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Machines request these every few seconds. */
const probes: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/**
 * Writes one line, one measurement and one trace for each request, whatever happens to it. A path is logged by its template,
 * because callers put content into paths, without limit.
 */
export function observeRequests(app: FastifyInstance, { log, metrics, traces }: Telemetry): void {
  const scopes = new WeakMap<FastifyRequest, RequestScope>();

  app.addHook("onRequest", (request, reply, done) => {
    const started = performance.now();
    const method = methods.has(request.method) ? request.method : "other";
    const route = request.routeOptions.url ?? "none";
    const span = probes.has(route) ? undefined : traces?.start(`${method} ${route}`, "server");
    const scope: RequestScope = { requestId: request.id, span, ended: false };
    scopes.set(request, scope);
    reply.raw.once("close", () => {
      scope.ended = true;
      const seconds = (performance.now() - started) / 1_000;
      const status = reply.raw.writableFinished ? String(reply.raw.statusCode) : "aborted";
      metrics?.requestEnded({ method, route, status, seconds });
      const line = lineOf(scope, { method, route, status, seconds });
      if (probes.has(route)) log.debug(line, "request");
      else if (status.startsWith("5") || scope.isOutage) log.warn(line, "request");
      else log.info(line, "request");
      span?.set(attributesOf(scope, { method, route, status }));
      span?.end(status.startsWith("5"));
    });
    runInScope(scope, done);
  });

  app.addHook("onError", async (request: FastifyRequest, _reply: FastifyReply, error: unknown) => {
    const scope = scopes.get(request);
    if (scope) noteError(scope, error);
  });
}

/** Records the caller's error, and its cause if the fault was not the caller's. */
export function noteError(scope: RequestScope, error: unknown): void {
  if (!(error instanceof ServiceError)) {
    scope.cause ??= error;
    return;
  }
  scope.code = error.code;
  if (error.cause !== undefined) scope.cause ??= error.cause;
}

interface Ended {
  readonly method: string;
  readonly route: string;
  readonly status: string;
}

function lineOf(scope: RequestScope, { method, route, status, seconds }: Ended & { readonly seconds: number }): object {
  const { requestId, door, operation, accountId, keyId, transcriptionId, cached, waitedSeconds, code, cause } = scope;
  return {
    requestId,
    traceId: scope.span?.context.traceId,
    method,
    route,
    status: status === "aborted" ? status : Number(status),
    seconds: Number(seconds.toFixed(4)),
    door,
    operation,
    accountId,
    keyId,
    transcriptionId,
    cached,
    waitedSeconds,
    error: code,
    // A caller that disconnected isn't a failure.
    ...(status !== "aborted" && cause !== undefined && { cause }),
  };
}

function attributesOf(
  scope: RequestScope,
  { method, route, status }: Ended,
): Record<string, string | number | boolean> {
  const { requestId, door, operation, accountId, keyId, transcriptionId, cached, code } = scope;
  const all = {
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status === "aborted" ? undefined : Number(status),
    "error.type": status === "aborted" ? status : code,
    "reelscript.request_id": requestId,
    "reelscript.door": door,
    "reelscript.operation": operation,
    "reelscript.account_id": accountId,
    "reelscript.key_id": keyId,
    "reelscript.transcription_id": transcriptionId,
    "reelscript.cached": cached,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number | boolean
  >;
}
