import {
  Accepted,
  type Answered,
  type CallContext,
  type Door,
  type HandlerContext,
  type Handlers,
  Streamed,
  Written,
} from "./handler.ts";
import {
  allOperations,
  fieldsInPath,
  hasBody,
  onlyReads,
  operations,
  ServiceError,
  type AnyOperationName,
  type Operation,
} from "@reelscript/contract";
import type { Clock, LongWork, RateLimits, RateState } from "../ports.ts";
import { slotOf } from "../rules/allowance.ts";
import type { Caller } from "../caller.ts";
import { RateLimited } from "../rules/refusals.ts";
import type { CountRefused } from "../callers/count-calls.ts";
import { createAdmission, refuseReadOnlyKey, type Limits } from "./admission.ts";
import { internalError } from "./error-response.ts";
import type { IsRepeat } from "./repeats.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Place, Places, WhileWaiting } from "./places.ts";
import { readInput, refuseZeros, UnreadBody } from "./read-input.ts";
import { writeOutput } from "./write-output.ts";

/** A call for logs and metrics: never its contents. */
export interface AnsweredCall {
  readonly operation: AnyOperationName;
  readonly caller: Caller;
  readonly door: Door;
  /** Over HTTP; over MCP that of the same answer over HTTP. */
  readonly status: number;
  /** The error that the caller received; its cause is for operators. */
  readonly error?: ServiceError | undefined;
  /** When it came. */
  readonly at: Date;
  /** How long it waited until fewer calls of the same caller were answered. */
  readonly waitedSeconds: number;
}

interface Outcome {
  readonly result: Answered | Written | Streamed | { readonly error: ServiceError };
  /** The tightest of the buckets that the call was counted against. */
  readonly rate: RateState | undefined;
  readonly waitedSeconds: number;
}

export interface Run {
  /** Access, a place, rate limit, input, handler, output. `receive` is called only when the call is admitted. Never throws. */
  call(name: AnyOperationName, receive: () => unknown, caller: Caller, context: CallContext): Promise<Outcome>;
  /** Access and rate limit alone, for requests that reach no operation. */
  admit(operation: Operation | undefined, caller: Caller): Promise<RateState | undefined>;
  /** Does other work for a caller in one of the places that its calls have. Throws as `Places.enter`, and what the work throws. */
  within<Result>(
    caller: Caller,
    wait: Pick<CallContext, "signal" | "waitSeconds">,
    work: (place: Place) => Promise<Result>,
  ): Promise<Result>;
}

const pathFieldsOf = new Map<string, readonly string[]>(
  Object.entries(allOperations).map(([name, { http }]) => [name, fieldsInPath(http.path)]),
);

export function createRun(
  needs: Limits & {
    readonly handlers: Handlers;
    readonly rateLimits: RateLimits;
    readonly idempotency: Idempotency;
    readonly places: Places;
    readonly countRefused: CountRefused;
    readonly isRepeat: IsRepeat;
    readonly longWork: LongWork;
    readonly clock: Clock;
    readonly onFault: (error: unknown, operation: AnyOperationName) => void;
    /** Called after each call is answered; must not throw. */
    readonly onAnswered: (call: AnsweredCall) => void;
  },
): Run {
  const { isRepeat, clock, onFault, onAnswered } = needs;
  const admission = createAdmission(needs);

  /** Admits a call, and answers it in a place that it has as long as it works. */
  async function answer(
    name: AnyOperationName,
    receive: () => unknown,
    caller: Caller,
    { waitSeconds, repeatWaitSeconds, place: given, ...context }: Omit<CallContext, "door">,
  ): Promise<Outcome> {
    const begun = performance.now();
    const deadline = begun + waitSeconds * 1_000;
    const repeatDeadline = repeatWaitSeconds && begun + repeatWaitSeconds * 1_000;
    const operation: Operation = allOperations[name];
    let [place, rate, waitedSeconds]: [Place | undefined, RateState | undefined, number] = [given, undefined, 0];
    try {
      await admission.refuse(operation, caller);
      const entered = place ?? admission.enter(caller, { signal: context.signal, deadline });
      place = await entered;
      if (entered instanceof Promise) waitedSeconds = (performance.now() - begun) / 1_000;
      const mayRepeat = repeatWaitSeconds !== undefined && operation.bucket === "transcribe";
      rate = await admission.count(operation, caller, mayRepeat ? () => isRepeat(name, receive, caller) : undefined);
      const { whileWaiting } = place;
      const result = await work(
        needs,
        { name, receive, caller },
        { ...context, deadline, repeatDeadline, rate, whileWaiting },
      );
      return { result, rate, waitedSeconds };
    } catch (error) {
      if (error instanceof RateLimited) rate = error.rate;
      if (error instanceof ServiceError) return { result: { error }, rate, waitedSeconds };
      // A call that stops because nobody waits for it any more is not a fault.
      if (!context.signal.aborted || error !== context.signal.reason) onFault(error, name);
      return { result: { error: internalError(error) }, rate, waitedSeconds };
    } finally {
      place?.leave();
    }
  }

  return {
    async admit(operation, caller) {
      await admission.refuse(operation, caller);
      return admission.count(operation, caller);
    },
    async within(caller, { signal, waitSeconds }, work) {
      const place = await admission.enter(caller, { signal, deadline: performance.now() + waitSeconds * 1_000 });
      try {
        return await work(place);
      } finally {
        place.leave();
      }
    },
    async call(name, receive, caller, { door, ...context }) {
      const at = clock.now();
      const outcome = await answer(name, receive, caller, context);
      const error = "error" in outcome.result ? outcome.result.error : undefined;
      const { waitedSeconds } = outcome;
      onAnswered({ operation: name, caller, door, status: statusOf(outcome), error, at, waitedSeconds });
      return outcome;
    },
  };
}

