import type { Batch, BatchCounts, BatchLink, ListedBatch } from "@reelscript/contract";
import type { StoredBatch, StoredBatchLink } from "../../../ports.ts";

/** Fewer say nothing about the speed. */
const leastHeard = 2;

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

/** At the pace of the links that were transcribed so far, if there are enough; unknown while the next ones must wait. */
function secondsLeftOf(
  { transcribedLinks, since, underWay, waiting, waitingFor }: StoredBatch,
  now: Date,
  usualSeconds: number,
): number | undefined {
  const left = underWay + waiting;
  if (left === 0 || (waitingFor !== null && waiting > 0)) return undefined;
  if (transcribedLinks < leastHeard) return Math.max(1, Math.ceil(usualSeconds * left));
  return Math.max(1, Math.ceil((((now.getTime() - since.getTime()) / transcribedLinks) * left) / 1_000));
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

function describeLink(link: StoredBatchLink): BatchLink {
  const { failure } = link;
  return {
    url: link.url,
    ...(link.reelUrl !== null && { reelUrl: link.reelUrl }),
    status: link.state,
    ...(link.progress !== null && { progress: link.progress }),
    ...(link.cached && { cached: true as const }),
    ...(link.transcriptionId !== null && { transcriptionId: link.transcriptionId }),
    ...(link.scriptId !== null && { scriptId: link.scriptId }),
    ...(failure !== null && {
      error: { code: failure.code, message: failure.message, ...(failure.reason && { reason: failure.reason }) },
    }),
  };
}
