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
  extensionOperations,
  fieldsInPath,
  onlyReads,
  operations,
  ServiceError,
  type AnyOperationName,
  type Operation,
} from "@reelscript/contract";
import type { Clock, LongWork, RateBucket, RateLimits, RateState } from "../ports.ts";
import { rateSubjectOf, slotOf } from "../rules/allowance.ts";
import type { Caller } from "../caller.ts";
import { RateLimited } from "../rules/refusals.ts";
import type { CountRefused } from "../callers/refused-calls.ts";
import { internalError } from "./error-response.ts";
import type { IsRepeat } from "./repeats.ts";
import type { Idempotency } from "./idempotency.ts";
import { readInput, refuseZeros, UnreadBody } from "./read-input.ts";
import { writeOutput } from "./write-output.ts";

/** A call as it may be told of: never what was in it. */
export interface AnsweredCall {
  readonly operation: AnyOperationName;
  readonly caller: Caller;
  readonly door: Door;
  /** Over HTTP; over MCP that of the same answer over HTTP. */
  readonly status: number;
  /** What the caller was told went wrong; its cause is for operators. */
  readonly error?: ServiceError | undefined;
  /** When it came. */
  readonly at: Date;
}

interface Outcome {
  readonly result: Answered | Written | Streamed | { readonly error: ServiceError };
  /** The tightest of the buckets that the call was counted against. */
  readonly rate: RateState | undefined;
}

export type RateLimitSettings = Readonly<Record<RateBucket["name"], number>>;

/** Limits of people who are signed in, for all their sessions together. */
export type SessionRateLimits = Omit<RateLimitSettings, "address">;

interface Limits {
  readonly limits: RateLimitSettings;
  readonly sessionLimits: SessionRateLimits;
}

function bucketsOf(operation: Operation | undefined, caller: Caller, limits: Limits): RateBucket[] {
  const allowed = limitsOf(caller, limits);
  if (caller.kind === "anonymous") return [{ name: "address", limit: allowed.address }];
  const names = ["default" as const, ...(operation?.bucket ? [operation.bucket] : [])];
  return names.map((name) => ({ name, limit: allowed[name] }));
}

/** An account's extensions read like the dashboard, and transcribe like programs. */
function limitsOf({ kind }: Caller, { limits, sessionLimits }: Limits): RateLimitSettings {
  if (kind === "extension") return { ...limits, ...sessionLimits, transcribe: limits.transcribe };
  return kind === "session" ? { ...limits, ...sessionLimits } : limits;
}

export interface Run {
  /** Access, rate limit, input, handler, output. `receive` is called only when the call is admitted. Never throws. */
  call(name: AnyOperationName, receive: () => unknown, caller: Caller, context: CallContext): Promise<Outcome>;
  /** Access and rate limit alone, for requests that reach no operation. */
  admit(operation: Operation | undefined, caller: Caller): Promise<RateState | undefined>;
}

const pathFieldsOf = new Map<string, readonly string[]>(
  Object.entries(allOperations).map(([name, { http }]) => [name, fieldsInPath(http.path)]),
);

const howToGetKey =
  "Create one in the dashboard under Settings, API keys, and send it as `Authorization: Bearer svc_sk_...`.";

export function createRun(
  needs: Limits & {
    readonly handlers: Handlers;
    readonly rateLimits: RateLimits;
    readonly idempotency: Idempotency;
    readonly countRefused: CountRefused;
    readonly isRepeat: IsRepeat;
    readonly longWork: LongWork;
    readonly clock: Clock;
    readonly onFault: (error: unknown, operation: AnyOperationName) => void;
    /** Told of every call once it is answered; must not throw. */
    readonly onAnswered: (call: AnsweredCall) => void;
  },
): Run {
  const { handlers, rateLimits, idempotency, countRefused, isRepeat, longWork, clock, onFault, onAnswered } = needs;

  async function admit(
    operation: Operation | undefined,
    caller: Caller,
    repeats?: () => Promise<boolean>,
  ): Promise<RateState | undefined> {
    if (caller.kind === "anonymous" && (operation?.access ?? "key") === "key") await countRefused(caller.address);
    refuseOthers(operation, caller);
    const buckets = bucketsOf(operation, caller, needs);
    const subject = caller.kind === "anonymous" ? `address:${caller.address}` : rateSubjectOf(caller);
    if (await repeats?.()) return tightest(await rateLimits.peek(subject, buckets, clock.now()));
    const { taken, states } = await rateLimits.take(subject, buckets, clock.now());
    if (!taken) throw refusal(states);
    return tightest(states);
  }

  async function answer(
    name: AnyOperationName,
    receive: () => unknown,
    caller: Caller,
    { waitSeconds, repeatWaitSeconds, idempotencyKey: key, onChange, ...context }: Omit<CallContext, "door">,
  ): Promise<Outcome> {
    const deadline = performance.now() + waitSeconds * 1_000;
    const repeatDeadline = repeatWaitSeconds && performance.now() + repeatWaitSeconds * 1_000;
    const operation: Operation = allOperations[name];
    let rate: RateState | undefined;
    try {
      const mayRepeat = repeatWaitSeconds !== undefined && operation.bucket === "transcribe";
      rate = await admit(operation, caller, mayRepeat ? () => isRepeat(name, receive, caller) : undefined);
      refuseReadOnlyKey(operation, caller);
      if (key !== undefined) refuseIdempotencyKey(operation);
      const input = await inputOf(name, await receive(), caller, longWork);
      const handle = handlers[name] as (call: unknown) => Promise<unknown>; // safe: the schema that read the input has the same name
      const change = onChange && ((output: unknown): boolean => onChange(writeOutput(operation, output), rate));
      const work = (callId?: string): Promise<unknown> =>
        handle({ input, caller, deadline, repeatDeadline, callId, onChange: change, ...context });
      let result: Answered;
      if (key === undefined || !operation.http.idempotent || caller.kind === "anonymous") {
        const answer = await work();
        if (answer instanceof Written || answer instanceof Streamed) return { result: answer, rate };
        result = { ...outputOf(operation, answer), replayed: false };
      } else
        result = await idempotency(
          { subject: { accountId: caller.account.id, slot: slotOf(caller) }, key, operation: name, input },
          async (callId) => outputOf(operation, await work(callId)),
        );
      return { result: await afterReplay(handlers, result, operation, { caller, deadline, ...context }), rate };
    } catch (error) {
      if (error instanceof RateLimited) rate = error.rate;
      if (error instanceof ServiceError) return { result: { error }, rate };
      // What stopped because nobody waits for it any more is no fault.
      if (!context.signal.aborted || error !== context.signal.reason) onFault(error, name);
      return { result: { error: internalError(error) }, rate };
    }
  }

  return {
    admit: (operation, caller) => admit(operation, caller),
    async call(name, receive, caller, { door, ...context }) {
      const at = clock.now();
      const outcome = await answer(name, receive, caller, context);
      const error = "error" in outcome.result ? outcome.result.error : undefined;
      onAnswered({ operation: name, caller, door, status: statusOf(outcome), error, at });
      return outcome;
    },
  };
}

