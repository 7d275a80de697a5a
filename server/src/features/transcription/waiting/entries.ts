import { operations, ServiceError } from "@reelscript/contract";
import type { AccountCaller, Caller } from "../../../caller.ts";
import { Accepted, type Entry, type HandlerAnswer } from "../../../run/handler.ts";
import type { RateLimits, ReelLocator } from "../../../ports.ts";
import { readOwnTranscription, type ReadNeeds } from "../own-transcriptions.ts";
import { retryAfter } from "../refuse-start.ts";
import { beginWait, type CallerWait, freeRepeats, type Waiter, waiters, type WaitingHandler } from "./waiting.ts";

interface RepeatNeeds extends ReadNeeds {
  readonly rateLimits: RateLimits;
  readonly locator: ReelLocator;
}

export function enterTranscribeReel(
  needs: RepeatNeeds,
  handle: WaitingHandler<"transcribeReel">,
): Entry<"transcribeReel", CallerWait> {
  const isRepeat = createIsRepeat(needs);
  return {
    enter({ door, caller, receive, wait: callerWait }) {
      const wait = beginWait(door, callerWait);
      return {
        isRepeat: wait.waiter.repeatsCount ? undefined : () => isRepeat(receive, caller),
        handle: (call) => handle(call, wait),
        renew: (accepted, account) => renewAccepted(needs, String(accepted["id"]), account, wait.waiter),
      };
    },
  };
}

export const enterRetranscribeScript = (
  handle: WaitingHandler<"retranscribeScript">,
): Entry<"retranscribeScript", CallerWait> => ({
  enter({ door, wait: callerWait }) {
    const wait = beginWait(door, callerWait);
    return { handle: (call) => handle(call, wait) };
  },
});

/** True if a call of `transcribeReel` only waits again for work that an earlier, counted call started. */
type IsRepeat = (receive: () => unknown, caller: Caller) => Promise<boolean>;

const createIsRepeat =
  ({ store, rateLimits, locator, clock }: RepeatNeeds): IsRepeat =>
  async (receive, caller) => {
    if (caller.kind === "anonymous") return false;
    // Unreadable input is refused later, once the call is counted.
    const input = await Promise.resolve()
      .then(receive)
      .catch(() => undefined);
    const read = operations.transcribeReel.input.safeParse(input);
    // Share links aren't followed for it.
    const reel = read.success ? locator.read(read.data.url) : undefined;
    if (reel === undefined) return false;
    const since = new Date(clock.now().getTime() - freeRepeats.recentMilliseconds);
    const awaited = await store.transcriptions.findAwaited(reel, caller.account.id, {
      seconds: waiters.tool.seconds,
      since,
    });
    if (awaited === undefined) return false;
    const buckets = [{ name: "transcribe", limit: freeRepeats.most } as const];
    return (await rateLimits.take(`again:${awaited}`, buckets, clock.now())).taken;
  };

/** Answers a caller who does not wait with the state of the transcription. */
export async function acceptTranscription(needs: ReadNeeds, caller: AccountCaller, id: string): Promise<Accepted> {
  const found = await readOwnTranscription(needs, caller, id);
  if (found === undefined) throw new Error(`transcription ${id} is gone`);
  return new Accepted(found);
}

/**
 * Looks up the result of work that an earlier answer under the same key only announced, in the form that this call requests.
 * Returns undefined when it went with its script; throws the work's error, and `inProgress`.
 */
async function renewAccepted(
  needs: ReadNeeds,
  id: string,
  caller: AccountCaller,
  waiter: Waiter,
): Promise<HandlerAnswer<"transcribeReel"> | undefined> {
  const found = await readOwnTranscription(needs, caller, id);
  if (found === undefined) return undefined;
  if (found.result) return found.result;
  if (found.error) throw new ServiceError(found.error.code, found.error.message, { reason: found.error.reason });
  if (waiter.thenGets === "accepted") return new Accepted(found);
  throw new ServiceError(
    "inProgress",
    `This reel is still being transcribed. Send the request again in about ${retryAfter} seconds.`,
    { reason: "transcriptionRunning", retryAfter, transcriptionId: id },
  );
}
