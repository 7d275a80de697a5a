import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, aKey, anAccount, hashOf, start, unique } from "./fixtures.ts";

export function accountsAndKeys(store: Store): void {
  const create = (accountId: string, now = start) =>
    store.keys.create({ accountId, name: "k", hash: hashOf(unique()), lastFour: "abcd", now });

  describe("keys", () => {
    test("of twenty racers exactly five get one, each in another slot", async () => {
      const account = await anAccount(store);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(account.id)));
      const keys = outcomes.filter((key) => typeof key !== "string");
      expect(keys.map(({ slot }) => slot).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
      expect(outcomes.filter((key) => key === "full")).toHaveLength(15);
      expect(await store.keys.list(account.id)).toHaveLength(5);
    });

    test("that expired aren't active, and the first expired makes room", async () => {
      const account = await anAccount(store);
      const make = (seconds?: number) =>
        store.keys.create({
          accountId: account.id,
          name: "k",
          hash: hashOf(unique()),
          lastFour: "abcd",
          now: start,
          expiresAt: seconds === undefined ? undefined : after(seconds),
          readOnly: seconds === undefined,
        });
      const keys = [await make(30), await make(20), await make(), await make(20), await make()];
      const ids = keys.map((key) => (typeof key === "object" ? key.id : key));
      expect(keys).toMatchObject([
        { expiresAt: after(30), readOnly: false },
        { expiresAt: after(20), readOnly: false },
        { expiresAt: null, readOnly: true },
        {},
        {},
      ]);
      const live = async (seconds: number) => (await store.keys.live(ids, after(seconds))).toSorted();
      expect(await live(19)).toEqual(ids.toSorted());
      expect(await live(20)).toEqual([ids[0]!, ids[2]!, ids[4]!].toSorted());
      expect(await live(30)).toEqual([ids[2]!, ids[4]!].toSorted());

      expect(await create(account.id, after(19))).toBe("full");
      const racers = await Promise.all([1, 2, 3, 4].map(() => create(account.id, after(25))));
      const slots = racers.map((key) => (typeof key === "object" ? key.slot : 0));
      expect(
        slots.toSorted((one, other) => one - other),
        "two had expired",
      ).toEqual([0, 0, 2, 4]);
      const revoked = (await store.keys.list(account.id)).filter(({ revokedAt }) => revokedAt !== null);
      expect(revoked.map(({ id }) => id)).toEqual([ids[1], ids[3]]);
    });

    test("that expired are found, and their use is not marked", async () => {
      const account = await anAccount(store);
      const secret = unique();
      const hash = hashOf(secret);
      await aKey(store, account.id, { secret, expiresAt: after(60) });
      expect(await store.keys.use(hash, after(59))).toMatchObject({ key: { lastUsedAt: after(59) } });
      expect(await store.keys.use(hash, after(600))).toMatchObject({ key: { lastUsedAt: after(59) } });
      expect(await store.keys.list(account.id)).toMatchObject([{ lastUsedAt: after(59), revokedAt: null }]);
    });

    test("mark their use at most once a minute", async () => {
      const account = await anAccount(store);
      const secret = unique();
      await aKey(store, account.id, { secret });
      const lastUsedAt = async () => (await store.keys.list(account.id))[0]?.lastUsedAt;
      await store.keys.use(hashOf(secret), after(0));
      await store.keys.use(hashOf(secret), after(59));
      expect(await lastUsedAt()).toEqual(after(0));
      await store.keys.use(hashOf(secret), after(60));
      expect(await lastUsedAt()).toEqual(after(60));
    });
  });
}
