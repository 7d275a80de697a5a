import { ServiceError, allOperations, extensionOperations, onlyReads, type Operation } from "@reelscript/contract";
import type { Clock, RateBucket, RateLimits, RateState } from "../ports.ts";
import { rateSubjectOf } from "../rules/allowance.ts";
import type { Caller, SessionCaller } from "../rules/caller.ts";
import type { CountCalls, CountRefused } from "../rules/count-calls.ts";
import type { IsOperator } from "../rules/operators.ts";
import { RateLimited } from "../rules/refusals.ts";

export type RateLimitSettings = Readonly<Record<RateBucket["name"], number>>;

/** Limits of people who are signed in, for all their sessions together. */
export type SessionRateLimits = Omit<RateLimitSettings, "address">;

export interface Limits {
  readonly limits: RateLimitSettings;
  readonly sessionLimits: SessionRateLimits;
}

interface AdmissionNeeds extends Limits {
  readonly rateLimits: RateLimits;
  readonly places: Places;
  readonly countRefused: CountRefused;
  /**
   * Counts calls that follow work. They have a limit of their own, so that a program that follows never uses up its other calls.
   */
  readonly countFollowing: CountCalls;
  readonly isOperator: IsOperator;
  readonly clock: Clock;
}

/** How long a call may wait for its place: `deadline` is a moment of `performance.now()`. */
interface PlaceWait {
  readonly signal: AbortSignal;
  readonly deadline: number;
}

/**
 * Admits a call before any work, at every door: access, a place, the rate limit. The place comes before the rate limit, so that
 * one caller never has more than its places in the database, and calls that give up waiting aren't counted. A call refused for
 * lack of a key takes no place: strangers must not hold up others of their network.
 */
interface Admission {
  /**
   * Throws `unauthorized`, `notFound` for operations that don't exist for the caller, and `rateLimited` for strangers who were
   * refused too often.
   */
  refuse(operation: Operation | undefined, caller: Caller): Promise<void>;
  /** Takes a place, as `Places.enter` does. */
  enter(caller: Caller, wait: PlaceWait): Place | Promise<Place>;
  /**
   * Counts the call, unless `isRepeat` says that an earlier one was counted for it; calls that follow work count apart. Returns
   * the state of the tightest bucket. Throws `RateLimited`.
   */
  count(
    operation: Operation | undefined,
    caller: Caller,
    isRepeat?: () => Promise<boolean> | boolean,
  ): Promise<RateState | undefined>;
}

export function createAdmission(needs: AdmissionNeeds): Admission {
  const { rateLimits, places, countRefused, countFollowing, isOperator, clock } = needs;
  return {
    async refuse(operation, caller) {
      if (caller.kind === "anonymous" && (operation?.access ?? "key") === "key") await countRefused(caller.address);
      refuseOthers(operation, caller);
      if (operation?.access === "operator" && caller.kind === "session")
        await refuseAllButOperators(operation, caller, isOperator, clock.now());
    },
    enter: (caller, wait) => places.enter(subjectOf(caller), wait),
    async count(operation, caller, isRepeat) {
      const buckets = bucketsOf(operation, caller, needs);
      const subject = subjectOf(caller);
      if (operation?.isFollowing && caller.kind !== "anonymous") {
        await countFollowing(subject);
        return tightest(await rateLimits.peek(subject, buckets, clock.now()));
      }
      if (await isRepeat?.()) return tightest(await rateLimits.peek(subject, buckets, clock.now()));
      const { taken, states } = await rateLimits.take(subject, buckets, clock.now());
      if (!taken) throw refusal(states);
      return tightest(states);
    },
  };
}

/** Calls of one subject are counted together and share places. */
export const subjectOf = (caller: Caller): string =>
  caller.kind === "anonymous" ? `address:${caller.address}` : rateSubjectOf(caller);

function bucketsOf(operation: Operation | undefined, caller: Caller, limits: Limits): RateBucket[] {
  const allowed = limitsOf(caller, limits);
  if (caller.kind === "anonymous") return [{ name: "address", limit: allowed.address }];
  const names = ["default" as const, ...(operation?.bucket ? [operation.bucket] : [])];
  return names.map((name) => ({ name, limit: allowed[name] }));
}

/** An account's extensions share the dashboard's limits for reading, and those of programs for transcribing. */
function limitsOf({ kind }: Caller, { limits, sessionLimits }: Limits): RateLimitSettings {
  if (kind === "extension") return { ...limits, ...sessionLimits, transcribe: limits.transcribe };
  return kind === "session" ? { ...limits, ...sessionLimits } : limits;
}

