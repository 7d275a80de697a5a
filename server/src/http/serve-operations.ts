import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fillPath, type AnyOperationName, type Operation, operations, type OperationName } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../rules/caller.ts";
import type { WatchCaller } from "../callers/watch-callers.ts";
import { createWhileOpen, goneWith, subjectOf, type WhileOpen } from "../run/admission.ts";
import { Streamed, Written } from "../run/handler.ts";
import { patiences, type Patience } from "../run/patience.ts";
import type { Run } from "../run/run.ts";
import { type EventStream, type EventStreams, hasHeardAll } from "./event-stream.ts";
import type { Bodies } from "./bodies.ts";
import { chosenFormat, createRequestReader, queryOf } from "./read-request.ts";
import { prefers, rateHeaders, sendAnswer, sendWritten } from "./send-answer.ts";
import { sendStreamed } from "./send-streamed.ts";
import { sendError } from "./problems/answer-problem.ts";

const userAgentLength = 400;

/** One way to call operations, with its own way to authenticate callers. */
interface Door {
  readonly name: "rest" | "people";
  readonly basePath: string;
  readonly callerOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  readonly run: Run;
  /** Aborted with the error that waiting callers get when the service goes down. */
  readonly closing: AbortSignal;
  /** Notifies when a caller loses access. */
  readonly watchCaller: WatchCaller;
  readonly bodies: Bodies;
  /** All doors have the same, because an account may come through each. */
  readonly eventStreams: EventStreams;
  readonly onFault: (error: unknown, where: string) => void;
}

/** A route for each operation below a base path. */
export function serveOperations(
  app: FastifyInstance,
  operations: Readonly<Partial<Record<AnyOperationName, Operation>>>,
  door: Door,
): void {
  const whileOpen = createWhileOpen(door.closing);
  for (const [name, operation] of Object.entries(operations) as [AnyOperationName, Operation][]) {
    const { method, path } = operation.http;
    const url = door.basePath + fillPath(path, (field) => `:${field}`);
    const { mediaTypes, maxBodyBytes, creates } = operation.http;
    const config = { takesMedia: mediaTypes !== undefined, ...(maxBodyBytes !== undefined && { maxBodyBytes }) };
    app.route({
      method,
      url,
      config,
      ...(creates && { exposeHeadRoute: false }),
      handler: answerWith(door, whileOpen, name, operation),
    });
  }
}

function answerWith(door: Door, whileOpen: WhileOpen, name: AnyOperationName, operation: Operation) {
  const { callerOf, run, bodies, watchCaller, onFault } = door;
  const readRequest = createRequestReader(operation);
  const { mediaTypes } = operation.http;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await callerOf(request, reply);
    const gone = goneWith(reply.raw);
    const isFollowed = wantsEvents(request, operation) && caller.kind !== "anonymous";
    if (isFollowed && hasHeardAll(request)) return reply.code(204).send();
    const events = isFollowed ? door.eventStreams.create(reply, caller.account.id) : undefined;
    if (events)
      reply.raw.once(
        "close",
        watchCaller(caller, (error) => gone.abort(error)),
      );
    if (operation.http.events) reply.header("vary", "accept");
    const { result, rate } = await whileOpen(gone, () =>
      run.call(name, () => readRequest(request), caller, {
        door: door.name,
        signal: gone.signal,
        userAgent: headerOf(request, "user-agent")?.slice(0, userAgentLength),
        media: mediaTypes && bodies.mediaOf(request, reply, mediaTypes, subjectOf(caller)),
        idempotencyKey: headerOf(request, "idempotency-key"),
        form: formOf(request, operation),
        patience: patienceOf(request, operation, events),
        onSent: (listener) => whenSent(request.raw, reply.raw, listener),
        onCounted: events && ((state) => void reply.headers(rateHeaders(state))),
      }),
    );
    if (!events?.begun) reply.headers(rateHeaders(rate));
    if (events && "output" in result) events.sendLast(result.output);
    if (events?.begun) {
      events.end();
      return reply;
    }
    if ("error" in result) {
      const { transcriptionId } = result.error;
      if (transcriptionId !== undefined)
        reply.header("location", door.basePath + pathToFollow("getTranscription", transcriptionId));
      return sendError(reply, result.error);
    }
    if (result instanceof Written) return sendWritten(request, reply, operation.http, result.body);
    if (result instanceof Streamed) {
      reply.raw.once(
        "close",
        watchCaller(caller, (error) => gone.abort(error)),
      );
      return whileOpen(gone, () =>
        sendStreamed(request, reply, chosenFormat(request, operation.http), {
          result,
          signal: gone.signal,
          onFault: (error) => onFault(error, name),
        }),
      );
    }
    if (result.replayed) reply.header("idempotent-replayed", "true");
    if (result.accepted) return sendAccepted(reply, operation, door.basePath, result.output);
    const { followed } = operation.http;
    const followedId = followed && result.output[followed.id];
    if (followed !== undefined && typeof followedId === "string") {
      reply.code(202).header("location", door.basePath + pathToFollow(followed.by as OperationName, followedId));
      sendRetryAfter(reply, result.output);
    }
    if (operation.isFollowing) sendRetryAfter(reply, result.output);
    // A person's answer may bring a cookie along.
    return sendAnswer(request, reply, operation.http, result.output, door.name === "people" ? "private" : "public");
  };
}

