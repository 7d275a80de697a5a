import { ServiceError } from "@reelscript/contract";
import type {
  Account,
  Allowance,
  BatchLinkOutcome,
  BatchWait,
  DueBatch,
  Failure,
  ReelAddress,
  TranscriptionOutcome,
  WaitingLink,
  Allowances,
  Batches,
  Clock,
  RateLimits,
  RecognizerVersion,
  Transcriptions,
} from "../../../ports.ts";
import { refusalKey } from "../../../recognition/recognizer-of.ts";
import { allowanceOf, type QuotaScope } from "../../../rules/allowance.ts";
import type { SessionRateLimits } from "../../../run/admission.ts";
import type { AccountCaller } from "../../../rules/caller.ts";
import { refuseUse } from "../refuse-start.ts";
import { failureOf } from "./read-links.ts";

export interface BeginNeeds {
  readonly allowances: Allowances;
  readonly batches: Batches;
  readonly clock: Clock;
  readonly limitsOf: (caller: Pick<AccountCaller, "kind">) => SessionRateLimits;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly quotaScope: QuotaScope;
  readonly rateLimits: RateLimits;
  readonly recognizer: RecognizerVersion;
  readonly transcriptions: Transcriptions;
}

/** How queued transcriptions end when their batch is canceled. */
export const batchCanceled: Failure = {
  code: "unavailable",
  status: 503,
  message: "Your account canceled the batch before this transcription began. You weren't charged.",
  reason: "batchCanceled",
};

/** Links of an account's batches that are in the queue at a time, so that its single reels find room beside them. */
const mostUnderWay = 8;
/** A link that ends or is located makes its batch due at once. This pause is for what goes unnoticed. */
export const laterSeconds = 60;
/** Somebody else's transcription of a reel ends in seconds. */
const othersSeconds = 5;
const queueSeconds = 15;
/** Why links of a batch don't begin in this look, and when to look again. */
export interface Block {
  readonly seconds: number;
  readonly waitingFor: BatchWait | null;
}

/** Everything that a look at a batch works with. */
interface Beginning {
  readonly needs: BeginNeeds;
  readonly batch: DueBatch;
  readonly account: Account;
  readonly signal: AbortSignal;
  /** Links of the account's batches in the queue. */
  underWay: number;
  block: Block | undefined;
}

/** `none`: no further fresh link can begin in this look. */
type Next = "more" | "none";

/** Begins the links of a batch in their order, as far as there is room. Says what keeps the rest waiting. */
export async function beginLinks(
  needs: BeginNeeds,
  batch: DueBatch,
  account: Account,
  signal: AbortSignal,
): Promise<Block | undefined> {
  const beginning: Beginning = { needs, batch, account, signal, underWay: batch.underWay, block: undefined };
  const cached = await findCached(beginning);
  let next: Next = "more";
  for (const link of batch.links) {
    if (signal.aborted) {
      wait(beginning, 0, null);
      break;
    }
    if (link.reel === null) waitForLook(beginning, link);
    else if (cached.has(link) && (await takeCached(beginning, link, link.reel))) continue;
    else if (next === "more") next = await begin(beginning, link, link.reel);
  }
  return beginning.block;
}

/** The soonest moment counts, and the reason of the first link that waits. */
function wait(beginning: Beginning, seconds: number, waitingFor: BatchWait | null): void {
  const { block } = beginning;
  beginning.block = {
    seconds: Math.min(seconds, block?.seconds ?? seconds),
    waitingFor: block?.waitingFor ?? waitingFor,
  };
}

const note = ({ needs, batch }: Beginning, { position }: WaitingLink, outcome: BatchLinkOutcome): Promise<boolean> =>
  needs.batches.note(batch.id, position, outcome);

const allowanceNow = ({ needs, batch, account }: Beginning): Allowance =>
  allowanceOf(account, batch.owner.slot, needs.quotaScope, needs.clock.now());

async function findCached({ needs, batch }: Beginning): Promise<ReadonlySet<WaitingLink>> {
  const links = batch.links.filter(({ reel }) => reel !== null);
  const reels = links.flatMap(({ reel }) => (reel === null ? [] : [reel]));
  if (reels.length === 0) return new Set();
  const areCached = await needs.batches.areCached(reels, batch.owner.accountId, batch.languageHint !== null);
  return new Set(links.filter((_, index) => areCached[index]));
}

