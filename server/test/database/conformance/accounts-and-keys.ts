import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import {
  after,
  aKey,
  anAccount,
  ask,
  aReel,
  anAllowance,
  emptyQueue,
  hashOf,
  mustClaim,
  start,
  transcriptOf,
  unique,
} from "./fixtures.ts";

export function accountsAndKeys(store: Store): void {
  const create = (accountId: string, now = start) =>
    store.keys.create({ accountId, name: "k", hash: hashOf(unique()), lastFour: "abcd", now });

  describe("accounts", () => {
    test("are told apart by id, found, and listed oldest first", async () => {
      const first = await anAccount(store);
      const second = await anAccount(store);
      const paid = await store.accounts.create({ email: "x@example.test", plan: "hobby", now: after(1) });
      expect(first).toMatchObject({
        email: "someone@example.test",
        plan: "free",
        createdAt: start,
        periodAnchor: null,
      });
      expect(first.id).toMatch(/^acc_/);
      expect(second.id).not.toBe(first.id);
      expect(paid.periodAnchor).toEqual(after(1));
      expect(await store.accounts.find(first.id)).toEqual(first);
      expect(await store.accounts.find("acc_nobody")).toBeUndefined();
      expect(await store.accounts.find("acc_\0")).toBeUndefined();
      const ours = (await store.accounts.list()).filter(({ id }) => [first.id, second.id, paid.id].includes(id));
      expect(ours).toEqual([first, second, paid]);
    });
  });

  describe("keys", () => {
    test("of twenty racers exactly five get one, each in a slot of its own", async () => {
      const account = await anAccount(store);
      const made = await Promise.all(Array.from({ length: 20 }, () => create(account.id)));
      const keys = made.filter((key) => typeof key !== "string");
      expect(keys.map(({ slot }) => slot).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
      expect(made.filter((key) => key === "full")).toHaveLength(15);
      expect(await store.keys.list(account.id)).toHaveLength(5);
    });

    test("need an account", async () => {
      expect(await create("acc_nobody")).toBe("noAccount");
    });

    test("are used with their account, until revoked", async () => {
      const account = await anAccount(store);
      const secret = unique();
      const key = await aKey(store, account.id, { secret, name: "laptop" });
      expect(key).toMatchObject({ accountId: account.id, slot: 1, name: "laptop", lastUsedAt: null, revokedAt: null });
      expect(key.lastFour).toBe(secret.slice(-4));
      const used = await store.keys.use(hashOf(secret), after(5));
      expect(used).toEqual({ key: { ...key, lastUsedAt: after(5) }, account });
      expect(await store.keys.use(hashOf("another"), after(5))).toBeUndefined();
      expect(await store.keys.revoke(key.id, after(6))).toBe(true);
      expect(await store.keys.revoke(key.id, after(7))).toBe(false);
      expect(await store.keys.use(hashOf(secret), after(8))).toBeUndefined();
      expect(await store.keys.list(account.id)).toEqual([{ ...key, lastUsedAt: after(5), revokedAt: after(6) }]);
    });

    test("are revoked for their own account only", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const secret = unique();
      const key = await aKey(store, owner.id, { secret });
      for (const [accountId, keyId] of [
        [stranger.id, key.id],
        ["\0", key.id],
        [owner.id, "key_nothing"],
        [owner.id, "\0"],
      ] as const)
        expect(await store.keys.revokeOwn(accountId, keyId, after(1))).toBe(false);
      expect(await store.keys.use(hashOf(secret), after(1))).toBeDefined();
      expect(await store.keys.revokeOwn(owner.id, key.id, after(2))).toBe(true);
      expect(await store.keys.revokeOwn(owner.id, key.id, after(3))).toBe(false);
      expect(await store.keys.use(hashOf(secret), after(4))).toBeUndefined();
    });

    test("are renamed by their account alone, while they are live", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const key = await aKey(store, owner.id);
      expect(await store.keys.rename(stranger.id, key.id, "Mine")).toBeUndefined();
      expect(await store.keys.rename(owner.id, "key_nothing", "Mine")).toBeUndefined();
      expect(await store.keys.rename(owner.id, key.id, "Œuvre \u{1F3AC}")).toEqual({
        ...key,
        name: "Œuvre \u{1F3AC}",
      });
      expect((await store.keys.list(owner.id)).map(({ name }) => name)).toEqual(["Œuvre \u{1F3AC}"]);
      await store.keys.revoke(key.id, after(1));
      expect(await store.keys.rename(owner.id, key.id, "Late")).toBeUndefined();
    });

    test("that expired are not live, and the one that expired first makes room", async () => {
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

    test("a new one takes the lowest free slot with what was used there", async () => {
      const account = await anAccount(store);
      const keys = [];
      for (let made = 0; made < 4; made += 1) keys.push(await aKey(store, account.id));
      await ask(store, aReel(), anAllowance(account.id, { slot: 2 }));
      const claim = await mustClaim(store);
      await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, start);
      await store.keys.revoke(keys[1]!.id, after(1));
      expect(await create(account.id, after(2))).toMatchObject({ slot: 2 });
      expect(await create(account.id, after(3))).toMatchObject({ slot: 5 });
      expect(await create(account.id, after(4))).toBe("full");
      expect(await store.allowances.read({ accountId: account.id, slot: 2 }, "lifetime")).toEqual({
        used: 1,
        held: 0,
      });
      expect(await store.allowances.read({ accountId: account.id, slot: 1 }, "lifetime")).toEqual({
        used: 0,
        held: 0,
      });
      await emptyQueue(store);
    });
  });
}