/** Calls the listener when an answer is sent or its connection ends: one that waits behind others there isn't closed with it. */
function whenSent(request: IncomingMessage, answer: ServerResponse, listener: () => void): void {
  // A request that was read to its end may have lost its socket, and an answer that waits behind others has none yet.
  const socket: Socket | null = request.socket ?? answer.socket;
  if (answer.closed || socket === null || socket.destroyed) return listener();
  const end = (): void => {
    answer.off("close", end);
    socket.off("close", end);
    listener();
  };
  answer.once("close", end);
  socket.once("close", end);
}

function patienceOf(request: FastifyRequest, operation: Operation, events: EventStream | undefined): Patience {
  if (events) return { ...patiences.follower, onChange: (output) => events.send("progress", output) };
  return prefersAsync(request, operation) ? patiences.asynchronous : patiences.request;
}

const wantsEvents = (request: FastifyRequest, { http }: Operation): boolean =>
  http.events === true && request.method === "GET" && prefers(request, "text/event-stream");

/** The requested form. An unknown one is refused before it is used. */
const formOf = (request: FastifyRequest, { http: { formats } }: Operation): string | undefined =>
  formats && (queryOf(request).get(formats.parameter) ?? undefined);

/** A header as it came; one that came twice is joined as HTTP says. */
const headerOf = (request: FastifyRequest, name: string): string | undefined => request.headers[name]?.toString();

/** True if the caller prefers not to wait and the operation allows it. */
const prefersAsync = (request: FastifyRequest, { http }: Operation): boolean =>
  http.respondAsync !== undefined &&
  (request.headers.prefer?.toString() ?? "")
    .split(",")
    .some((preference) => preference.split(";", 1)[0]?.trim().toLowerCase() === "respond-async");

/** The longest pause between two looks at work, in seconds, and at work that waits for the next hour. */
const pollSeconds = 10;
const waitSeconds = 60;

/** Says when unfinished work is worth another look. */
function sendRetryAfter(reply: FastifyReply, { finishedAt, secondsLeft, continuesAt }: Record<string, unknown>): void {
  if (finishedAt !== undefined) return;
  const soonest = typeof secondsLeft === "number" ? Math.min(pollSeconds, secondsLeft) : pollSeconds;
  reply.header("retry-after", String(continuesAt === undefined ? soonest : waitSeconds));
}

/** 202, and where the work can be followed. */
function sendAccepted(
  reply: FastifyReply,
  { http }: Operation,
  basePath: string,
  output: Record<string, unknown>,
): FastifyReply {
  sendRetryAfter(reply, output);
  return reply
    .code(202)
    .header("location", basePath + pathToFollow(http.respondAsync as OperationName, String(output.id)))
    .header("preference-applied", "respond-async")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(output));
}

/** Path below the base path at which the caller follows its own work. */
function pathToFollow(name: OperationName, id: string): string {
  const { path } = (operations as Record<string, Operation>)[name]!.http;
  return fillPath(path, () => encodeURIComponent(id));
}
