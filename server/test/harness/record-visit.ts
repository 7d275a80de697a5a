import { randomUUID } from "node:crypto";
import type { BioEvents, BioExclusion, BioOutcome, BioVisit } from "../../src/ports.ts";

type SomeVisit = Pick<BioVisit, "bioId" | "at"> & Partial<BioVisit>;

/** A view on a phone; without a referrer or country unless they are given. */
export const aVisit = (said: SomeVisit): BioVisit => ({
  linkId: null,
  visitor: new Uint8Array(8).fill(1),
  referrer: null,
  country: null,
  device: "mobile",
  ...said,
});

/** Stores one visit as a batch. */
export async function recordVisit(bioEvents: BioEvents, said: SomeVisit): Promise<BioOutcome> {
  const [outcome] = await bioEvents.write({ id: randomUUID(), visits: [aVisit(said)], excluded: [] }, said.at);
  if (outcome === undefined) throw new Error("the batch was written before");
  return outcome;
}

/** Counts one request as left out. */
export async function excludeRequest(
  bioEvents: BioEvents,
  bioId: string,
  reason: BioExclusion,
  at: Date,
): Promise<void> {
  const excluded = [{ bioId, reason, day: at.toISOString().slice(0, 10), requests: 1 }];
  await bioEvents.write({ id: randomUUID(), visits: [], excluded }, at);
}
