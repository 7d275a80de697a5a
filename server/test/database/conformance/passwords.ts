import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, aSession, hashOf, someone, start, unique } from "./fixtures.ts";

const week = 7 * 24 * 60 * 60;

export function passwords(store: Store): void {
  const invite = (email: string, token = unique(), now = start) =>
    store.passwords.invite({
      email,
      plan: "hobby",
      tokenHash: hashOf(token),
      expiresAt: after(week, now),
      by: "ada",
      reason: "test",
      now,
    });
  const accept = (token: string, hash = "a hash", now = start) =>
    store.passwords.accept({ tokenHash: hashOf(token), hash, now });
  const anEmail = (): string => `${unique()}@example.test`;

  describe("invitations", () => {
    test("make one account for an address, of any number of racers and however it is written", async () => {
      const email = anEmail();
      const invitations = await Promise.all(
        Array.from({ length: 4 }, (_, index) => invite(index % 2 === 0 ? email : email.toUpperCase())),
      );
      expect(new Set(invitations.map(({ account }) => account.id)).size).toBe(1);
      expect(invitations[0]).toMatchObject({ email, isReset: false, account: { email, plan: "hobby" } });
      expect(invitations[0]!.account.periodAnchor).toEqual(start);
    });

    test("work once, for one of any number of racers, until they expire", async () => {
      const email = anEmail();
      const token = unique();
      const { account } = await invite(email, token);
      expect(await store.passwords.findByEmail(email)).toBeUndefined();
      expect(await store.passwords.findInvitation(hashOf(token), after(week - 1))).toMatchObject({ email });
      expect(await store.passwords.findInvitation(hashOf(token), after(week))).toBeUndefined();
      expect(await accept(token, "late", after(week))).toBeUndefined();
      expect(await accept(unique())).toBeUndefined();
      const accepted = await Promise.all(Array.from({ length: 5 }, (_, index) => accept(token, `hash ${index}`)));
      const [password, ...others] = accepted.filter((one) => one !== undefined);
      expect([password?.accountId, others]).toEqual([account.id, []]);
      expect(await store.passwords.findByEmail(email.toUpperCase())).toEqual(password);
      expect(await store.passwords.findByAccount(account.id)).toEqual(password);
      expect(await store.passwords.exist()).toBe(true);
    });

    test("of an account end together, and with them its sessions", async () => {
      const email = anEmail();
      const tokens = Array.from({ length: 7 }, () => unique());
      for (const [index, token] of tokens.entries()) await invite(email, token, after(index));
      const live = await Promise.all(
        tokens.map(async (token) => (await store.passwords.findInvitation(hashOf(token), after(9))) !== undefined),
      );
      expect(live, "the last five are kept").toEqual([false, false, true, true, true, true, true]);
      const { account } = (await store.passwords.findInvitation(hashOf(tokens[6]!), after(9)))!;
      const { session } = await aSession(store, account.id);
      await accept(tokens[6]!);
      expect(await accept(tokens[5]!)).toBeUndefined();
      expect(await store.sessions.live([session.id], start)).toEqual([]);
      expect(await invite(email)).toMatchObject({ isReset: true });
      const entries = (await store.moderation.audit(1_000)).filter(({ subject }) => subject === account.id);
      const actions = entries.map(({ action, by, reason }) => `${action} ${by} ${reason}`).toSorted();
      expect(actions).toEqual([...Array.from({ length: 7 }, () => "inviteAccount ada test"), "resetPassword ada test"]);
    });

    test("claim an operator's account, and none of another identity", async () => {
      const mine = anEmail();
      const theirs = anEmail();
      const created = await store.accounts.create({ email: mine, plan: "creator", now: start });
      expect((await invite(mine)).account).toMatchObject({ id: created.id, plan: "creator" });
      const other = await store.identities.signIn({ ...someone(), email: theirs });
      expect((await invite(theirs)).account.id).not.toBe(other.id);
    });

    test("go with their account, and the next one remembers what it used", async () => {
      const email = anEmail();
      const token = unique();
      const { account } = await invite(email, token);
      await accept(token);
      await store.accounts.remove(account.id, start);
      expect(await store.passwords.findByEmail(email)).toBeUndefined();
      expect((await invite(email)).account.id).not.toBe(account.id);
    });
  });

  describe("a password", () => {
    test("is changed by whoever knows the former hash, which ends other sessions and links", async () => {
      const email = anEmail();
      const token = unique();
      const reset = unique();
      const { account } = await invite(email, token);
      await accept(token, "first");
      await invite(email, reset);
      const mine = await aSession(store, account.id);
      const other = await aSession(store, account.id);
      const change = (former: string, hash: string) =>
        store.passwords.change({ accountId: account.id, former, hash, sessionId: mine.session.id, now: start });
      expect(await change("another", "second")).toBe(false);
      expect(await store.sessions.live([mine.session.id, other.session.id], start)).toHaveLength(2);
      const changed = await Promise.all(["second", "third"].map((hash) => change("first", hash)));
      expect(changed.filter(Boolean)).toHaveLength(1);
      expect(await store.sessions.live([mine.session.id, other.session.id], start)).toEqual([mine.session.id]);
      expect(await store.passwords.findInvitation(hashOf(reset), start)).toBeUndefined();
    });
  });

  describe("an attempt to sign in", () => {
    test("is found until it is taken or expires", async () => {
      const state = hashOf(unique());
      const browser = hashOf(unique());
      const attempt = { verifier: "v", nonce: "n", returnTo: "/app" };
      await store.signInAttempts.create({ stateHash: state, browserHash: browser, ...attempt, expiresAt: after(600) });
      expect(await store.signInAttempts.find(state, after(599))).toEqual(attempt);
      expect(await store.signInAttempts.find(state, after(600))).toBeUndefined();
      await store.signInAttempts.take(state, browser, start);
      expect(await store.signInAttempts.find(state, start)).toBeUndefined();
    });
  });
}
