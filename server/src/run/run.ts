import {
  Accepted,
  type Answered,
  type CallContext,
  type HandlerContext,
  type Handlers,
  type RepeatsOf,
  Streamed,
  Written,
} from "./handler.ts";
import {
  allOperations,
  hasBody,
  onlyReads,
  ServiceError,
  type AnyOperationName,
  type Operation,
} from "@reelscript/contract";
import type { CheckedInput, Clock, LongWork, RateLimits, RateState } from "../ports.ts";
import { slotOf } from "../rules/allowance.ts";
import type { Caller } from "../rules/caller.ts";
import type { CountCalls, CountRefused } from "../rules/count-calls.ts";
import type { IsOperator } from "../rules/operators.ts";
import { RateLimited } from "../rules/refusals.ts";
import {
  createAdmission,
  hasDryRun,
  refuseReadOnlyKey,
  type Limits,
  type Place,
  type Places,
  type WhileWaiting,
} from "./admission.ts";
import { costs, createByteShares, shareLimits, type ByteShares, type TakenBytes } from "./costs.ts";
import { UnreadBody, checkInput, writeOutput } from "./schemas.ts";
import { internalError } from "./error-response.ts";
import type { Idempotency } from "./idempotency.ts";
import { type Door, doorSeconds } from "./patience.ts";

/** The facts about a call for logs and metrics, without its contents. */
export interface AnsweredCall {
  readonly operation: AnyOperationName;
  readonly caller: Caller;
  readonly door: Door;
  /** The HTTP status; for MCP, the status that the same answer has over HTTP. */
  readonly status: number;
  /** The error that the caller received; its cause is for operators. */
  readonly error?: ServiceError | undefined;
  /** When the call arrived. */
  readonly at: Date;
  /** How long the call waited for a place. */
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
  /** Only access and rate limit, for requests that reach no operation. */
  admit(operation: Operation | undefined, caller: Caller): Promise<RateState | undefined>;
  /** Runs other work for a caller in one of its places. Throws like `Places.enter`, and the work's errors. */
  within<Result>(
    caller: Caller,
    wait: { readonly signal: AbortSignal; readonly waitSeconds: number },
    work: (place: Place) => Promise<Result>,
  ): Promise<Result>;
}

interface RunNeeds extends Limits {
  readonly handlers: Handlers;
  readonly repeats: RepeatsOf;
  readonly rateLimits: RateLimits;
  readonly idempotency: Idempotency;
  readonly places: Places;
  readonly countRefused: CountRefused;
  readonly countFollowing: CountCalls;
  readonly isOperator: IsOperator;
  readonly longWork: LongWork;
  readonly clock: Clock;
  readonly onFault: (error: unknown, operation: AnyOperationName) => void;
  /** Called after each call is answered; must not throw. */
  readonly onAnswered: (call: AnsweredCall) => void;
}