function refusal(states: readonly RateState[]): RateLimited {
  const full = states.filter(({ remaining }) => remaining === 0);
  return new RateLimited(
    full.reduce((longest, state) => (state.resetSeconds > longest.resetSeconds ? state : longest)),
  );
}

const tightest = (states: readonly RateState[]): RateState | undefined =>
  states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0];

const howToGetKey = "Create one in the dashboard under API keys, and send it as `Authorization: Bearer svc_sk_...`.";

const extensionScope: ReadonlySet<Operation | undefined> = new Set(
  extensionOperations.map((name): Operation => allOperations[name]),
);

function refuseOthers(operation: Operation | undefined, caller: Caller): void {
  const access = operation?.access ?? "key";
  if (caller.kind === "extension") {
    if (extensionScope.has(operation)) return;
    throw new ServiceError("unauthorized", "The extension can't do this. Use the dashboard or an API key.", {
      reason: "outsideScope",
      status: 403,
    });
  }
  if ((access === "session" || access === "operator") && caller.kind !== "session")
    throw new ServiceError("unauthorized", "You are not signed in, or your session has ended. Sign in and try again.", {
      reason: "notSignedIn",
    });
  if (access === "key" && caller.kind === "anonymous")
    throw new ServiceError("unauthorized", `You need an API key. ${howToGetKey}`, { reason: "keyMissing" });
}

/** How long after signing in an operator may change something. */
const freshSessionHours = 12;

/** Throws `notFound` unless the account operates the service, and `unauthorized` if it changes something in an old session. */
async function refuseAllButOperators(
  operation: Operation,
  { account, session }: SessionCaller,
  isOperator: IsOperator,
  now: Date,
): Promise<void> {
  if (!(await isOperator(account))) throw new ServiceError("notFound", "This path doesn't exist.");
  const hours = (now.getTime() - session.createdAt.getTime()) / 3_600_000;
  if (!onlyReads(operation) && hours >= freshSessionHours)
    throw new ServiceError(
      "unauthorized",
      `You signed in more than ${freshSessionHours} hours ago. Sign in again to change something here.`,
      { reason: "notSignedIn" },
    );
}

/** True if an operation can be tried without changing anything. */
export const hasDryRun = ({ input }: Operation): boolean => "dryRun" in input.shape;

/** Runs after the call was counted, like every call with a valid key. A dry run changes nothing. */
export function refuseReadOnlyKey(operation: Operation, caller: Caller, isDryRun = false): void {
  if (caller.kind !== "key" || !caller.key.readOnly || onlyReads(operation) || isDryRun) return;
  const [what, remedy] =
    caller.key.address === null
      ? ["API key", "Use a key with full access, which you can create in the dashboard under API keys."]
      : ["program's access", "To allow more, disconnect the program under API keys, and connect it again."];
  throw new ServiceError(
    "unauthorized",
    `This ${what} is read-only: it can read and search, but can't transcribe or change anything. ${remedy}`,
    { reason: "keyReadOnly" },
  );
}

/** Releases a call's place while the call waits for work outside this process, and takes one again afterward. */
export type WhileWaiting = <Value>(wait: () => Promise<Value>) => Promise<Value>;

/** A call's share of the process while it works. */
export interface Place {
  /**
   * Overlapping waits release the place once. Never refused on the way back: the call comes before those that haven't begun.
   */
  readonly whileWaiting: WhileWaiting;
  /** Does nothing when called again. */
  leave(): void;
}

export interface Places {
  /**
   * Takes a place for a call of `subject`, in order. Throws `rateLimited` if too many already wait or none is free at
   * `deadline`, a moment of `performance.now()`, and the signal's reason.
   */
  enter(
    subject: string,
    until: { readonly signal?: AbortSignal | undefined; readonly deadline: number },
  ): Place | Promise<Place>;
}

interface CallLimits {
  /** Calls of one subject that work at a time. */
  readonly atATime: number;
  /** Calls of one subject that may wait for that. */
  readonly waiting: number;
}

/** One subject's share of the process. */
interface Share {
  /** Takes a place and returns true, if one is free. */
  take(): boolean;
  /** Hands the place to the next call, so that nobody comes between. */
  giveBack(): void;
  readonly waiting: Set<() => void>;
  /** Calls that were already working before they waited for something outside. */
  readonly returning: Set<() => void>;
}

const retryAfter = 5;