function statusOf({ result }: Outcome): number {
  if ("error" in result) return result.error.status;
  return "accepted" in result && result.accepted ? 202 : 200;
}

const ownerOf = (caller: Caller): string =>
  caller.kind === "anonymous" ? `address:${caller.address}` : caller.account.id;

/** What is long is read beside the main thread, by the same rules. */
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
  // What is public is not looked up in the database, and what is looked up by a name that nothing can have is not found.
  if (operation.access !== "public") refuseZeros(input, pathFieldsOf.get(name) ?? []);
  return input;
}

/** What a handler answered, as its operation describes it. */
function outputOf(operation: Operation, answer: unknown): Omit<Answered, "replayed"> {
  if (answer instanceof Accepted)
    return { output: writeOutput(operations.getTranscription, answer.output), accepted: true };
  return { output: writeOutput(operation, answer), accepted: false };
}

const extensionScope: ReadonlySet<Operation | undefined> = new Set(
  extensionOperations.map((name): Operation => allOperations[name]),
);

function refuseOthers(operation: Operation | undefined, caller: Caller): void {
  const access = operation?.access ?? "key";
  if (caller.kind === "extension") {
    if (extensionScope.has(operation)) return;
    throw new ServiceError("unauthorized", "The extension's token is not for this. Use the dashboard, or an API key.", {
      reason: "outsideScope",
      status: 403,
    });
  }
  if (access === "session" && caller.kind !== "session")
    throw new ServiceError("unauthorized", "You are not signed in, or your session has ended. Sign in and try again.", {
      reason: "notSignedIn",
    });
  if (access === "key" && caller.kind === "anonymous")
    throw new ServiceError("unauthorized", `An API key is needed. ${howToGetKey}`, { reason: "keyMissing" });
}

/** After the call was counted, as every call of a valid key is. */
function refuseReadOnlyKey(operation: Operation, caller: Caller): void {
  if (caller.kind !== "key" || !caller.key.readOnly || onlyReads(operation)) return;
  const [what, remedy] =
    caller.key.address === null
      ? ["API key", "Use a key with full access, which you can create in the dashboard under Settings, API keys."]
      : ["program's access", "To allow more, disconnect the program under Settings, API keys, and connect it again."];
  throw new ServiceError(
    "unauthorized",
    `This ${what} is read-only: it can list, read and search, but not transcribe or change anything. ${remedy}`,
    { reason: "keyReadOnly" },
  );
}

function refusal(states: readonly RateState[]): RateLimited {
  const full = states.filter(({ remaining }) => remaining === 0);
  return new RateLimited(
    full.reduce((longest, state) => (state.resetSeconds > longest.resetSeconds ? state : longest)),
  );
}

const tightest = (states: readonly RateState[]): RateState | undefined =>
  states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0];

const retryAfter = 30;

/** Work that an earlier answer under the same key only announced: what it came to, as the call asks for it now. */
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

/** What is ignored would be taken for safe to repeat. */
function refuseIdempotencyKey(operation: Operation): void {
  if (operation.http.idempotent || onlyReads(operation)) return;
  throw new ServiceError(
    "invalidRequest",
    `Idempotency-Key isn't honored here. Leave the header out${operation.http.entityTag?.ifMatch ? ", and send If-Match to change it once only" : ""}.`,
  );
}