export function createRun(needs: RunNeeds): Run {
  const { repeats, clock, onFault, onAnswered } = needs;
  const admission = createAdmission(needs);
  const shares = createByteShares(shareLimits);

  /** Admits a call and answers it. The call has a place while it works. */
  async function answer(
    name: AnyOperationName,
    receive: () => unknown,
    caller: Caller,
    context: CallContext,
  ): Promise<Outcome> {
    const begun = performance.now();
    const { door, signal, patience } = context;
    const operation: Operation = allOperations[name];
    let { place } = context;
    let rate: RateState | undefined;
    let waitedSeconds = 0;
    let taken: TakenBytes | undefined;
    try {
      await admission.refuse(operation, caller);
      const deadline = begun + Math.max(doorSeconds[door], patience.seconds) * 1_000;
      const entering = place ?? admission.enter(caller, { signal, deadline });
      place = await entering;
      if (entering instanceof Promise) waitedSeconds = (performance.now() - begun) / 1_000;
      const isRepeat = patience.repeatsCount ? undefined : () => repeats[name]?.isRepeat(receive, caller) ?? false;
      rate = await admission.count(operation, caller, isRepeat);
      context.onCounted?.(rate);
      const { whileWaiting } = place;
      const takeBytes = async (bytes: number): Promise<void> => {
        if (bytes > 0) taken = await takeShare(shares, bytes, caller, { signal, deadline, whileWaiting });
      };
      await takeBytes(bodyCostOf(name));
      const result = await work(needs, { name, receive, caller, context, begun, deadline, whileWaiting, takeBytes });
      return { result, rate, waitedSeconds };
    } catch (error) {
      if (error instanceof RateLimited) rate = error.rate;
      if (error instanceof ServiceError) return { result: { error }, rate, waitedSeconds };
      // A call that ends early because its caller left is not a failure.
      if (!signal.aborted || error !== signal.reason) onFault(error, name);
      return { result: { error: internalError(error) }, rate, waitedSeconds };
    } finally {
      if (taken !== undefined) giveBack(taken, context);
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
    async call(name, receive, caller, context) {
      const at = clock.now();
      const outcome = await answer(name, receive, caller, context);
      const error = "error" in outcome.result ? outcome.result.error : undefined;
      const { waitedSeconds } = outcome;
      onAnswered({ operation: name, caller, door: context.door, status: statusOf(outcome), error, at, waitedSeconds });
      return outcome;
    },
  };
}

type Handle = (call: HandlerContext & { readonly input: unknown; readonly caller: Caller }) => Promise<unknown>;

interface WorkNeeds {
  readonly handlers: Handlers;
  readonly repeats: RepeatsOf;
  readonly idempotency: Idempotency;
  readonly longWork: LongWork;
}

interface AdmittedCall {
  readonly name: AnyOperationName;
  readonly receive: () => unknown;
  readonly caller: Caller;
  readonly context: CallContext;
  readonly begun: number;
  readonly deadline: number;
  readonly whileWaiting: WhileWaiting;
  readonly takeBytes: (bytes: number) => Promise<void>;
}

/** Does the work of an admitted call. */
async function work(
  { handlers, repeats, idempotency, longWork }: WorkNeeds,
  { name, receive, caller, context, begun, deadline, whileWaiting, takeBytes }: AdmittedCall,
): Promise<Answered | Written | Streamed> {
  const operation: Operation = allOperations[name];
  const { signal, patience, userAgent, media, form, idempotencyKey: key } = context;
  const mayBeDry = hasDryRun(operation);
  if (!mayBeDry) refuseReadOnlyKey(operation, caller);
  if (key !== undefined) refuseIdempotencyKey(operation);
  const given = await received(receive, operation, whileWaiting);
  if (mayBeDry && !(given instanceof UnreadBody)) refuseReadOnlyKey(operation, caller, isDryRun(given));
  const isOnceOnly = key !== undefined && operation.http.idempotent === true && caller.kind !== "anonymous";
  const { input, digest } = await inputOf(name, given, caller, isOnceOnly, longWork);
  if (mayBeDry) refuseReadOnlyKey(operation, caller, isDryRun(input));
  await takeBytes(answerCostOf(name, input));
  const handle = handlers[name] as Handle; // safe: the schema that read the input has the same name
  const once = (callId?: string): Promise<unknown> =>
    handle({ input, caller, callId, signal, begun, deadline, patience, whileWaiting, userAgent, media, form });
  if (digest === undefined || key === undefined || caller.kind === "anonymous") {
    const answer = await once();
    if (answer instanceof Written || answer instanceof Streamed) return answer;
    return { ...outputOf(operation, answer), replayed: false };
  }
  const result = await idempotency(
    { subject: { accountId: caller.account.id, slot: slotOf(caller) }, key, request: digest },
    async (callId) => outputOf(operation, await once(callId)),
  );
  if (!result.replayed || !result.accepted) return result;
  const renewed = await repeats[name]?.renew(result.output, caller, patience);
  return renewed === undefined ? result : { ...outputOf(operation, renewed), replayed: true };
}

/** A call gives its place back until the account's share has room, so that small calls pass. */
async function takeShare(
  shares: ByteShares,
  bytes: number,
  caller: Caller,
  {
    signal,
    deadline,
    whileWaiting,
  }: Pick<AdmittedCall, "deadline" | "whileWaiting"> & { readonly signal: AbortSignal },
): Promise<TakenBytes> {
  const taking = shares.take(ownerOf(caller), bytes, { signal, deadline });
  return taking instanceof Promise ? whileWaiting(() => taking) : taking;
}

/** An answer takes its account's share until it is sent, if its door can say when. */
function giveBack(taken: TakenBytes, { onSent }: CallContext): void {
  taken.leaveProcess();
  if (onSent === undefined) taken.giveBack();
  else onSent(() => taken.giveBack());
}

function bodyCostOf(name: AnyOperationName): number {
  const cost = costs[name];
  return cost !== undefined && "body" in cost ? cost.body : 0;
}

function answerCostOf(name: AnyOperationName, input: Record<string, unknown>): number {
  const cost = costs[name];
  // safe: the schema that read the input has the same name
  return cost !== undefined && "answer" in cost ? cost.answer(input as never) : 0;
}

const isDryRun = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "dryRun" in input && input.dryRun === true;

/** Releases the place until the body has arrived, because its sender decides how long that takes. */
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
  wantsDigest: boolean,
  longWork: LongWork,
): Promise<CheckedInput> {
  if (!(received instanceof UnreadBody)) return checkInput(name, received, wantsDigest);
  const { bytes, beside, misplaced } = received.unread;
  return await longWork("readInput", { operation: name, bytes, beside, misplaced, wantsDigest }, ownerOf(caller));
}

/** Writes a handler's answer by its operation's schema, or by that of the operation that shows the progress. */
function outputOf(operation: Operation, answer: unknown): Omit<Answered, "replayed"> {
  if (!(answer instanceof Accepted)) return { output: writeOutput(operation, answer), accepted: false };
  const followed = (allOperations as Readonly<Record<string, Operation>>)[operation.http.respondAsync ?? ""];
  if (followed === undefined) throw new Error("an operation accepted a call that nobody can follow");
  return { output: writeOutput(followed, answer.output), accepted: true };
}

/** Refuses a key that would be ignored, because the caller would think the request safe to repeat. */
function refuseIdempotencyKey(operation: Operation): void {
  if (operation.http.idempotent || onlyReads(operation)) return;
  throw new ServiceError(
    "invalidRequest",
    `Idempotency-Key isn't supported here. Omit the header${operation.http.entityTag?.ifMatch ? ", and send If-Match to change it once only" : ""}.`,
  );
}
