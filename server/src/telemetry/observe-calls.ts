import type { Caller } from "../rules/caller.ts";
import type { Store, TranscriptionOrigin } from "../ports.ts";
import type { AnsweredCall } from "../run/run.ts";
import type { Handlers } from "../run/handler.ts";
import { noteError } from "./observe-requests.ts";
import { currentScope, type RequestScope } from "./create-log.ts";
import type { Telemetry } from "./telemetry.ts";

/** Reports each call of an operation to the request's log line, the metrics and the traces. */
export function observeAnswer({ metrics }: Telemetry): (call: AnsweredCall) => void {
  return ({ operation, caller, door, status, error, waitedSeconds }) => {
    metrics?.operationEnded({ operation, door, status });
    if (waitedSeconds > 0) metrics?.placeAwaited(door, waitedSeconds);
    const scope = currentScope();
    if (scope === undefined) return;
    noteCaller(scope, operation, caller);
    scope.door = door;
    if (waitedSeconds > 0) scope.waitedSeconds = Number(waitedSeconds.toFixed(4));
    if (error !== undefined) noteError(scope, error);
  };
}

/** Gives each handler's call a span, and counts which transcribe calls the cache answered. */
export function observeHandlers(handlers: Handlers, telemetry: Telemetry): Handlers {
  const observed = Object.entries(handlers).map(([name, handler]) => [name, observeHandler(name, handler, telemetry)]);
  return Object.fromEntries(observed) as Handlers;
}

type Observed = (call: { readonly caller: Caller }) => Promise<unknown>;

function observeHandler(name: string, handler: unknown, { metrics }: Telemetry): Observed {
  const handle = handler as Observed; // safe: the call is handed on as it came
  return async (call) => {
    const scope = currentScope();
    // If the caller disconnects, the line is written before the answer is known.
    if (scope) noteCaller(scope, name, call.caller);
    const span = scope?.span?.child(name);
    try {
      const output = await handle(call);
      if (name === "transcribeReel" && isCacheAnswer(output)) {
        metrics?.cacheAsked(output.cached);
        if (scope) scope.cached = output.cached;
      }
      span?.end(false);
      return output;
    } catch (error) {
      span?.end(true);
      throw error;
    }
  };
}

function noteCaller(scope: RequestScope, operation: string, caller: Caller): void {
  scope.operation = operation;
  if (caller.kind !== "anonymous") scope.accountId = caller.account.id;
  if (caller.kind === "key") scope.keyId = caller.key.id;
}

const isCacheAnswer = (output: unknown): output is { readonly cached: boolean } =>
  typeof output === "object" && output !== null && "cached" in output && typeof output.cached === "boolean";

type Started = Pick<Store, "transcriptions" | "retranscriptions" | "sentMedia">;

/** Connects requests and the transcriptions that they start: each line has the other's id. */
export function observeStarts({ transcriptions, retranscriptions, sentMedia }: Started): Started {
  async function noted<Outcome extends object>(starting: Promise<Outcome>): Promise<Outcome> {
    const outcome = await starting;
    if ("transcriptionId" in outcome) noteTranscription(outcome.transcriptionId);
    return outcome;
  }
  return {
    transcriptions: {
      ...transcriptions,
      request: (request) => noted(transcriptions.request({ ...request, origin: originOf(currentScope()) })),
      async findOwn(accountId, transcriptionId) {
        const transcription = await transcriptions.findOwn(accountId, transcriptionId);
        if (transcription !== undefined) noteTranscription(transcriptionId);
        return transcription;
      },
    },
    retranscriptions: {
      ...retranscriptions,
      request: (request) => noted(retranscriptions.request({ ...request, origin: originOf(currentScope()) })),
    },
    sentMedia: {
      ...sentMedia,
      request: (mediaId, request) =>
        noted(sentMedia.request(mediaId, { ...request, origin: originOf(currentScope()) })),
    },
  };
}

const originOf = (scope: RequestScope | undefined): TranscriptionOrigin | undefined =>
  scope && { requestId: scope.requestId, span: scope.span?.context };

function noteTranscription(transcriptionId: unknown): void {
  const scope = currentScope();
  if (scope !== undefined && typeof transcriptionId === "string") scope.transcriptionId = transcriptionId;
}

/** The start or the outcome of a sign-in. */
export type SignInOutcome = "begun" | "signedIn" | "expired" | "refused" | "suspended" | "providerAway";

/** Counts sign-ins; an unavailable identity provider makes the request's line a warning. */
export function observeSignIn({ metrics }: Telemetry): (outcome: SignInOutcome, error?: unknown) => void {
  return (outcome, error) => {
    metrics?.signInEnded(outcome);
    const scope = currentScope();
    if (scope === undefined) return;
    if (outcome !== "begun" && outcome !== "signedIn") scope.code = outcome;
    if (outcome !== "providerAway") return;
    scope.isOutage = true;
    scope.cause = error;
  };
}
