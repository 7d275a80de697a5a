import { ServiceError } from "@reelscript/contract";
import type { DueBatch, Failure, PeriodicTask, Accounts, Keys } from "../../../ports.ts";
import { beginLinks, laterSeconds, type BeginNeeds, type Look } from "./begin-links.ts";
import { failureOf } from "./read-links.ts";

export interface AdvanceNeeds extends BeginNeeds {
  readonly accounts: Accounts;
  readonly keys: Keys;
}

/** Batches that are advanced side by side, so that one that waits for the platform holds up no other. */
const batchesAtATime = 8;
/** Seconds for a look at a batch, which may ask the platform for share links. */
const lookSeconds = 30;

/** Begins the links of batches as far as limits, quota and queue have room, and ends batches. */
export const advanceBatches = (needs: AdvanceNeeds): PeriodicTask => ({
  name: "advance-batches",
  everySeconds: 1,
  scope: "service",
  limitSeconds: 2 * lookSeconds,
  async run(now, stopping) {
    const { batches, clock } = needs;
    await batches.settle(now);
    await batches.finish(now);
    const due = await batches.due(batchesAtATime, now);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(lookSeconds * 1_000)]);
    const looks = await Promise.allSettled(
      due.map((batch) => advanceBatch(needs, batch, { mayAskPlatform: true, signal })),
    );
    await batches.finish(clock.now());
    const failed = looks.find((look) => look.status === "rejected");
    if (failed !== undefined && !stopping.aborted) throw failed.reason;
    return due.length === batchesAtATime;
  },
});

/** Begins the links of a batch that can begin, and notes when to look at it again. */
export async function advanceBatch(needs: AdvanceNeeds, batch: DueBatch, look: Look): Promise<void> {
  const { accounts, batches, clock } = needs;
  const account = await accounts.find(batch.owner.accountId);
  // Its batches went with it.
  if (account === undefined) return;
  const refusal = await refusalOf(needs, batch);
  if (refusal !== undefined) await batches.failWaiting(batch.id, refusal);
  const block = refusal === undefined ? await beginLinks(needs, batch, account, look) : undefined;
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
