import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { anAccount, aSession, hashOf, someone, start, unique } from "./fixtures.ts";

const minutes = (count: number): Date => new Date(start.getTime() + count * 60_000);
const days = (count: number): Date => minutes(count * 24 * 60);

export function signIn(store: Store): void {
  describe("identities", () => {
    test("make a free account once, of any number of racers", async () => {
      const identity = { ...someone(), email: "ada@example.test", name: "Ada" };
      const accounts = await Promise.all(Array.from({ length: 10 }, () => store.identities.signIn(identity)));
      expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
      expect(accounts[0]).toMatchObject({ email: "ada@example.test", name: "Ada", plan: "free", createdAt: start });
      expect(await store.accounts.find(accounts[0]!.id)).toEqual(accounts[0]);
      expect((await store.accounts.list()).filter(({ name }) => name === "Ada")).toHaveLength(1);
    });

    test("are given to an account that has none, and to no other", async () => {
      const account = await anAccount(store);
      const { issuer, subject } = someone();
      const link = (accountId: string, who = subject) =>
        store.identities.link({ issuer, subject: who, accountId, now: start });
      expect(await link("acc_nobody")).toBe(false);
      expect(await link(account.id)).toBe(true);
      expect(await link(account.id), "again").toBe(false);
      expect(await link(account.id, unique()), "a second one").toBe(false);
      expect(await link((await anAccount(store)).id), "of another account").toBe(false);
      expect((await store.identities.signIn(someone(subject))).id).toBe(account.id);
    });
  });

  describe("attempts to sign in", () => {
    test("are taken once, by the browser that began, until they expire", async () => {
      const state = hashOf(unique());
      const browser = hashOf(unique());
      const attempt = { verifier: "v", nonce: "n", returnTo: "/app" };
      const create = (stateHash: Uint8Array) =>
        store.signInAttempts.create({ stateHash, browserHash: browser, ...attempt, expiresAt: minutes(10) });
      await create(state);
      const take = (moment: Date, by = browser, of = state) => store.signInAttempts.take(of, by, moment);
      expect(await take(start, hashOf(unique()))).toBeUndefined();
      expect(await take(start, browser, hashOf(unique()))).toBeUndefined();
      const taken = await Promise.all(Array.from({ length: 5 }, () => take(minutes(9))));
      expect(taken.filter((each) => each !== undefined)).toEqual([attempt]);
      await create(state);
      expect(await take(minutes(10))).toBeUndefined();
    });
  });

  describe("sessions", () => {
    const use = (secret: string, now: Date, next = unique()) =>
      store.sessions.use({ hash: hashOf(secret), nextHash: hashOf(next), now });

    test("are at most a hundred per account, those used last", async () => {
      const account = await anAccount(store);
      const other = await anAccount(store);
      const used = await aSession(store, account.id);
      const idle = await aSession(store, account.id);
      const { session: foreign } = await aSession(store, other.id);
      await use(used.secret, minutes(2));
      for (let count = 0; count < 99; count += 1) await aSession(store, account.id, unique(), minutes(1));
      const sessionIds = (await store.sessions.list(account.id, minutes(3))).map(({ id }) => id);
      expect(sessionIds).toHaveLength(100);
      expect(sessionIds[0]).toBe(used.session.id);
      expect(await use(idle.secret, minutes(3))).toBeUndefined();
      expect(await store.sessions.list(other.id, minutes(3))).toEqual([foreign]);
    });

    test("are renewed daily, in two steps, and end with reused values", async () => {
      const { secret: first } = await aSession(store, (await anAccount(store)).id);
      const lost = unique();
      const second = unique();
      expect(await use(first, minutes(24 * 60 - 1))).toMatchObject({ renewed: false });
      const offers = await Promise.all(Array.from({ length: 5 }, () => use(first, days(1), lost)));
      expect(offers.filter((offer) => offer?.renewed)).toHaveLength(1);
      expect(await use(first, minutes(24 * 60 + 9), second), "not again so soon").toMatchObject({ renewed: false });
      expect(await use(first, minutes(24 * 60 + 10), second), "the answer may be lost").toMatchObject({
        renewed: true,
      });
      expect(await use(lost, minutes(24 * 60 + 10)), "an offer that another replaced").toBeUndefined();
      const taken = minutes(24 * 60 + 11);
      expect(await use(second, taken)).toMatchObject({ renewed: false });
      expect(await use(second, taken)).toMatchObject({ renewed: false });
      expect(await use(first, new Date(taken.getTime() + 59_000))).toMatchObject({ renewed: false });
      expect(await use(second, new Date(taken.getTime() + 59_500))).toBeDefined();
      expect(await use(first, new Date(taken.getTime() + 60_000))).toBeUndefined();
      expect(await use(second, new Date(taken.getTime() + 60_000))).toBeUndefined();
    });
  });
}
