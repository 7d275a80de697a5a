import {
  operations,
  peopleOperations,
  ServiceError,
  type Operation,
  type Operations,
  type PeopleOperations,
} from "@reelscript/contract";
import * as z from "zod";
import type { Clock, RateBucket, RateLimits, RateState } from "./ports.ts";
import { rateSubjectOf } from "./allowance.ts";
import type { AccountCaller, Caller, SessionCaller } from "./caller.ts";
import { Accepted } from "./accepted.ts";
import type { Idempotency } from "./idempotency.ts";
import { readInput } from "./read-input.ts";

const all = { ...operations, ...peopleOperations };
type All = Operations & PeopleOperations;
export type AnyOperationName = keyof All;

/** Where a call came in: for programs over REST and MCP, for signed-in people. */
type Door = "rest" | "mcp" | "people";

/** A call as it may be told of: never what was in it. */
export interface AnsweredCall {
  readonly operation: AnyOperationName;
  readonly caller: Caller;
  readonly door: Door;
  /** Over HTTP; over MCP that of the same answer over HTTP. */
  readonly status: number;
  /** When it came. */
  readonly at: Date;
}

/** How long and how visibly a call may wait. */
export interface CallContext {
  readonly door: Door;
  /** Ends the waiting, not work that others may use. */
  readonly signal: AbortSignal;
  /** How long the door can wait for slow work, from the beginning of the call. */
  readonly waitSeconds: number;
  /** Shown to the caller while waiting. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether the caller would rather be told how the work goes than wait for it. */
  readonly respondAsync?: boolean | undefined;
  /** Asks for every state until the last, which is the answer; with the state of the tightest bucket. */
  readonly onChange?: ((output: Record<string, unknown>, rate: RateState | undefined) => void) | undefined;
  /** As the caller gave it, for operations that honour one. */
  readonly idempotencyKey?: string | undefined;
}

interface Progress {
  /** 0 to 1. */
  readonly done: number;
  readonly message: string;
}

type CallerOf<Name extends AnyOperationName> = All[Name]["access"] extends "public"
  ? Caller
  : All[Name]["access"] extends "session"
    ? SessionCaller
    : AccountCaller;

/** As the door's context, with the end of the waiting as a moment of `performance.now()`. */
export interface HandlerContext extends Omit<CallContext, "door" | "waitSeconds" | "idempotencyKey" | "onChange"> {
  readonly deadline: number;
}

export type Handler<Name extends AnyOperationName> = (
  call: {
    readonly input: z.output<All[Name]["input"]>;
    readonly caller: CallerOf<Name>;
    readonly onChange?: ((output: z.input<All[Name]["output"]>) => void) | undefined;
  } & HandlerContext,
) => Promise<z.input<All[Name]["output"]> | Accepted>;

/** A missing or wrongly typed handler does not compile. */
export type Handlers = { readonly [Name in AnyOperationName]: Handler<Name> };

interface Answered {
  readonly output: Record<string, unknown>;
  /** Whether the work goes on, and the output is that of the operation which tells how. */
  readonly accepted: boolean;
  /** Whether it is an answer of before, under the caller's key. */
  readonly replayed: boolean;
}

interface Outcome {
  readonly result: Answered | { readonly error: ServiceError };
  /** The tightest of the buckets that the call was counted against. */
  readonly rate: RateState | undefined;
}

export type RateLimitSettings = Readonly<Record<RateBucket["name"], number>>;

/** Limits of people who are signed in, for all their sessions together. */
export type SessionRateLimits = Omit<RateLimitSettings, "address">;

export interface Run {
  /** Access, rate limit, input, handler, output. `receive` is called only when the call is admitted. Never throws. */
  call(name: AnyOperationName, receive: () => unknown, caller: Caller, context: CallContext): Promise<Outcome>;
  /** Access and rate limit alone, for requests that reach no operation. */
  admit(operation: Operation | undefined, caller: Caller): Promise<RateState | undefined>;
}

const howToGetKey =
  "Create one in the dashboard under Settings, API keys, and send it as `Authorization: Bearer svc_sk_...`.";

