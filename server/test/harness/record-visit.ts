import { randomUUID } from "node:crypto";
import type { BioEvents, BioExclusion, BioOutcome, BioVisit } from "../../src/ports.ts";

/** Writes one visit, as a batch of its own. */
export async function recordVisit(bioEvents: BioEvents, visit: BioVisit): Promise<BioOutcome> {
  const [outcome] = await bioEvents.write({ id: randomUUID(), visits: [visit], excluded: [] }, visit.at);
  if (outcome === undefined) throw new Error("the batch was written before");
  return outcome;
}

/** Counts one request that is left out. */
export async function excludeRequest(
  bioEvents: BioEvents,
  bioId: string,
  reason: BioExclusion,
  at: Date,
): Promise<void> {
  const excluded = [{ bioId, reason, day: at.toISOString().slice(0, 10), requests: 1 }];
  await bioEvents.write({ id: randomUUID(), visits: [], excluded }, at);
}
