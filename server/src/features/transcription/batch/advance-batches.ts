import { ServiceError } from "@reelscript/contract";
import type {
  Account,
  Allowance,
  BatchLinkOutcome,
  BatchWait,
  DueBatch,
  Failure,
  PeriodicTask,
  ReelAddress,
  WaitingLink,
} from "../../../ports.ts";
import { refusalKey } from "../../../recognition/recognizer-of.ts";
import { allowanceOf } from "../../../rules/allowance.ts";
import type { Needs } from "../../../run/needs.ts";
import { refuseUse } from "../refuse-start.ts";
import { failureOf } from "./read-links.ts";

export type AdvanceNeeds = Needs<
  | "accounts"
  | "allowances"
  | "askPlatform"
  | "batches"
  | "clock"
  | "keys"
  | "limitsOf"
  | "queueLimit"
  | "queueLimitPerAccount"
  | "quotaScope"
  | "rateLimits"
  | "recognizer"
  | "transcriptions"
>;

/** Links of an account's batches that are in the queue at a time, so that its single reels find room beside them. */
const mostUnderWay = 8;
/** Batches that are looked at together, each by itself: one that waits for the platform holds nobody up. */
const batchesAtATime = 8;
/** What one look may take: the platform is asked for share links. */
const lookSeconds = 30;
/** A link that ends makes its batch due at once; this is for what ends unnoticed. */
const laterSeconds = 60;
/** Somebody else's transcription of a reel ends in seconds. */
const othersSeconds = 5;
const queueSeconds = 15;
/** Seconds between questions for the reel of a share link that failed, by the number of failures; after one more it is given up. */
const locateSeconds = [10, 60, 300, 900];

interface Look {
  /** False while a caller waits: share links are left for later. */
  readonly mayAskPlatform: boolean;
  readonly signal: AbortSignal;
}

/** Begins the links of batches as far as limits, quota and queue have room, and ends batches. */
export const advanceBatches = (needs: AdvanceNeeds): PeriodicTask => ({
  name: "advance-batches",
  everySeconds: 1,
  scope: "service",
  limitSeconds: 2 * lookSeconds,
  async run(now, stopping) {
    const { batches } = needs;
    await batches.settle(now);
    const due = await batches.due(batchesAtATime, now);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(lookSeconds * 1_000)]);
    const looks = await Promise.allSettled(
      due.map((batch) => advanceBatch(needs, batch, { mayAskPlatform: true, signal })),
    );
    await batches.finish(needs.clock.now());
    const failed = looks.find((look) => look.status === "rejected");
    if (failed !== undefined && !stopping.aborted) throw failed.reason;
    return due.length === batchesAtATime;
  },
});

/** Why fresh links of a batch don't begin in this look, and when to look again. */
interface Block {
  readonly seconds: number;
  readonly waitingFor: BatchWait | null;
}

/** Begins what can begin of one batch, in its order. */
export async function advanceBatch(needs: AdvanceNeeds, batch: DueBatch, look: Look): Promise<void> {
  const { accounts, batches, clock } = needs;
  const account = await accounts.find(batch.owner.accountId);
  // Its batches went with it.
  if (account === undefined) return;
  const refusal = await refusalOf(needs, batch);
  if (refusal !== undefined) await batches.failWaiting(batch.id, refusal);
  const block = refusal === undefined ? await createBeginning(needs, batch, account, look).beginAll() : undefined;
  const { seconds, waitingFor } = block ?? { seconds: laterSeconds, waitingFor: null };
  const now = clock.now();
  await batches.putOff(batch, { nextAt: new Date(now.getTime() + seconds * 1_000), waitingFor, now });
}

/** A key that was revoked or has expired spends nothing more. */
async function refusalOf({ keys, clock }: AdvanceNeeds, { owner: { keyId } }: DueBatch): Promise<Failure | undefined> {
  if (keyId === null || (await keys.live([keyId], clock.now())).length > 0) return undefined;
  return failureOf(
    new ServiceError("unauthorized", "The API key that sent this batch was revoked or has expired.", {
      reason: "keyUnknown",
    }),
  );
}