export function createRun(needs: {
  readonly handlers: Handlers;
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly sessionLimits: SessionRateLimits;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly onFault: (error: unknown, operation: AnyOperationName) => void;
  /** Told of every call once it is answered; must not throw. */
  readonly onAnswered: (call: AnsweredCall) => void;
}): Run {
  const { handlers, rateLimits, limits, sessionLimits, idempotency, clock, onFault, onAnswered } = needs;

  async function admit(operation: Operation | undefined, caller: Caller): Promise<RateState | undefined> {
    refuseOthers(operation, caller);
    const allowed = caller.kind === "session" ? { ...limits, ...sessionLimits } : limits;
    const names: RateBucket["name"][] = [caller.kind === "anonymous" ? "address" : "default"];
    if (caller.kind !== "anonymous" && operation?.bucket) names.push(operation.bucket);
    const buckets = names.map((name) => ({ name, limit: allowed[name] }));
    const subject = caller.kind === "anonymous" ? `address:${caller.address}` : rateSubjectOf(caller);
    const { taken, states } = await rateLimits.take(subject, buckets, clock.now());
    if (!taken) throw refusal(states);
    return tightest(states);
  }

  async function answer(
    name: AnyOperationName,
    receive: () => unknown,
    caller: Caller,
    { waitSeconds, idempotencyKey: key, onChange, ...context }: Omit<CallContext, "door">,
  ): Promise<Outcome> {
    const deadline = performance.now() + waitSeconds * 1_000;
    const operation: Operation = all[name];
    let rate: RateState | undefined;
    try {
      rate = await admit(operation, caller);
      const input = readInput(operation.input, await receive());
      const handle = handlers[name] as (call: unknown) => Promise<unknown>; // safe: the schema that read the input has the same name
      const change = onChange && ((output: unknown): void => onChange(operation.output.parse(output), rate));
      const work = async () => {
        const answer = await handle({ input, caller, deadline, onChange: change, ...context });
        const accepted = answer instanceof Accepted;
        const output = accepted
          ? operations.getTranscription.output.parse(answer.output)
          : operation.output.parse(answer);
        return { output, accepted };
      };
      const result =
        key === undefined || operation.http.idempotent === undefined || caller.kind === "anonymous"
          ? { ...(await work()), replayed: false }
          : await idempotency({ accountId: caller.account.id, key, operation: name, input }, work);
      return { result, rate };
    } catch (error) {
      if (error instanceof RateLimited) rate = error.rate;
      if (error instanceof ServiceError) return { result: { error }, rate };
      // What stopped because nobody waits for it any more is no fault.
      if (!context.signal.aborted || error !== context.signal.reason) onFault(error, name);
      const masked = new ServiceError(
        "internalError",
        "Something broke on our side. Try again; if it stays, report the request id.",
      );
      return { result: { error: masked }, rate };
    }
  }

  return {
    admit,
    async call(name, receive, caller, { door, ...context }) {
      const at = clock.now();
      const outcome = await answer(name, receive, caller, context);
      onAnswered({ operation: name, caller, door, status: statusOf(outcome), at });
      return outcome;
    },
  };
}

function statusOf({ result }: Outcome): number {
  if ("error" in result) return result.error.status;
  return result.accepted ? 202 : 200;
}

function refuseOthers(operation: Operation | undefined, caller: Caller): void {
  const access = operation?.access ?? "key";
  if (access === "session" && caller.kind !== "session")
    throw new ServiceError("unauthorized", "You are not signed in, or your session has ended. Sign in and try again.");
  if (access === "key" && caller.kind === "anonymous")
    throw new ServiceError("unauthorized", `An API key is needed. ${howToGetKey}`);
}

/** Carries the state of the full bucket, so that the door can show it. */
export class RateLimited extends ServiceError {
  readonly rate: RateState;

  constructor(rate: RateState) {
    const wait = Math.max(1, Math.ceil(rate.resetSeconds));
    const what = {
      default: "requests",
      transcribe: "transcriptions",
      bioWrite: "changes of the bio page",
      address: "requests without a key",
    };
    super(
      "rateLimited",
      `At most ${rate.bucket.limit} ${what[rate.bucket.name]} per hour. Try again in ${wait} seconds.`,
      { retryAfter: wait },
    );
    this.rate = rate;
  }
}

function refusal(states: readonly RateState[]): RateLimited {
  const full = states.filter(({ remaining }) => remaining === 0);
  return new RateLimited(
    full.reduce((longest, state) => (state.resetSeconds > longest.resetSeconds ? state : longest)),
  );
}

const tightest = (states: readonly RateState[]): RateState | undefined =>
  states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0];
