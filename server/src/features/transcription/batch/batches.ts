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
import type { BatchOwner, NewBatchLink, Batches, Clock, Files, ReelLocator, StoredFile } from "../../../ports.ts";
import { readCursor, writeCursor } from "../../../describe/cursor.ts";
import { allowanceOfCaller, slotOf } from "../../../rules/allowance.ts";
import type { Handler } from "../../../run/handler.ts";
import { type AdvanceNeeds, advanceBatch } from "./advance-batches.ts";
import { batchCanceled } from "./begin-links.ts";
import { getBatch } from "../following/get-batch.ts";
import type { UsualSeconds } from "../following/usual-seconds.ts";
import { statusOfFile } from "../../../describe/describe-file.ts";
import { describeBatch, describeFailure, describeListedBatch } from "./describe-batch.ts";
import { fingerprintOf, hintOf, linksOfFiles, readFiles, readLinks } from "./read-links.ts";

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
  readonly files: Pick<Files, "delete" | "findSome">;
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
    const { batches, clock } = needs;
    const languageHint = hintOf(input.languageHint);
    const sentLinks = await readSent(needs, input, caller, signal);
    const { links, duplicates } = sentLinks;
    const estimate = await estimateOf(needs, sentLinks, caller);
    const now = clock.now();
    if (input.dryRun) return { ...previewOf(sentLinks, now), estimate };
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
    if (sentLinks.files.length > 0) await batches.settle(clock.now());
    // A batch of reels that are transcribed already is finished now.
    await batches.finish(clock.now(), newBatch.id);
    return { ...(await readBatch(needs, caller.account.id, newBatch.id)), estimate };
  };

/** The links and files of a request. */
interface SentLinks {
  /** Files come last. */
  readonly links: readonly NewBatchLink[];
  readonly duplicates: number;
  /** Links of reels that are transcribed already. */
  readonly cached: ReadonlySet<NewBatchLink>;
  readonly files: readonly StoredFile[];
}

interface BatchInput {
  readonly urls?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  readonly languageHint?: string | undefined;
}

async function readSent(
  needs: NewBatchNeeds,
  { urls = [], files: ids = [], languageHint }: BatchInput,
  caller: AccountCaller,
  signal: AbortSignal,
): Promise<SentLinks> {
  if (urls.length + ids.length === 0) throw new ServiceError("invalidRequest", "Send `urls`, `files` or both.");
  const files = await readFiles(needs.files, caller.account.id, ids);
  const { links, duplicates } = await readLinks(urls, needs.locator, signal);
  return {
    links: [...links, ...linksOfFiles(ids)],
    duplicates: duplicates + ids.length - files.length,
    cached: await findCached(needs, links, caller, hintOf(languageHint) !== null),
    files,
  };
}

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

async function estimateOf(
  { allowances, clock, quotaScope }: NewBatchNeeds,
  { links, duplicates, cached, files }: SentLinks,
  caller: AccountCaller,
): Promise<BatchEstimate> {
  const { subject, period, limit } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used, held } = await allowances.read(subject, period);
  const ofReels = links.filter(({ fileId }) => fileId === null);
  const notReels = ofReels.filter(({ failure }) => failure !== null).length;
  const shareLinks = ofReels.filter(({ reel, failure }) => reel === null && failure === null).length;
  const freshReels = ofReels.length - notReels - cached.size;
  const openFiles = files.filter(({ endedAt }) => endedAt === null);
  const doneFiles = files.filter((file) => statusOfFile(file) === "done");
  let left = Math.max(0, limit - used - held);
  const fittingReels = Math.min(freshReels, left);
  left -= fittingReels;
  const fittingFiles = openFiles.filter(({ transcriptionId, units }) => {
    // Units are held for it already.
    if (transcriptionId !== null) return true;
    if (units > left) return false;
    left -= units;
    return true;
  });
  return {
    reels: ofReels.length - notReels + openFiles.length + doneFiles.length,
    duplicates,
    notReels,
    shareLinks,
    cached: cached.size + doneFiles.length,
    fresh: freshReels + openFiles.length,
    fit: fittingReels + fittingFiles.length,
    mostTranscriptions: freshReels + openFiles.reduce((sum, { units }) => sum + units, 0),
    usage: { used, limit },
  };
}

/** A batch as it would begin. */
function previewOf({ links, cached, duplicates, files }: SentLinks, now: Date) {
  const previewed = [
    ...links.filter(({ fileId }) => fileId === null).map((link) => previewOfLink(link, cached.has(link))),
    ...files.map(previewOfFile),
  ];
  const countOf = (state: BatchLink["status"]): number => previewed.filter(({ status }) => status === state).length;
  const waiting = countOf("waiting");
  const createdAt = now.toISOString();
  const counts: BatchCounts = {
    total: links.length,
    waiting,
    underWay: 0,
    done: countOf("done"),
    failed: countOf("failed"),
    canceled: countOf("canceled"),
    retryable: 0,
    duplicates,
  };
  const state = waiting === 0 ? { status: "finished" as const, finishedAt: createdAt } : { status: "open" as const };
  return { ...state, createdAt, counts, links: previewed };
}

function previewOfLink({ url, reel, failure }: NewBatchLink, isCached: boolean): BatchLink {
  const address = { url, ...(reel !== null && { reelUrl: reel.url }) };
  if (failure !== null) return { ...address, status: "failed", error: describeFailure(failure) };
  return isCached ? { ...address, status: "done", cached: true as const } : { ...address, status: "waiting" };
}

function previewOfFile(file: StoredFile): BatchLink {
  const { id, title, failure } = file;
  const link = { url: id, fileId: id, title };
  const status = statusOfFile(file);
  if (failure !== null) return { ...link, status: "failed", error: describeFailure(failure) };
  if (status === "done") return { ...link, status, cached: true as const };
  return { ...link, status: status === "canceled" ? "canceled" : "waiting" };
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
  (needs: NewBatchNeeds): Handler<"cancelBatch"> =>
  async ({ input: { id }, caller }) => {
    const { batches, files, clock } = needs;
    const accountId = caller.account.id;
    const fileIds = await batches.cancel(accountId, id, batchCanceled, clock.now());
    if (fileIds === undefined) throw noSuchBatch();
    await Promise.all(fileIds.map((fileId) => files.delete(accountId, fileId, batchCanceled, clock.now())));
    // A batch of which nothing is under way is finished now, so that another one may begin.
    await batches.finish(clock.now(), id);
    return readBatch(needs, caller.account.id, id);
  };
