import { runUpkeep } from "../../harness/look-after.ts";
import { bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  aReport,
  ask,
  mustClaim,
  someone,
  start,
  transcriptOf,
  unique,
  walled,
} from "./fixtures.ts";

export function rememberedUse(store: Store): void {
  const use = async (accountId: string, slot: number, period = "lifetime") => {
    await ask(store, aReel(), anAllowance(accountId, { slot, period }));
    const claim = await mustClaim(store);
    expect(await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, start)).toBe(true);
  };
  const report = (accountId: string, reelsAnalyzed: number, period = "lifetime") =>
    store.reports.add({ accountId, period, limit: 500 }, aReport({ reelsAnalyzed }));
  const used = async (accountId: string, period = "lifetime") => {
    const slots = [0, 1, 2, 3, 4, 5].map((slot) => store.allowances.read({ accountId, slot }, period));
    const posts = await store.reports.postsUsed(accountId, period);
    return { units: (await Promise.all(slots)).map((slot) => slot.used), posts };
  };
  const nothing = { units: [0, 0, 0, 0, 0, 0], posts: 0 };

  describe("what an identity used for good", () => {
    test("counts in each later account of the identity, and in no other", async () => {
      const identity = someone();
      const first = await store.identities.signIn(identity);
      await use(first.id, 0);
      for (const slot of [3, 3, 5]) await use(first.id, slot);
      await report(first.id, 30);
      await store.accounts.remove(first.id, start);

      const similar = {
        ...identity,
        issuer: `${identity.issuer}${identity.subject[0]}`,
        subject: identity.subject.slice(1),
      };
      for (const other of [similar, { ...identity, issuer: "https://other.example" }, someone()])
        expect(await used((await store.identities.signIn(other)).id)).toEqual(nothing);
      const second = await store.identities.signIn(identity);
      expect(second.id).not.toBe(first.id);
      expect(await used(second.id)).toEqual({ units: [1, 0, 0, 2, 0, 1], posts: 30 });
      expect(await ask(store, aReel(), anAllowance(second.id, { slot: 3, limit: 2 }))).toEqual({
        kind: "limitReached",
      });

      await use(second.id, 1);
      await report(second.id, 12);
      await store.accounts.remove(second.id, start);
      const third = await store.identities.signIn(identity);
      expect(await used(third.id)).toEqual({ units: [1, 1, 0, 2, 0, 1], posts: 42 });
      await store.accounts.remove(third.id, start);
      const fourth = await store.identities.signIn(identity);
      expect(await used(fourth.id), "unused since").toEqual({ units: [1, 1, 0, 2, 0, 1], posts: 42 });
    });

    test("leaves out what was used of a paid period", async () => {
      const identity = someone();
      const period = start.toISOString();
      const { id } = await store.identities.signIn(identity);
      await use(id, 1, period);
      await report(id, 30, period);
      await store.accounts.remove(id, start);
      const again = await store.identities.signIn(identity);
      expect([await used(again.id), await used(again.id, period)]).toEqual([nothing, nothing]);
    });

    test("has the units that were held, however their transcriptions end", async () => {
      const identity = someone();
      const { id } = await store.identities.signIn(identity);
      for (let count = 0; count < 3; count += 1) await ask(store, aReel(), anAllowance(id));
      const toComplete = await mustClaim(store);
      const toFail = await mustClaim(store);
      const given = await mustClaim(store);
      await store.transcriptions.fail(given, walled, { now: start });
      await store.accounts.remove(id, start);
      await store.transcriptions.complete(toComplete, transcriptOf(toComplete.reel), true, start);
      const again = await store.identities.signIn(identity);
      await store.transcriptions.fail(toFail, walled, { now: start });
      expect(await used(again.id)).toEqual({ ...nothing, units: [0, 2, 0, 0, 0, 0] });
    });

    test("is inherited exactly once, also by an account that gains the identity", async () => {
      const identity = someone();
      const { id } = await store.identities.signIn(identity);
      await use(id, 2);
      await report(id, 7);
      await store.accounts.remove(id, start);
      const racers = await Promise.all(Array.from({ length: 8 }, () => store.identities.signIn(identity)));
      const [again] = racers;
      expect(new Set(racers.map((racer) => racer.id)).size).toBe(1);
      expect(await used(again!.id)).toEqual({ units: [0, 0, 1, 0, 0, 0], posts: 7 });
      await store.accounts.remove(again!.id, start);

      const linked = await anAccount(store);
      for (const slot of [1, 2]) await use(linked.id, slot);
      await report(linked.id, 3);
      expect(await store.identities.link({ ...identity, accountId: linked.id })).toBe(true);
      expect(await used(linked.id)).toEqual({ units: [0, 1, 2, 0, 0, 0], posts: 10 });
    });
  });

  test("what an identity used for good is forgotten after 24 months", async () => {
    for (const [months, units] of [
      [23, 1],
      [25, 0],
    ] as const) {
      const identity = someone();
      const { id } = await store.identities.signIn(identity);
      await use(id, 1);
      const removedAt = new Date(start);
      removedAt.setUTCMonth(removedAt.getUTCMonth() - months);
      await store.accounts.remove(id, removedAt);
      await runUpkeep(store, "forget-remembered-use", start);
      expect((await used((await store.identities.signIn(identity)).id)).units[1]).toBe(units);
    }
  });

  test("the handles of an account that is removed are kept for nobody", async () => {
    const identity = someone();
    const gone = await store.identities.signIn(identity);
    const former = `f${unique()}`;
    const last = `l${unique()}`;
    const changed = 100;
    const removed = 200;
    const keptSeconds = bioHandleLimits.keptDays * 86_400;
    await store.bioPages.claimHandle(gone.id, former, start);
    await store.bioPages.claimHandle(gone.id, last, after(changed));
    await store.accounts.remove(gone.id, after(removed));
    const again = await store.identities.signIn(identity);
    const other = await anAccount(store);
    const claim = (accountId: string, handle: string | null, seconds: number) =>
      store.bioPages.claimHandle(accountId, handle, after(seconds));
    const both = [again.id, other.id];
    for (const id of both) expect(await claim(id, former, changed + keptSeconds - 1)).toBe("taken");
    for (const id of both) expect(await claim(id, last, changed + keptSeconds)).toBe("taken");
    expect(await claim(other.id, former, changed + keptSeconds)).toMatchObject({ handle: former });
    expect(await claim(again.id, last, removed + keptSeconds - 1)).toBe("taken");
    expect(await claim(again.id, last, removed + keptSeconds)).toMatchObject({ handle: last });
    const forgotten = `g${unique()}`;
    expect(await claim(again.id, forgotten, removed)).toMatchObject({ handle: forgotten });
    expect(await claim(again.id, null, removed)).toMatchObject({ handle: null });
    expect(await claim(other.id, forgotten, removed)).toBe("taken");
    await runUpkeep(store, "forget-former-handles", after(removed + keptSeconds));
    expect(await claim(other.id, forgotten, removed)).toMatchObject({ handle: forgotten });
  });
}
