import type { Batch, BatchCounts, BatchLink, ListedBatch } from "@reelscript/contract";
import { openingOf } from "../../../describe/describe-script.ts";
import type { Failure, StoredBatch, StoredBatchLink } from "../../../ports.ts";

/** Less work, in reels, says nothing about the speed. */
const leastReels = 0.1;

/** A batch as its account sees it, without its links. */
export function describeListedBatch(batch: StoredBatch, now: Date, usualSeconds: number): ListedBatch {
  const { waitingFor, finishedAt } = batch;
  const secondsLeft = secondsLeftOf(batch, now, usualSeconds);
  return {
    id: batch.id,
    status: finishedAt === null ? "open" : "finished",
    createdAt: batch.createdAt.toISOString(),
    ...(finishedAt !== null && { finishedAt: finishedAt.toISOString() }),
    counts: countsOf(batch),
    ...(waitingFor !== null && { waitingFor }),
    ...(waitingFor === "rateLimit" && { continuesAt: batch.nextAt.toISOString() }),
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}

const countsOf = (batch: StoredBatch): BatchCounts => ({
  total: batch.total,
  waiting: batch.waiting,
  underWay: batch.underWay,
  done: batch.done,
  failed: batch.failed,
  canceled: batch.canceled,
  retryable: batch.retryable,
  duplicates: batch.duplicates,
});

/** At the pace so far, parts of running reels included, if there is enough of it; unknown while the next links must wait. */
function secondsLeftOf(
  { transcribedLinks, runningShares, since, underWay, waiting, waitingFor, receiving }: StoredBatch,
  now: Date,
  usualSeconds: number,
): number | undefined {
  const left = underWay + waiting;
  if (left === 0 || receiving > 0 || (waitingFor !== null && waiting > 0)) return undefined;
  const reels = transcribedLinks + runningShares;
  const secondsEach = reels < leastReels ? usualSeconds : (now.getTime() - since.getTime()) / 1_000 / reels;
  return Math.max(1, Math.ceil(secondsEach * (left - runningShares)));
}

export const describeBatch = (
  batch: StoredBatch,
  links: readonly StoredBatchLink[],
  now: Date,
  usualSeconds: number,
): Batch => ({
  ...describeListedBatch(batch, now, usualSeconds),
  links: links.map(describeLink),
});

export const describeFailure = ({ code, message, reason }: Failure): NonNullable<BatchLink["error"]> => ({
  code,
  message,
  ...(reason && { reason }),
});

function describeLink(link: StoredBatchLink): BatchLink {
  const { failure } = link;
  const hook = link.beginning && openingOf(link.beginning);
  return {
    url: link.url,
    ...(link.fileId !== null && { fileId: link.fileId }),
    ...(link.title !== null && { title: link.title }),
    ...(link.reelUrl !== null && { reelUrl: link.reelUrl }),
    status: link.state,
    ...(link.progress !== null && { progress: link.progress }),
    ...(link.cached && { cached: true as const }),
    ...(link.transcriptionId !== null && { transcriptionId: link.transcriptionId }),
    ...(link.scriptId !== null && { scriptId: link.scriptId }),
    ...(hook && { hook }),
    ...(failure !== null && { error: describeFailure(failure) }),
  };
}