/** Kept in memory, because the process is what is shared. Finding a free place costs two lookups in a map. */
export function createPlaces({ atATime, waiting: mostWaiting }: CallLimits): Places {
  const shares = new Map<string, Share>();

  function shareOf(subject: string): Share {
    const currentShare = shares.get(subject);
    if (currentShare !== undefined) return currentShare;
    const share = createShare(atATime, () => shares.delete(subject));
    shares.set(subject, share);
    return share;
  }

  return {
    enter(subject, { signal, deadline }) {
      const placeHere = (): Place => createPlace(() => shareOf(subject));
      const share = shareOf(subject);
      if (share.take()) return placeHere();
      if (share.waiting.size >= mostWaiting) throw tooMany(atATime, mostWaiting);
      const late = (): ServiceError => tooMany(atATime, mostWaiting);
      return waitIn(share.waiting, { signal, deadline, late }).then(placeHere);
    },
  };
}

/** Calls `onUnused` when no call works or waits in it any more. */
function createShare(atATime: number, onUnused: () => void): Share {
  let working = 0;
  const waiting = new Set<() => void>();
  const returning = new Set<() => void>();
  return {
    waiting,
    returning,
    take() {
      if (working >= atATime) return false;
      working += 1;
      return true;
    },
    giveBack() {
      const line = returning.size > 0 ? returning : waiting;
      const [begin] = line;
      if (begin !== undefined) {
        line.delete(begin);
        begin();
        return;
      }
      working -= 1;
      if (working === 0) onUnused();
    },
  };
}

/** A place in use. The share is looked up each time, because an unused one is forgotten. */
function createPlace(shareNow: () => Share): Place {
  let holds = true;
  let isOver = false;
  let waitCount = 0;
  let coming: Promise<void> | undefined;

  function release(): void {
    if (!holds) return;
    holds = false;
    shareNow().giveBack();
  }

  function hold(): void {
    coming = undefined;
    holds = true;
    // Another part of the call may have begun to wait meanwhile.
    if (isOver || waitCount > 0) release();
  }

  /** `undefined` once it has its place. */
  function comeBack(): Promise<void> | undefined {
    if (holds || isOver || coming !== undefined) return coming;
    const share = shareNow();
    if (share.take()) {
      hold();
      return undefined;
    }
    coming = new Promise<void>((resolve) => share.returning.add(resolve)).then(hold);
    return coming;
  }

  return {
    async whileWaiting(wait) {
      waitCount += 1;
      release();
      try {
        return await wait();
      } finally {
        waitCount -= 1;
        if (waitCount === 0) await comeBack();
      }
    },
    leave() {
      isOver = true;
      release();
    },
  };
}

/** Waits for a turn. A call that leaves early frees its position immediately. */
function waitIn(
  line: Set<() => void>,
  {
    signal,
    deadline,
    late,
  }: { readonly signal: AbortSignal | undefined; readonly deadline: number; readonly late: () => ServiceError },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      line.delete(begin);
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const begin = (): void => {
      settle();
      resolve();
    };
    const onAbort = (): void => {
      settle();
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        settle();
        reject(late());
      },
      Math.max(0, deadline - performance.now()),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort);
    line.add(begin);
  });
}

const tooMany = (atATime: number, waiting: number): ServiceError =>
  new ServiceError(
    "rateLimited",
    `Too many of your requests are in progress: at most ${atATime} run at a time and ${waiting} wait. Try again in ${retryAfter} seconds.`,
    { reason: "tooManyAtATime", retryAfter },
  );

/** Runs work, and aborts its controller with the service's reason when the service closes. */
export type WhileOpen = <Result>(controller: AbortController, work: () => Promise<Result>) => Promise<Result>;

/**
 * One listener serves all calls, because a listener and a signal per call would cost more than the call's own.
 * `AbortSignal.any` is no alternative: on Node 20 a signal that lives as long as the service keeps a trace of each signal made
 * from it.
 */
export function createWhileOpen(closing: AbortSignal): WhileOpen {
  const open = new Set<AbortController>();
  closing.addEventListener("abort", () => {
    for (const controller of open) controller.abort(closing.reason);
  });
  return async (controller, work) => {
    if (closing.aborted) controller.abort(closing.reason);
    open.add(controller);
    try {
      return await work();
    } finally {
      open.delete(controller);
    }
  };
}

/** An HTTP response, as far as its end can be observed. */
interface SentAnswer {
  readonly writableFinished: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** Aborted when the connection closes before the answer is sent. */
export function goneWith(response: SentAnswer): AbortController {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone;
}
