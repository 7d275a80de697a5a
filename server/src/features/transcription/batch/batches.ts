import {
  batchDays,
  mostOpenBatches,
  ServiceError,
  type Batch,
  type BatchCounts,
  type BatchEstimate,
  type BatchLink,
} from "@reelscript/contract";
import type { AccountCaller } from "../../../rules/caller.ts";
import type { BatchOwner, NewBatchLink, Batches, Clock, ReelLocator } from "../../../ports.ts";
import { readCursor, writeCursor } from "../../../describe/cursor.ts";
import { allowanceOfCaller, slotOf } from "../../../rules/allowance.ts";
import type { Handler } from "../../../run/handler.ts";
import { type AdvanceNeeds, advanceBatch } from "./advance-batches.ts";
import { batchCanceled } from "./begin-links.ts";
import { getBatch } from "../following/get-batch.ts";
import type { UsualSeconds } from "../following/usual-seconds.ts";
import { describeBatch, describeListedBatch } from "./describe-batch.ts";
import { fingerprintOf, hintOf, readLinks } from "./read-links.ts";

interface BatchNeeds {
  readonly batches: Batches;
  readonly clock: Clock;
  readonly usualSeconds: UsualSeconds;
}

/** Other processes leave a new batch alone so long, while this one begins its first links. */
const firstLookMilliseconds = 10_000;
const dayMilliseconds = 86_400_000;
const retryAfter = 60;

interface NewBatchNeeds extends AdvanceNeeds, BatchNeeds {
  readonly locator: ReelLocator;
}

export const batchHandlers = (needs: NewBatchNeeds) => ({
  createBatch: createBatch(needs),
  getBatch: getBatch((accountId, id) => readBatch(needs, accountId, id)),
  listBatches: listBatches(needs),
  retryBatch: retryBatch(needs),
  cancelBatch: cancelBatch(needs),
});

const createBatch =
  (needs: NewBatchNeeds): Handler<"createBatch"> =>
  async ({ input, caller, signal }) => {
    const { batches, clock, locator } = needs;
    const languageHint = hintOf(input.languageHint);
    const { links, duplicates } = await readLinks(input.urls, locator, signal);
    const isCached = await findCached(needs, links, caller, languageHint !== null);
    const estimate = await estimateOf(needs, links, { duplicates, isCached, caller });
    const now = clock.now();
    if (input.dryRun) return { ...previewOf(links, isCached, duplicates, now), estimate };
    const owner: BatchOwner = {
      accountId: caller.account.id,
      slot: slotOf(caller),
      keyId: caller.kind === "key" ? caller.key.id : null,
    };
    const nextAt = new Date(now.getTime() + firstLookMilliseconds);
    const fingerprint = fingerprintOf(links, input.languageHint);
    const newBatch = await batches.create({ owner, languageHint, fingerprint, links, duplicates, nextAt, now });
    if (newBatch === undefined) throw tooManyOpen();
    const [due] = newBatch.isNew ? await batches.due(1, now, newBatch.id) : [];
    if (due !== undefined) await advanceBatch(needs, due, signal);
    // A batch of reels that are transcribed already is finished now.
    await batches.finish(clock.now(), newBatch.id);
    return { ...(await readBatch(needs, caller.account.id, newBatch.id)), estimate };
  };

/** Which of the links lead to a reel that is transcribed already. */
async function findCached(
  { batches }: BatchNeeds,
  links: readonly NewBatchLink[],
  { account }: AccountCaller,
  isOwn: boolean,
): Promise<ReadonlySet<NewBatchLink>> {
  const reelLinks = links.filter(({ reel }) => reel !== null);
  const reels = reelLinks.flatMap(({ reel }) => (reel === null ? [] : [reel]));
  const areCached = reels.length === 0 ? [] : await batches.areCached(reels, account.id, isOwn);
  return new Set(reelLinks.filter((_, index) => areCached[index]));
}

interface SentLinks {
  readonly duplicates: number;
  readonly isCached: ReadonlySet<NewBatchLink>;
  readonly caller: AccountCaller;
}