function createBeginning(needs: AdvanceNeeds, batch: DueBatch, account: Account, look: Look) {
  const { batches, clock, transcriptions } = needs;
  const { owner, languageHint } = batch;
  const own = languageHint !== null;
  const subject = `${account.id}:${owner.slot}`;
  const mostInQueue = Math.min(mostUnderWay, needs.queueLimitPerAccount);
  let { underWay } = batch;
  let block: Block | undefined;

  const allowanceNow = (): Allowance => allowanceOf(account, owner.slot, needs.quotaScope, clock.now());

  /** The soonest moment counts, and what the first blocked link waits for. */
  const blockFor = (seconds: number, waitingFor: BatchWait | null): undefined => {
    block = { seconds: Math.min(seconds, block?.seconds ?? seconds), waitingFor: block?.waitingFor ?? waitingFor };
  };

  async function beginAll(): Promise<Block | undefined> {
    const cached = await findCached();
    let isFull = false;
    for (const link of batch.links) {
      if (look.signal.aborted) return blockFor(0, null) ?? block;
      if (link.reel === null) {
        await note(link, await locate(link));
        continue;
      }
      const outcome = cached.has(link) ? await takeCached(link.reel) : undefined;
      if (outcome !== undefined) await note(link, outcome);
      else if (!isFull) isFull = (await begin(link, link.reel)) === "full";
    }
    return block;
  }

  async function note(link: WaitingLink, outcome: BatchLinkOutcome | undefined): Promise<void> {
    if (outcome !== undefined) await batches.note(batch.id, link.position, outcome);
  }

  async function findCached(): Promise<ReadonlySet<WaitingLink>> {
    const links = batch.links.filter(({ reel }) => reel !== null);
    const reels = links.flatMap(({ reel }) => (reel === null ? [] : [reel]));
    const areCached = reels.length === 0 ? [] : await batches.areCached(reels, account.id, own);
    return new Set(links.filter((_, index) => areCached[index]));
  }

  async function takeCached(reel: ReelAddress): Promise<BatchLinkOutcome | undefined> {
    // What this batch had transcribed before it could be noted was no gift of the cache.
    const begun = await batches.findBegun(account.id, reel, batch.since);
    if (begun !== undefined && begun !== "others") return { kind: "begun", transcriptionId: begun };
    const found = await transcriptions.takeCached(reel, allowanceNow(), clock.now(), { own });
    return found && { kind: "cached" };
  }

  /** Begins one link. Answers `full` when no further fresh one can begin in this look. */
  async function begin(link: WaitingLink, reel: ReelAddress): Promise<"full" | undefined> {
    const begun = await batches.findBegun(account.id, reel, batch.since);
    if (begun === "others") return blockFor(othersSeconds, null);
    if (begun !== undefined) {
      underWay += 1;
      return void (await note(link, { kind: "begun", transcriptionId: begun }));
    }
    if (underWay >= mostInQueue) {
      blockFor(laterSeconds, null);
      return "full";
    }
    const room = await findRoom();
    if (room !== "room") {
      if (room === "used")
        await note(link, { kind: "failed", failure: failureOf(refuseUse(allowanceNow(), { account })) });
      return room === "used" ? undefined : "full";
    }
    return request(link, reel);
  }

  /** `used`: the quota is used up for good; `full`: the link has to wait. Counts the link against the hourly limit. */
  async function findRoom(): Promise<"room" | "used" | "full"> {
    const allowance = allowanceNow();
    const { used, held } = await needs.allowances.read(allowance.subject, allowance.period);
    if (used >= allowance.limit) return "used";
    if (used + held >= allowance.limit) {
      // Some of the transcriptions that hold the rest may give it back.
      blockFor(queueSeconds, "quota");
      return "full";
    }
    const limit = needs.limitsOf({ kind: owner.keyId === null ? "session" : "key" }).transcribe;
    const { taken, states } = await needs.rateLimits.take(subject, [{ name: "transcribe", limit }], clock.now());
    if (taken) return "room";
    blockFor(Math.max(1, ...states.map(({ resetSeconds }) => resetSeconds)), "rateLimit");
    return "full";
  }

  async function request(link: WaitingLink, reel: ReelAddress): Promise<"full" | undefined> {
    const outcome = await transcriptions
      .request({
        reel,
        languageHint,
        allowance: allowanceNow(),
        model: refusalKey(needs.recognizer, languageHint),
        queueLimit: needs.queueLimit,
        queueLimitPerAccount: needs.queueLimitPerAccount,
        now: clock.now(),
      })
      .catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === "unauthorized") return failureOf(error);
        throw error;
      });
    if ("code" in outcome) {
      await batches.failWaiting(batch.id, outcome);
      return "full";
    }
    switch (outcome.kind) {
      case "started":
        underWay += 1;
        return void (await note(link, { kind: "begun", transcriptionId: outcome.transcriptionId }));
      case "inProgress":
        if (outcome.transcriptionId === undefined) return blockFor(othersSeconds, null);
        underWay += 1;
        return void (await note(link, { kind: "begun", transcriptionId: outcome.transcriptionId }));
      case "cached":
        return void (await note(link, { kind: "cached" }));
      case "refused":
        return void (await note(link, { kind: "failed", failure: outcome.failure }));
      case "limitReached":
        blockFor(queueSeconds, "quota");
        return "full";
      case "accountQueueFull":
      case "queueFull":
        blockFor(queueSeconds, "queue");
        return "full";
    }
  }

  /** Asks the platform which reel a share link leads to. */
  async function locate({ url, tries, askAt }: WaitingLink): Promise<BatchLinkOutcome | undefined> {
    const now = clock.now();
    if (!look.mayAskPlatform) return blockFor(0, null);
    if (askAt !== null && askAt > now) return blockFor((askAt.getTime() - now.getTime()) / 1_000, "platform");
    try {
      const reel = await needs.askPlatform.locateFor(account.id, url, look.signal);
      // It begins in the next look.
      blockFor(0, null);
      return { kind: "located", reel };
    } catch (error) {
      if (look.signal.aborted) return blockFor(0, null);
      if (!(error instanceof ServiceError)) throw error;
      const isPassing = error.code === "upstreamError" || error.code === "rateLimited" || error.code === "unavailable";
      const wait = error.code === "rateLimited" ? (error.retryAfter ?? laterSeconds) : locateSeconds[tries];
      if (!isPassing || wait === undefined) return { kind: "failed", failure: failureOf(error) };
      blockFor(wait, "platform");
      if (error.code === "rateLimited") return undefined;
      return { kind: "notLocated", askAt: new Date(clock.now().getTime() + wait * 1_000) };
    }
  }

  return { beginAll };
}