async function takeCached(beginning: Beginning, link: WaitingLink, reel: ReelAddress): Promise<boolean> {
  const { needs, batch, account } = beginning;
  // A process may have died after it began this link: that is no gift of the cache.
  const begun = await needs.batches.findBegun(account.id, reel, batch.since);
  if (begun !== undefined && begun.ownId !== null) {
    await note(beginning, link, { kind: "begun", transcriptionId: begun.ownId });
    return true;
  }
  const hasHint = batch.languageHint !== null;
  const cachedTranscript = await needs.transcriptions.takeCached(reel, allowanceNow(beginning), needs.clock.now(), {
    isOwn: hasHint,
  });
  if (cachedTranscript === undefined) return false;
  await note(beginning, link, { kind: "cached" });
  return true;
}

async function begin(beginning: Beginning, link: WaitingLink, reel: ReelAddress): Promise<Next> {
  const { needs, batch, account } = beginning;
  const begun = await needs.batches.findBegun(account.id, reel, batch.since);
  if (begun !== undefined && begun.ownId !== null) return noteBegun(beginning, link, begun.ownId);
  if (begun !== undefined) {
    wait(beginning, othersSeconds, null);
    return "more";
  }
  if (beginning.underWay >= Math.min(mostUnderWay, needs.queueLimitPerAccount)) {
    wait(beginning, laterSeconds, null);
    return "none";
  }
  const room = await findRoom(beginning);
  if (room === "none") return "none";
  if (room === "used") {
    const refusal = refuseUse(allowanceNow(beginning), { account });
    await note(beginning, link, { kind: "failed", failure: failureOf(refusal) });
    return "more";
  }
  return request(beginning, link, reel);
}

async function noteBegun(beginning: Beginning, link: WaitingLink, transcriptionId: string): Promise<Next> {
  const { needs, batch, account } = beginning;
  beginning.underWay += 1;
  if (await note(beginning, link, { kind: "begun", transcriptionId })) return "more";
  // The batch was canceled meanwhile.
  await needs.batches.endCanceled(account.id, batch.id, batchCanceled, needs.clock.now());
  return "none";
}

/** `used`: the quota is used up; `none`: the link has to wait. Otherwise the link is counted against the hourly limit. */
async function findRoom(beginning: Beginning): Promise<"room" | "used" | "none"> {
  const { needs, batch, account } = beginning;
  const { slot, keyId } = batch.owner;
  const allowance = allowanceNow(beginning);
  const { used, held } = await needs.allowances.read(allowance.subject, allowance.period);
  if (used >= allowance.limit) return "used";
  if (used + held >= allowance.limit) {
    // Transcriptions that hold the rest may give it back.
    wait(beginning, queueSeconds, "quota");
    return "none";
  }
  const limit = needs.limitsOf({ kind: keyId === null ? "session" : "key" }).transcribe;
  const buckets = [{ name: "transcribe", limit } as const];
  const { taken, states } = await needs.rateLimits.take(`${account.id}:${slot}`, buckets, needs.clock.now());
  if (taken) return "room";
  wait(beginning, Math.max(1, ...states.map(({ resetSeconds }) => resetSeconds)), "rateLimit");
  return "none";
}

async function request(beginning: Beginning, link: WaitingLink, reel: ReelAddress): Promise<Next> {
  const { needs, batch } = beginning;
  let outcome: TranscriptionOutcome;
  try {
    outcome = await needs.transcriptions.request({
      reel,
      languageHint: batch.languageHint,
      isBatched: true,
      allowance: allowanceNow(beginning),
      model: refusalKey(needs.recognizer, batch.languageHint),
      queueLimit: needs.queueLimit,
      queueLimitPerAccount: needs.queueLimitPerAccount,
      now: needs.clock.now(),
    });
  } catch (error) {
    // The account was suspended, or is gone.
    if (!(error instanceof ServiceError) || error.code !== "unauthorized") throw error;
    await needs.batches.failWaiting(batch.id, failureOf(error));
    return "none";
  }
  switch (outcome.kind) {
    case "started":
      return noteBegun(beginning, link, outcome.transcriptionId);
    case "inProgress":
      if (outcome.transcriptionId !== undefined) return noteBegun(beginning, link, outcome.transcriptionId);
      wait(beginning, othersSeconds, null);
      return "more";
    case "cached":
      await note(beginning, link, { kind: "cached" });
      return "more";
    case "refused":
      await note(beginning, link, { kind: "failed", failure: outcome.failure });
      return "more";
    case "limitReached":
      wait(beginning, queueSeconds, "quota");
      return "none";
    case "accountQueueFull":
    case "queueFull":
      wait(beginning, queueSeconds, "queue");
      return "none";
  }
}

/** The reel of a share link is found by the task `locate-share-links`, which then makes the batch due. */
function waitForLook(beginning: Beginning, { askAt }: WaitingLink): void {
  wait(beginning, laterSeconds, askAt === null ? null : "platform");
}
