import { ServiceError } from "@reelscript/contract";
import type { DueBatch, Failure, PeriodicTask, Accounts, Keys } from "../../../ports.ts";
import { beginLinks, laterSeconds, type BeginNeeds } from "./begin-links.ts";
import { failureOf } from "./read-links.ts";

export interface AdvanceNeeds extends BeginNeeds {
  readonly accounts: Accounts;
  readonly keys: Keys;
}

/** Batches that are advanced at a time. */
const batchesAtATime = 8;
const limitSeconds = 60;
/** A batch whose check fails is left alone for this long, so that others come first. */
const failedSeconds = 30;

/** Begins the links of batches as far as limits, quota and queue have room, and ends batches. Never asks a platform. */
export const advanceBatches = (needs: AdvanceNeeds): PeriodicTask => ({
  name: "advance-batches",
  everySeconds: 1,
  scope: "service",
  limitSeconds,
  async run(now, stopping) {
    const { batches, clock } = needs;
    await batches.settle(now);
    await batches.finish(now);
    const due = await batches.due(batchesAtATime, now);
    const checks = await Promise.allSettled(due.map((batch) => advanceOrPutOff(needs, batch, stopping)));
    await batches.finish(clock.now());
    const failed = checks.find((check) => check.status === "rejected");
    if (failed !== undefined && !stopping.aborted) throw failed.reason;
    return due.length === batchesAtATime;
  },
});

async function advanceOrPutOff(needs: AdvanceNeeds, batch: DueBatch, stopping: AbortSignal): Promise<void> {
  try {
    await advanceBatch(needs, batch, stopping);
  } catch (error) {
    const now = needs.clock.now();
    const nextAt = new Date(now.getTime() + failedSeconds * 1_000);
    if (!stopping.aborted) await needs.batches.putOff(batch, { nextAt, waitingFor: null, now });
    throw error;
  }
}

/** Begins the links of a batch that can begin, and notes when to check it again. */
export async function advanceBatch(needs: AdvanceNeeds, batch: DueBatch, signal: AbortSignal): Promise<void> {
  const { accounts, batches, clock } = needs;
  const account = await accounts.find(batch.owner.accountId);
  // Its batches went with it.
  if (account === undefined) return;
  const refusal = await refusalOf(needs, batch);
  if (refusal !== undefined) await batches.failWaiting(batch.id, refusal);
  const block = refusal === undefined ? await beginLinks(needs, batch, account, signal) : undefined;
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
