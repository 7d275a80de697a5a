import type { Operation } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { rateHeaders } from "../error-response.ts";
import type { Caller } from "../caller.ts";
import type { AnyOperationName, Run } from "../run.ts";
import { createEventStream } from "./event-stream.ts";
import type { MethodTable } from "./method-table.ts";
import { prefersAsync, sendAccepted } from "./preference.ts";
import { createRequestReader } from "./read-request.ts";
import { prefers, sendAnswer } from "./send-answer.ts";
import { sendError } from "./send-error.ts";

const waitSeconds = 150;
/** A longer stream would outlive a key that is revoked meanwhile. */
const eventSeconds = 600;

/** A route for each operation below a base path, for callers whom the door knows in its own way. */
export function serveOperations(
  app: FastifyInstance,
  door: {
    readonly operations: Readonly<Partial<Record<AnyOperationName, Operation>>>;
    readonly name: "rest" | "people";
    readonly basePath: string;
    readonly callerOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
    readonly run: Run;
    readonly methods: MethodTable;
    /** Aborted with the error that waiting callers get when the service goes down. */
    readonly closing: AbortSignal;
  },
): void {
  const { name: doorName, operations, basePath, callerOf, run, methods, closing } = door;
  // A person's answer may bring a cookie along.
  const caches = doorName === "people" ? "private" : "public";
  for (const [name, operation] of Object.entries(operations) as [AnyOperationName, Operation][]) {
    const { method, path } = operation.http;
    const url = basePath + path.replace(/\{(\w+)\}/g, ":$1");
    methods.add(url, method);
    const readRequest = createRequestReader(operation);
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const caller = await callerOf(request, reply);
        const signal = endSignal(reply, closing);
        const events = wantsEvents(request, operation) ? createEventStream(reply) : undefined;
        if (operation.http.events) reply.header("vary", "accept");
        const { result, rate } = await run.call(name, () => readRequest(request), caller, {
          door: doorName,
          signal,
          waitSeconds: events ? eventSeconds : waitSeconds,
          idempotencyKey: headerOf(request, "idempotency-key"),
          respondAsync: prefersAsync(request, operation),
          onChange:
            events &&
            ((output, state) => {
              if (!events.begun) reply.headers(rateHeaders(state));
              events.send("progress", output);
            }),
        });
        if (!events?.begun) reply.headers(rateHeaders(rate));
        if (events && !("error" in result)) events.send("finished", result.output);
        if (events?.begun) {
          events.end();
          return reply;
        }
        if ("error" in result) return sendError(reply, result.error);
        if (result.replayed) reply.header("idempotent-replayed", "true");
        if (result.accepted) return sendAccepted(reply, operation, basePath, result.output);
        return sendAnswer(request, reply, operation.http, result.output, caches);
      },
    });
  }
}

const wantsEvents = (request: FastifyRequest, { http }: Operation): boolean =>
  http.events === true && request.method === "GET" && prefers(request.headers.accept, "text/event-stream");

/** A header as it came; one that came twice is joined as HTTP says. */
const headerOf = (request: FastifyRequest, name: string): string | undefined => request.headers[name]?.toString();

/**
 * Aborts when the connection closes before the answer is sent, or when the service goes down. Not `AbortSignal.any`: on
 * Node 20 a signal that lives as long as the service keeps a trace of each one made from it.
 */
function endSignal(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const end = new AbortController();
  const onClosing = (): void => end.abort(closing.reason);
  closing.addEventListener("abort", onClosing);
  reply.raw.once("close", () => {
    closing.removeEventListener("abort", onClosing);
    if (!reply.raw.writableFinished) end.abort();
  });
  return end.signal;
}