/** The handler's context, plus fields that only the run reads. */
type AdmittedContext = Omit<HandlerContext, "callId"> &
  Pick<CallContext, "idempotencyKey" | "onChange"> & { readonly rate: RateState | undefined };

interface WorkNeeds {
  readonly handlers: Handlers;
  readonly idempotency: Idempotency;
  readonly longWork: LongWork;
}

interface AdmittedCall {
  readonly name: AnyOperationName;
  readonly receive: () => unknown;
  readonly caller: Caller;
}

/** Does the work of an admitted call. */
async function work(
  { handlers, idempotency, longWork }: WorkNeeds,
  { name, receive, caller }: AdmittedCall,
  { idempotencyKey: key, onChange, rate, ...context }: AdmittedContext,
): Promise<Answered | Written | Streamed> {
  const operation: Operation = allOperations[name];
  refuseReadOnlyKey(operation, caller);
  if (key !== undefined) refuseIdempotencyKey(operation);
  const input = await inputOf(name, await received(receive, operation, context.whileWaiting), caller, longWork);
  const handle = handlers[name] as (call: unknown) => Promise<unknown>; // safe: the schema that read the input has the same name
  const change = onChange && ((output: unknown): boolean => onChange(writeOutput(operation, output), rate));
  const once = (callId?: string): Promise<unknown> => handle({ input, caller, callId, onChange: change, ...context });
  let result: Answered;
  if (key === undefined || !operation.http.idempotent || caller.kind === "anonymous") {
    const answer = await once();
    if (answer instanceof Written || answer instanceof Streamed) return answer;
    result = { ...outputOf(operation, answer), replayed: false };
  } else
    result = await idempotency(
      { subject: { accountId: caller.account.id, slot: slotOf(caller) }, key, operation: name, input },
      async (callId) => outputOf(operation, await once(callId)),
    );
  return afterReplay(handlers, result, operation, { caller, ...context });
}

/** A body arrives as its sender likes, in which time the place is for others. */
async function received(receive: () => unknown, { http }: Operation, whileWaiting: WhileWaiting): Promise<unknown> {
  const receiving = receive();
  return receiving instanceof Promise && hasBody(http) ? whileWaiting(() => receiving) : receiving;
}

function statusOf({ result }: Outcome): number {
  if ("error" in result) return result.error.status;
  return "accepted" in result && result.accepted ? 202 : 200;
}

const ownerOf = (caller: Caller): string =>
  caller.kind === "anonymous" ? `address:${caller.address}` : caller.account.id;

/** Reads the input; a long body is read off the main thread, by the same rules. */
async function inputOf(
  name: AnyOperationName,
  received: unknown,
  caller: Caller,
  longWork: LongWork,
): Promise<Record<string, unknown>> {
  const operation: Operation = allOperations[name];
  if (received instanceof UnreadBody) {
    const { bytes, beside, misplaced } = received.unread;
    return await longWork("readInput", { operation: name, bytes, beside, misplaced }, ownerOf(caller));
  }
  const input = readInput(operation.input, received);
  // Public operations don't query the database. Elsewhere a path field with U+0000 is simply not found.
  if (operation.access !== "public") refuseZeros(input, pathFieldsOf.get(name) ?? []);
  return input;
}

/** Writes a handler's answer by its operation's schema. */
function outputOf(operation: Operation, answer: unknown): Omit<Answered, "replayed"> {
  if (answer instanceof Accepted)
    return { output: writeOutput(operations.getTranscription, answer.output), accepted: true };
  return { output: writeOutput(operation, answer), accepted: false };
}

const retryAfter = 30;

/** Looks up the result of work that an earlier answer under the same key only announced, in the form that this call requests. */
async function afterReplay(
  { getTranscription }: Pick<Handlers, "getTranscription">,
  result: Answered,
  operation: Operation,
  { caller, ...context }: HandlerContext & { readonly caller: Caller },
): Promise<Answered> {
  if (!result.accepted || !result.replayed || caller.kind === "anonymous") return result;
  const id = String(result.output["id"]);
  const found = await getTranscription({ input: { id }, caller, ...context }).catch((error: unknown) => {
    // It went with its script.
    if (error instanceof ServiceError && error.code === "notFound") return undefined;
    throw error;
  });
  if (found === undefined || found instanceof Accepted) return result;
  const output = writeOutput(operations.getTranscription, found);
  if (output.result) return { ...result, output: writeOutput(operation, output.result), accepted: false };
  if (output.error) throw new ServiceError(output.error.code, output.error.message, { reason: output.error.reason });
  if (context.respondAsync) return { ...result, output };
  throw new ServiceError(
    "inProgress",
    `This reel is still being transcribed. Send the request again in about ${retryAfter} seconds.`,
    { reason: "transcriptionRunning", retryAfter, transcriptionId: id },
  );
}

/** Refuses a key that would be ignored, because the caller would think the request safe to repeat. */
function refuseIdempotencyKey(operation: Operation): void {
  if (operation.http.idempotent || onlyReads(operation)) return;
  throw new ServiceError(
    "invalidRequest",
    `Idempotency-Key isn't honored here. Leave the header out${operation.http.entityTag?.ifMatch ? ", and send If-Match to change it once only" : ""}.`,
  );
}