async function estimateOf(
  { allowances, clock, quotaScope }: NewBatchNeeds,
  links: readonly NewBatchLink[],
  { duplicates, isCached, caller }: SentLinks,
): Promise<BatchEstimate> {
  const { subject, period, limit } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used, held } = await allowances.read(subject, period);
  const notReels = links.filter(({ failure }) => failure !== null).length;
  const shareLinks = links.filter(({ reel, failure }) => reel === null && failure === null).length;
  const cached = isCached.size;
  const reels = links.length - notReels;
  const fresh = reels - cached;
  const fit = Math.min(fresh, Math.max(0, limit - used - held));
  return { reels, duplicates, notReels, shareLinks, cached, fresh, fit, usage: { used, limit } };
}

/** A batch as it would begin. */
function previewOf(links: readonly NewBatchLink[], isCached: ReadonlySet<NewBatchLink>, duplicates: number, now: Date) {
  const described = links.map((link): BatchLink => {
    const { url, reel, failure } = link;
    const address = { url, ...(reel !== null && { reelUrl: reel.url }) };
    if (failure === null)
      return isCached.has(link)
        ? { ...address, status: "done", cached: true as const }
        : { ...address, status: "waiting" };
    const { code, message, reason } = failure;
    return { ...address, status: "failed", error: { code, message, ...(reason !== undefined && { reason }) } };
  });
  const countOf = (state: BatchLink["status"]): number => described.filter(({ status }) => status === state).length;
  const waiting = countOf("waiting");
  const createdAt = now.toISOString();
  const counts: BatchCounts = {
    total: links.length,
    waiting,
    underWay: 0,
    done: countOf("done"),
    failed: countOf("failed"),
    canceled: 0,
    retryable: 0,
    duplicates,
  };
  const state = waiting === 0 ? { status: "finished" as const, finishedAt: createdAt } : { status: "open" as const };
  return { ...state, createdAt, counts, links: described };
}

const tooManyOpen = (): ServiceError =>
  new ServiceError(
    "rateLimited",
    `Your account already has ${mostOpenBatches} open batches, which is the most it may have. Wait until one is finished, or cancel one.`,
    { reason: "tooManyBatches", retryAfter },
  );

const noSuchBatch = (): ServiceError =>
  new ServiceError("notFound", `You have no batch with this id. Batches are kept for ${batchDays} days.`);

async function readBatch({ batches, clock, usualSeconds }: BatchNeeds, accountId: string, id: string): Promise<Batch> {
  const batchWithLinks = await batches.find(accountId, id);
  if (batchWithLinks === undefined) throw noSuchBatch();
  return describeBatch(batchWithLinks.batch, batchWithLinks.links, clock.now(), await usualSeconds());
}

const listBatches =
  ({ batches, clock, usualSeconds }: BatchNeeds): Handler<"listBatches"> =>
  async ({ input: { status, limit, cursor }, caller }) => {
    const scope = ["batches", caller.account.id, status ?? ""];
    const now = clock.now();
    const page = await batches.list(caller.account.id, {
      since: new Date(now.getTime() - batchDays * dayMilliseconds),
      open: status === undefined ? undefined : status === "open",
      limit,
      after: readCursor(scope, cursor),
    });
    const seconds = await usualSeconds();
    return {
      batches: page.batches.map((batch) => describeListedBatch(batch, now, seconds)),
      ...(page.next && { nextCursor: writeCursor(scope, page.next) }),
    };
  };

const retryBatch =
  (needs: BatchNeeds): Handler<"retryBatch"> =>
  async ({ input: { id }, caller }) => {
    const outcome = await needs.batches.retry(caller.account.id, id, needs.clock.now());
    if (outcome === "missing") throw noSuchBatch();
    if (outcome === "full") throw tooManyOpen();
    return readBatch(needs, caller.account.id, id);
  };

const cancelBatch =
  (needs: BatchNeeds): Handler<"cancelBatch"> =>
  async ({ input: { id }, caller }) => {
    const { batches, clock } = needs;
    if (!(await batches.cancel(caller.account.id, id, batchCanceled, clock.now()))) throw noSuchBatch();
    // A batch of which nothing is under way is finished now, so that another one may begin.
    await batches.finish(clock.now(), id);
    return readBatch(needs, caller.account.id, id);
  };
