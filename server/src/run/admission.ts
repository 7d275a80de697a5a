import { allOperations, extensionOperations, onlyReads, ServiceError, type Operation } from "@reelscript/contract";
import type { Clock, RateBucket, RateLimits, RateState } from "../ports.ts";
import type { Caller } from "../rules/caller.ts";
import { createCountCalls, type CountCalls, type CountRefused } from "../callers/count-calls.ts";
import { rateSubjectOf } from "../rules/allowance.ts";
import { RateLimited } from "../rules/refusals.ts";
import type { Place, Places } from "./places.ts";

export type RateLimitSettings = Readonly<Record<RateBucket["name"], number>>;

/** Limits of people who are signed in, for all their sessions together. */
export type SessionRateLimits = Omit<RateLimitSettings, "address">;

export interface Limits {
  readonly limits: RateLimitSettings;
  readonly sessionLimits: SessionRateLimits;
}

const followingText = "requests that follow your transcriptions";

/** Counts calls that follow work. They have a limit of their own, so that a program that follows never uses up its other calls. */
export const createCountFollowing = (needs: {
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  readonly limit: number;
}): CountCalls => createCountCalls({ ...needs, kind: "following", calls: followingText });

interface AdmissionNeeds extends Limits {
  readonly rateLimits: RateLimits;
  readonly places: Places;
  readonly countRefused: CountRefused;
  readonly countFollowing: CountCalls;
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
export interface Admission {
  /** Throws `unauthorized`, and `rateLimited` for strangers who were refused too often. */
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
  const { rateLimits, places, countRefused, countFollowing, clock } = needs;
  return {
    async refuse(operation, caller) {
      if (caller.kind === "anonymous" && (operation?.access ?? "key") === "key") await countRefused(caller.address);
      refuseOthers(operation, caller);
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
  if (access === "session" && caller.kind !== "session")
    throw new ServiceError("unauthorized", "You are not signed in, or your session has ended. Sign in and try again.", {
      reason: "notSignedIn",
    });
  if (access === "key" && caller.kind === "anonymous")
    throw new ServiceError("unauthorized", `You need an API key. ${howToGetKey}`, { reason: "keyMissing" });
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
