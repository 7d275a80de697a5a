import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claim, Store } from "../../../src/ports.ts";
import { after, anAccount, anAllowance, aReel, ask, broken, emptyQueue, transcriptOf, walled } from "./fixtures.ts";

const limit = 4;
const reelCount = 6;

type Step =
  | { readonly kind: "request"; readonly account: number; readonly reel: number; readonly slot: number }
  | { readonly kind: "claim" }
  | { readonly kind: "reap" }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "complete"; readonly claim: number; readonly charge: boolean }
  | { readonly kind: "fail" | "extend"; readonly claim: number }
  | { readonly kind: "release"; readonly claim: number; readonly countAttempt: boolean };

const index = fc.nat({ max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      account: fc.nat({ max: 1 }),
      reel: fc.nat({ max: reelCount - 1 }),
      slot: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant("claim" as const) }),
      fc.record({ kind: fc.constant("reap" as const) }),
    ),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("complete" as const), claim: index, charge: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("fail" as const, "extend" as const), claim: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("release" as const), claim: index, countAttempt: fc.boolean() }),
  },
);
/** The steps of one list run at the same time. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 10 });

export function money(store: Store): void {
  describe("units", () => {
    test("charged and held always add up, whatever happens at the same time", async () => {
      await expect(
        fc.assert(
          fc.asyncProperty(rounds, (plan) => play(store, plan)),
          { numRuns: 12, endOnFailure: true },
        ),
      ).resolves.toBeUndefined();
    });
  });
}

async function play(store: Store, plan: readonly (readonly Step[])[]): Promise<void> {
  const accounts = [await anAccount(store), await anAccount(store)];
  const reels = Array.from({ length: reelCount }, aReel);
  const claims: Claim[] = [];
  /** Which subject each open transcription's unit was held for. */
  const holders = new Map<string, string>();
  const charged = new Map<string, number>();
  const settledIds = new Set<string>();
  let now = after(0);

  const settle = (claim: Claim, charge: boolean) => {
    expect(settledIds.has(claim.transcriptionId)).toBe(false);
    settledIds.add(claim.transcriptionId);
    const holder = holders.get(claim.transcriptionId) as string;
    if (charge) charged.set(holder, (charged.get(holder) ?? 0) + 1);
  };

  const take = async (one: Step): Promise<void> => {
    if (one.kind === "wait") return;
    if (one.kind === "request") {
      const accountId = accounts[one.account]?.id as string;
      const answer = await ask(store, reels[one.reel] ?? aReel(), anAllowance(accountId, { limit, slot: one.slot }), {
        now,
      });
      if (answer.kind === "started") holders.set(answer.transcriptionId, `${accountId} ${one.slot}`);
      return;
    }
    if (one.kind === "claim") {
      const claim = await store.transcriptions.claim("worker", 30, now);
      if (claim) claims.push(claim);
      return;
    }
    if (one.kind === "reap") {
      await store.transcriptions.reap(broken, now);
      return;
    }
    const claim = claims[one.claim % Math.max(1, claims.length)];
    if (!claim) return;
    switch (one.kind) {
      case "complete":
        if (await store.transcriptions.complete(claim, transcriptOf(claim.reel), one.charge, now))
          settle(claim, one.charge);
        return;
      case "fail":
        if (await store.transcriptions.fail(claim, walled, { now })) settle(claim, false);
        return;
      case "extend":
        return void (await store.transcriptions.extend(claim, 0.5, 30, now));
      case "release":
        return void (await store.transcriptions.release(claim, one.countAttempt));
    }
  };

  const probe = async () => {
    const open = new Map<string, number>();
    for (const [transcriptionId, holder] of holders) {
      const { state } = (await store.transcriptions.find(transcriptionId)) ?? { state: "lost" };
      expect(["queued", "running", "done", "failed"]).toContain(state);
      if (state === "queued" || state === "running") open.set(holder, (open.get(holder) ?? 0) + 1);
    }
    expect(await store.transcriptions.queueLength()).toBe([...open.values()].reduce((sum, count) => sum + count, 0));
    for (const { id } of accounts)
      for (const slot of [1, 2]) {
        const holder = `${id} ${slot}`;
        const { used, held } = await store.allowances.read({ accountId: id, slot }, "lifetime");
        expect({ used, held }).toEqual({ used: charged.get(holder) ?? 0, held: open.get(holder) ?? 0 });
        expect(used + held).toBeLessThanOrEqual(limit);
      }
  };

  for (const round of plan) {
    for (const one of round) if (one.kind === "wait") now = after(one.seconds, now);
    await Promise.all(round.map(take));
    await probe();
  }
  await emptyQueue(store);
  for (const { id } of accounts)
    for (const slot of [1, 2]) {
      const used = charged.get(`${id} ${slot}`) ?? 0;
      expect(await store.allowances.read({ accountId: id, slot }, "lifetime")).toEqual({ used, held: 0 });
    }
}
