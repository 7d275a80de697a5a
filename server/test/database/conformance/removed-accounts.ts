import { excludeRequest, recordVisit } from "../../harness/record-visit.ts";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import {
  aCall,
  after,
  aKey,
  aSession,
  anAccount,
  anAllowance,
  aReel,
  aReport,
  ask,
  emptyQueue,
  hashOf,
  mustClaim,
  someone,
  start,
  takeTranscript,
  transcribe,
  transcriptOf,
  unique,
  walled,
} from "./fixtures.ts";

export function removedAccounts(store: Store): void {
  const emptyPage = { displayName: null, bio: null };
  const left = async (id: string) => ({
    account: await store.accounts.find(id),
    keys: await store.keys.list(id),
    scripts: (await store.scripts.search(id, { sort: "date", limit: 10 })).total,
    reports: (await store.reports.list(id, { limit: 10 })).reports,
    posts: await store.reports.postsUsed(id, "lifetime"),
    used: await store.allowances.read({ accountId: id, slot: 1 }, "lifetime"),
    revision: (await store.bioPages.read(id)).revision,
  });
  const useSession = (secret: string) =>
    store.sessions.use({ hash: hashOf(secret), nextHash: hashOf(unique()), now: after(1) });
  const visit = (bioId: string, linkId: string | null) => recordVisit(store.bioEvents, { bioId, linkId, at: start });
  const nothing = {
    account: undefined,
    keys: [],
    scripts: 0,
    reports: [],
    posts: 0,
    used: { used: 0, held: 0 },
    revision: 0,
  };

  /** An account that has one of everything. */
  async function aFullAccount() {
    const account = await anAccount(store);
    const { id } = account;
    const keySecret = unique();
    const key = await aKey(store, id, { secret: keySecret });
    const { secret: sessionSecret } = await aSession(store, id);
    const { reel, transcript } = await transcribe(store, id, { text: "mine", handle: "cook" });
    await store.reports.add({ accountId: id, period: "lifetime", limit: 10 }, aReport());
    const link = { id: `lnk_${unique()}`, title: "Shop", url: "https://shop.test/", icon: null };
    const page = await store.bioPages.change(
      id,
      ({ content }) => ({ ...content, ...emptyPage, links: [{ ...content.links[0], ...link }] }) as typeof content,
      start,
    );
    const handle = `h${unique()}`;
    await store.bioPages.claimHandle(id, handle, start);
    for (const linkId of [null, link.id]) await visit(page.id!, linkId);
    await excludeRequest(store.bioEvents, page.id!, "bots", start);
    expect((await store.idempotentAnswers.begin(aCall(id))).kind).toBe("begun");
    const bucket = { name: "default" as const, limit: 60 };
    for (const slot of [0, 1, 5]) await store.rateLimits.take(`${id}:${slot}`, [bucket], start);
    await store.keyRequests.add(new Map([[key.id, [{ at: start, operation: "getUsage", door: "rest", status: 200 }]]]));
    return { account, id, key, keySecret, sessionSecret, reel, transcript, pageId: page.id!, handle, bucket };
  }

  describe("an account that is removed", () => {
    test("takes all that is its own along, and nothing of anybody else's", async () => {
      const mine = await aFullAccount();
      const theirs = await aFullAccount();
      const before = await left(theirs.id);
      expect(await store.accounts.remove("acc_nobody", start)).toBe(false);
      expect(await store.accounts.remove("acc_\0", start)).toBe(false);
      expect(await store.accounts.remove(mine.id, start)).toBe(true);
      expect(await store.accounts.remove(mine.id, start)).toBe(false);
      expect(await left(mine.id)).toEqual(nothing);
      expect(await store.keys.use(hashOf(mine.keySecret), after(1))).toBeUndefined();
      expect(await useSession(mine.sessionSecret)).toBeUndefined();
      expect(await store.keyRequests.list(mine.key.id)).toEqual([]);
      for (const slot of [0, 1, 5])
        expect(await store.rateLimits.peek(`${mine.id}:${slot}`, [mine.bucket], after(1))).toMatchObject([
          { remaining: 60 },
        ]);
      expect(await visit(mine.pageId, null)).toBe("unknown");

      expect(await left(theirs.id)).toEqual(before);
      expect(await store.keys.use(hashOf(theirs.keySecret), after(1))).toBeDefined();
      expect(await useSession(theirs.sessionSecret)).toBeDefined();
      expect(await store.keyRequests.list(theirs.key.id)).toHaveLength(1);
      expect(await store.rateLimits.peek(`${theirs.id}:1`, [theirs.bucket], after(1))).toMatchObject([
        { remaining: 59 },
      ]);
      expect(await takeTranscript(store, mine.reel, theirs.id, after(1))).toEqual(mine.transcript);
    });

    test("leaves a transcription under way to everybody, however it ends", async () => {
      const { id } = await anAccount(store);
      const queued = aReel();
      const running = aReel();
      const failing = aReel();
      await ask(store, running, anAllowance(id));
      const claim = await mustClaim(store);
      await ask(store, failing, anAllowance(id));
      const toFail = await mustClaim(store);
      await ask(store, queued, anAllowance(id));
      expect(await store.accounts.remove(id, start)).toBe(true);

      const other = await anAccount(store);
      expect(await ask(store, running, anAllowance(other.id))).toEqual({ kind: "inProgress" });
      expect(await store.transcriptions.extend(claim, 0.5, 30, after(1))).toBe(true);
      expect(await store.transcriptions.complete(claim, transcriptOf(running), true, after(2))).toBe(true);
      expect(await store.transcriptions.fail(toFail, walled, { now: after(2) })).toBe(true);
      const next = await mustClaim(store, after(2));
      expect(next.reel.mediaId).toBe(queued.mediaId);
      expect(await store.transcriptions.release(next, true)).toBe(true);
      const again = await mustClaim(store, after(2));
      expect(await store.transcriptions.complete(again, transcriptOf(queued), false, after(3))).toBe(true);
      expect(await left(id)).toEqual(nothing);
      expect(await store.transcriptions.takeCached(running, anAllowance(other.id), after(4))).toBeDefined();
      expect((await store.scripts.search(other.id, { sort: "date", limit: 10 })).total).toBe(1);
    });

    test("is gone whatever is written for it at the same moment", async () => {
      for (let round = 0; round < 12; round += 1) {
        const { id } = await anAccount(store);
        const { reel: cached } = await transcribe(store, (await anAccount(store)).id);
        const running = aReel();
        const starting = aReel();
        const identity = someone();
        await store.identities.link({ ...identity, accountId: id });
        await store.bioPages.claimHandle(id, `a${unique()}`, start);
        await ask(store, running, anAllowance(id));
        const claim = await mustClaim(store);
        const [removed, completed, ...others] = await Promise.allSettled([
          store.accounts.remove(id, start),
          store.transcriptions.complete(claim, transcriptOf(running), true, after(1)),
          ask(store, starting, anAllowance(id)),
          store.transcriptions.takeCached(cached, anAllowance(id), after(1)),
          store.reports.add({ accountId: id, period: "lifetime", limit: 10 }, aReport()),
          store.keys.create({ accountId: id, name: "k", hash: hashOf(unique()), lastFour: "abcd", now: start }),
          store.bioPages.claimHandle(id, `b${unique()}`, start),
          store.bioPages.change(id, ({ content }) => ({ ...content, displayName: "Ada" }), start),
          store.identities.signIn({ ...identity, email: "ada@example.com" }),
        ]);
        expect(removed).toEqual({ status: "fulfilled", value: true });
        expect(completed).toEqual({ status: "fulfilled", value: true });
        for (const other of others.filter(({ status }) => status === "rejected"))
          expect(other).toMatchObject({ reason: { code: "unauthorized" } });
        expect(await left(id)).toEqual(nothing);
        await emptyQueue(store);
        expect(await left(id)).toEqual(nothing);
        // Whatever came in time is counted for whoever comes back.
        const again = await store.identities.signIn(identity);
        const [request, , reported] = others;
        expect(await store.allowances.read({ accountId: again.id, slot: 1 }, "lifetime")).toEqual({
          used: request?.status === "fulfilled" ? 2 : 1,
          held: 0,
        });
        expect(await store.reports.postsUsed(again.id, "lifetime")).toBe(reported?.status === "fulfilled" ? 2 : 0);
      }
    });
  });
}
