import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, anAccount, hashOf, start, unique } from "./fixtures.ts";

const minutes = (count: number): Date => new Date(start.getTime() + count * 60_000);
const days = (count: number): Date => minutes(count * 24 * 60);

export function signIn(store: Store): void {
  const someone = (subject = unique()) => ({
    issuer: "https://identity.example",
    subject,
    email: null,
    name: null,
    now: start,
  });

  describe("identities", () => {
    test("make a free account once, of any number of racers", async () => {
      const identity = { ...someone(), email: "ada@example.test", name: "Ada" };
      const accounts = await Promise.all(Array.from({ length: 10 }, () => store.identities.signIn(identity)));
      expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
      expect(accounts[0]).toMatchObject({ email: "ada@example.test", name: "Ada", plan: "free", createdAt: start });
      expect(await store.accounts.find(accounts[0]!.id)).toEqual(accounts[0]);
      expect((await store.accounts.list()).filter(({ name }) => name === "Ada")).toHaveLength(1);
    });

    test("belong to issuer and subject, whatever their e-mail", async () => {
      const identity = { ...someone(), email: "same@example.test" };
      const { id } = await store.identities.signIn(identity);
      expect((await store.identities.signIn({ ...identity, subject: unique() })).id).not.toBe(id);
      expect((await store.identities.signIn({ ...identity, issuer: "https://other.example" })).id).not.toBe(id);
      const renamed = await store.identities.signIn({ ...identity, email: "new@example.test\0", name: "New" });
      expect(renamed).toMatchObject({ id, email: "new@example.test", name: "New" });
      expect(await store.identities.signIn({ ...identity, email: null, now: after(5) })).toEqual(renamed);
      expect((await store.identities.signIn(someone())).email).toBe("");
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
      const [state, browser] = [hashOf(unique()), hashOf(unique())];
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
    const aSession = async (accountId: string, secret = unique(), now = start) => ({
      secret,
      session: await store.sessions.create({
        accountId,
        hash: hashOf(secret),
        browser: "x\0y",
        idToken: "token",
        expiresAt: new Date(now.getTime() + 30 * 24 * 3_600_000),
        now,
      }),
    });
    const use = (secret: string, now: Date, next = unique()) =>
      store.sessions.use({ hash: hashOf(secret), nextHash: hashOf(next), now });

    test("are used with their account, and marked once a minute", async () => {
      const account = await anAccount(store);
      const { secret, session } = await aSession(account.id);
      expect(session).toMatchObject({ accountId: account.id, browser: "xy", createdAt: start, lastUsedAt: start });
      expect(session.id).toMatch(/^ses_/);
      expect(await use(secret, after(59))).toEqual({ session, account, renewed: false });
      const later = { ...session, lastUsedAt: minutes(2) };
      expect(await use(secret, minutes(2))).toEqual({ session: later, account, renewed: false });
      expect(await use(unique(), start)).toBeUndefined();
    });

    test("end when they expire or are not used for seven days", async () => {
      const account = await anAccount(store);
      const [idle, used] = [await aSession(account.id), await aSession(account.id)];
      expect(await use(idle.secret, days(7))).toBeUndefined();
      for (const day of [6, 12, 18, 24, 29])
        expect((await use(used.secret, days(day)))?.session.id).toBe(used.session.id);
      expect(await use(used.secret, days(30))).toBeUndefined();
      expect(await store.sessions.list(account.id, days(30))).toEqual([]);
    });

    test("are a hundred of an account at most, those that were used last", async () => {
      const [account, other] = [await anAccount(store), await anAccount(store)];
      const [used, idle] = [await aSession(account.id), await aSession(account.id)];
      const { session: foreign } = await aSession(other.id);
      await use(used.secret, minutes(2));
      for (let count = 0; count < 99; count += 1) await aSession(account.id, unique(), minutes(1));
      const listed = (await store.sessions.list(account.id, minutes(3))).map(({ id }) => id);
      expect(listed).toHaveLength(100);
      expect(listed[0]).toBe(used.session.id);
      expect(await use(idle.secret, minutes(3))).toBeUndefined();
      expect(await store.sessions.list(other.id, minutes(3))).toEqual([foreign]);
    });

    test("are renewed daily, in two steps, and end when a value comes back later", async () => {
      const { secret: first } = await aSession((await anAccount(store)).id);
      const [lost, second] = [unique(), unique()];
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

    test("are listed and revoked for their own account alone", async () => {
      const [account, other] = [await anAccount(store), await anAccount(store)];
      const [first, second, third] = [
        await aSession(account.id),
        await aSession(account.id, unique(), minutes(1)),
        await aSession(account.id, unique(), minutes(2)),
      ];
      const listed = async () => (await store.sessions.list(account.id, minutes(3))).map(({ id }) => id);
      expect(await listed()).toEqual([third.session.id, second.session.id, first.session.id]);
      expect(await store.sessions.revoke(other.id, first.session.id, minutes(3))).toBe(false);
      expect(await store.sessions.revoke(account.id, first.session.id, days(8)), "no longer live").toBe(false);
      expect(await store.sessions.revoke(account.id, first.session.id, minutes(3))).toBe(true);
      expect(await use(first.secret, minutes(3))).toBeUndefined();
      expect(await store.sessions.revokeOthers(account.id, third.session.id, minutes(3))).toBe(1);
      expect(await listed()).toEqual([third.session.id]);
      expect(await store.sessions.end(hashOf(third.secret))).toEqual({ idToken: "token" });
      expect(await store.sessions.end(hashOf(third.secret))).toBeUndefined();
      expect(await listed()).toEqual([]);
    });
  });
}
