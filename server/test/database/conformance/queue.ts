import { describe, expect, test } from "vitest";
import type { Claim, Store } from "../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  askAgain,
  askSent,
  broken,
  emptyQueue,
  kindsOf,
  mustClaim,
  newestScriptId,
  start,
  transcribe,
  transcriptOf,
  walled,
} from "./fixtures.ts";

export function queue(store: Store): void {
  /** Reels of a new account, asked for one after the other from `seconds` on; tells claims of them apart by `name`. */
  const names = new Map<string, string>();
  async function line(name: string, count: number, seconds = 0) {
    const { id } = await anAccount(store);
    for (let index = 0; index < count; index += 1) await one(name, id, seconds + index / 1_000);
    return id;
  }
  async function one(name: string, accountId: string, seconds: number) {
    const reel = aReel();
    names.set(reel.mediaId, name);
    const outcome = await ask(store, reel, anAllowance(accountId, { limit: 1_000 }), { now: after(seconds) });
    expect(outcome).toMatchObject({ kind: "started" });
  }
  const nameOf = (claim: Claim) => names.get(claim.reel.mediaId);
  async function claimAt(seconds: number) {
    return mustClaim(store, after(seconds), 3_600);
  }
  const end = (claim: Claim, seconds: number) => store.transcriptions.fail(claim, walled, { now: after(seconds) });

  describe("turns", () => {
    test("go around the accounts, however many reels one of them has waiting", async () => {
      await line("greedy", 6);
      await line("other", 2, 1);
      await line("quiet", 1, 2);
      const order: (string | undefined)[] = [];
      for (let turn = 0; turn < 9; turn += 1) {
        const claim = await claimAt(10 + turn);
        order.push(nameOf(claim));
        await end(claim, 10 + turn);
      }
      expect(order).toEqual(["greedy", "other", "quiet", "greedy", "other", "greedy", "greedy", "greedy", "greedy"]);
    });

    test("are first those of the account with the fewest running", async () => {
      await line("greedy", 5);
      const first = [await claimAt(1), await claimAt(2)];
      await line("quiet", 2, 3);
      const next = [await claimAt(4), await claimAt(5)];
      expect([...first, ...next].map(nameOf)).toEqual(["greedy", "greedy", "quiet", "quiet"]);
      await end(first[0]!, 6);
      expect(nameOf(await claimAt(6))).toBe("greedy");
    });

    test("come immediately to a quiet account, but never starve anybody", async () => {
      const greedy = await line("greedy", 3);
      for (const seconds of [1, 2]) await end(await claimAt(seconds), seconds);
      await line("quiet", 1, 3);
      const quiet = await claimAt(4);
      expect(nameOf(quiet)).toBe("quiet");
      await end(quiet, 4);
      await one("greedy", greedy, 5);
      // Newcomers one after the other: greedy, whose turn was at 2, comes before those that came 300 s later.
      await line("newcomer", 1, 200);
      await line("late newcomer", 1, 400);
      expect(nameOf(await claimAt(400))).toBe("newcomer");
      expect(nameOf(await claimAt(400))).toBe("greedy");
      expect(nameOf(await claimAt(400))).toBe("late newcomer");
    });

    test("of a deleted account's reels are nobody's, and come too", async () => {
      const id = await line("deleted", 2);
      await line("other", 1, 1);
      await store.accounts.remove(id, start);
      const claimed = [await claimAt(2), await claimAt(3), await claimAt(4)].map(nameOf);
      expect(claimed.filter((name) => name === "deleted")).toHaveLength(2);
      expect(claimed).toContain("other");
    });
  });

  describe("limits of the queue", () => {
    test("hold for an account under load; running reels don't wait", async () => {
      const { id } = await anAccount(store);
      const many = async (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            ask(store, aReel(), anAllowance(id, { limit: 100, slot: 1 + (index % 3) }), { queueLimitPerAccount: 3 }),
          ),
        );
      expect(kindsOf(await many(9))).toEqual([
        ...Array<string>(6).fill("accountQueueFull"),
        ...Array<string>(3).fill("started"),
      ]);
      expect(await store.transcriptions.queueLength()).toBe(3);
      await mustClaim(store);
      expect(kindsOf(await many(3))).toEqual(["accountQueueFull", "accountQueueFull", "started"]);
      const held = await Promise.all(
        [1, 2, 3].map((slot) => store.allowances.read({ accountId: id, slot }, "lifetime")),
      );
      expect(held.reduce((sum, one) => sum + one.held, 0)).toBe(4);
    });

    test("admit accounts without reels to a full queue up to its double", async () => {
      const greedy = await anAccount(store);
      const full = { queueLimit: 2 };
      for (const kind of ["started", "started", "queueFull"])
        expect(await ask(store, aReel(), anAllowance(greedy.id), full)).toMatchObject({ kind });
      const others = await Promise.all([anAccount(store), anAccount(store), anAccount(store)]);
      for (const [index, kind] of ["started", "started", "queueFull"].entries())
        expect(await ask(store, aReel(), anAllowance(others[index]!.id), full)).toMatchObject({ kind });
      expect(await ask(store, aReel(), anAllowance(others[0]!.id), full)).toMatchObject({ kind: "queueFull" });
      expect(await store.allowances.read({ accountId: others[2]!.id, slot: 1 }, "lifetime")).toEqual({
        used: 0,
        held: 0,
      });
    });

    test("say that the account's is full before they say that everybody's is", async () => {
      const { id } = await anAccount(store);
      const limits = { queueLimit: 1, queueLimitPerAccount: 1 };
      expect(await ask(store, aReel(), anAllowance(id), limits)).toMatchObject({ kind: "started" });
      expect(await ask(store, aReel(), anAllowance(id), limits)).toEqual({ kind: "accountQueueFull" });
    });
  });

  describe("what was in hand at a crash", () => {
    test("goes only to an idle worker, and others wait for it", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      expect(await mustClaim(store, start, 30)).not.toHaveProperty("crashed");
      await line("innocent", 1, 1);
      const claim = (alone: boolean) => store.transcriptions.claim("second", 30, after(30), { alone });
      expect(await claim(false)).toBeUndefined();
      const again = await claim(true);
      expect(again).toMatchObject({ crashed: true, mayRetry: false, attempt: 2 });
      expect(nameOf((await claim(false))!)).toBe("innocent");
      // It is remembered although it was given back.
      await store.transcriptions.release(again!, false);
      expect(await claim(false)).toBeUndefined();
      expect(await claim(true)).toMatchObject({ crashed: true });
    });

    test("twice fails, whatever happened in between, and costs nothing", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      await mustClaim(store, start, 30);
      const second = await mustClaim(store, after(30), 30);
      await store.transcriptions.release(second, false);
      await mustClaim(store, after(32), 30);
      expect(await store.transcriptions.claim("third", 30, after(62))).toBeUndefined();
      expect(await store.transcriptions.reap(broken, after(62))).toEqual({ failed: 1, expired: 1 });
      expect(await store.transcriptions.find(second.transcriptionId)).toEqual({ state: "failed", failure: broken });
      expect(await store.allowances.read({ accountId: id, slot: 1 }, "lifetime")).toEqual({ used: 0, held: 0 });
    });
  });

  describe("what waits during an outage", () => {
    test("is nobody's before its time, and uses no try", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      const waiting = { until: after(10), since: start, waitingFor: "platform", isShared: false } as const;
      let claim = await mustClaim(store);
      const { transcriptionId } = claim;
      for (const [now, waitingFor] of [
        [10, "platform"],
        [20, "recognizer"],
        [30, "recognizer"],
        [40, "storage"],
      ] as const) {
        expect(await store.transcriptions.postpone(claim, { ...waiting, waitingFor, until: after(now) })).toBe(true);
        const queued = { state: "queued", progress: 0, waitingFor };
        expect(await store.transcriptions.find(transcriptionId)).toEqual(queued);
        expect(await store.transcriptions.findOwn(id, transcriptionId)).toMatchObject(queued);
        expect(await store.transcriptions.claim("another", 30, after(now - 1))).toBeUndefined();
        claim = await mustClaim(store, after(now));
        expect(claim).toMatchObject({
          transcriptionId,
          away: { dependency: waitingFor, since: start },
          mayRetry: true,
        });
        expect(await store.transcriptions.find(transcriptionId)).toEqual({ state: "running", progress: 0 });
      }
      expect(await store.transcriptions.postpone({ ...claim, attempt: 1 }, waiting)).toBe(false);
    });

    test("leaves the reels of other platforms and sent media to be claimed", async () => {
      const { id } = await anAccount(store);
      const away = aReel();
      const sentReel = aReel();
      const other = { ...aReel(), platform: "another" };
      await ask(store, away, anAllowance(id));
      await askSent(store, sentReel, anAllowance(id));
      await ask(store, other, anAllowance(id));
      const claim = () => store.transcriptions.claim("worker", 30, start, { away: [away.platform] });
      expect(await claim()).toMatchObject({ reel: sentReel });
      expect(await claim()).toMatchObject({ reel: other });
      expect(await claim()).toBeUndefined();
      expect(await mustClaim(store)).toMatchObject({ reel: away });
    });

    test("is shown by those that were never tried, until it answers or nobody reports it", async () => {
      const { id } = await anAccount(store);
      const outcome = await ask(store, aReel(), anAllowance(id, { limit: 100 }));
      const claim = await mustClaim(store);
      expect(outcome).toMatchObject({ transcriptionId: claim.transcriptionId });
      const ids: string[] = [];
      for (const reel of [aReel(), { ...aReel(), platform: "another" }]) {
        const started = await ask(store, reel, anAllowance(id, { limit: 100 }));
        ids.push(started.kind === "started" ? started.transcriptionId : expect.fail(started.kind));
      }
      const awaited = () =>
        Promise.all(
          ids.map(async (one) => {
            const state = await store.transcriptions.find(one);
            const ownTranscription = await store.transcriptions.findOwn(id, one);
            const waitingFor = state && "waitingFor" in state ? state.waitingFor : undefined;
            expect(ownTranscription && "waitingFor" in ownTranscription ? ownTranscription.waitingFor : undefined).toBe(
              waitingFor,
            );
            return waitingFor;
          }),
        );
      expect(await awaited()).toEqual([undefined, undefined]);
      const waiting = { until: after(10), since: start, waitingFor: "platform", isShared: true } as const;
      await store.transcriptions.postpone(claim, waiting);
      expect(await awaited()).toEqual(["platform", undefined]);
      await store.transcriptions.noteAnswer("platform", "another");
      expect(await awaited()).toEqual(["platform", undefined]);
      await store.transcriptions.noteAnswer("platform", claim.reel.platform);
      expect(await awaited()).toEqual([undefined, undefined]);

      const again = await mustClaim(store, after(10));
      await store.transcriptions.postpone(again, { ...waiting, until: after(20), waitingFor: "recognizer" });
      expect(await awaited()).toEqual(["recognizer", "recognizer"]);
      await store.transcriptions.reap(broken, after(79));
      expect(await awaited()).toEqual(["recognizer", "recognizer"]);
      await store.transcriptions.reap(broken, after(80));
      expect(await awaited()).toEqual([undefined, undefined]);
    });

    test("ends when it has waited long enough, and gives its unit back", async () => {
      const { id } = await anAccount(store);
      for (const waitingFor of ["platform", "recognizer", "storage"] as const) {
        const outcome = await ask(store, aReel(), anAllowance(id));
        const transcriptionId = outcome.kind === "started" ? outcome.transcriptionId : expect.fail(outcome.kind);
        const claim = await mustClaim(store);
        await store.transcriptions.postpone(claim, { until: after(60), since: after(5), waitingFor, isShared: false });
        const platform = waitingFor === "platform" ? claim.reel.platform : undefined;
        const overdue = { waitingFor, platform, before: after(5), now: after(50) };
        await store.transcriptions.endOverdue(broken, { ...overdue, before: after(4) });
        await store.transcriptions.endOverdue(broken, { ...overdue, platform: "another" });
        for (const other of (["platform", "recognizer", "storage"] as const).filter((name) => name !== waitingFor))
          await store.transcriptions.endOverdue(broken, { ...overdue, waitingFor: other, platform: undefined });
        expect(await store.transcriptions.find(transcriptionId)).toMatchObject({ state: "queued" });
        await store.transcriptions.endOverdue(broken, overdue);
        expect(await store.transcriptions.find(transcriptionId)).toEqual({ state: "failed", failure: broken });
      }
      expect(await store.allowances.read({ accountId: id, slot: 1 }, "lifetime")).toEqual({ used: 0, held: 0 });
    });
  });

  describe("what a worker gave back", () => {
    test("goes to another one first", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      const claim = await mustClaim(store);
      await line("other", 1, 1);
      expect(await store.transcriptions.release(claim, true, after(5))).toBe(true);
      const ownClaim = await mustClaim(store, after(4));
      expect(nameOf(ownClaim)).toBe("other");
      expect(await store.transcriptions.claim("worker", 30, after(4))).toBeUndefined();
      const { transcriptionId } = claim;
      expect(await store.transcriptions.claim("another", 30, after(4))).toMatchObject({ transcriptionId });
    });

    test("comes back to it later, when there is no other", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      await store.transcriptions.release(await mustClaim(store), true, after(3));
      expect(await store.transcriptions.claim("worker", 30, after(2))).toBeUndefined();
      const again = await mustClaim(store, after(3));
      expect(await store.transcriptions.complete(again, transcriptOf(again.reel), true, after(4))).toBe(true);
    });
  });

  describe("transcribing again", () => {
    const again = async (accountId: string, queueLimit: number) =>
      askAgain(store, accountId, await newestScriptId(store, accountId), { queueLimit });

    test("has the usual limits: a full queue accepts an account's first reel", async () => {
      await emptyQueue(store);
      const busy = await anAccount(store);
      const quiet = await anAccount(store);
      for (const { id } of [busy, quiet]) await transcribe(store, id);
      await ask(store, aReel(), anAllowance(busy.id));
      expect((await again(busy.id, 1)).kind).toBe("queueFull");
      expect((await again(quiet.id, 1)).kind).toBe("started");
      await emptyQueue(store);
    });

    test("doesn't keep a reel from being taken down", async () => {
      const { id } = await anAccount(store);
      const { reel } = await transcribe(store, id);
      expect((await again(id, 10)).kind).toBe("started");
      await store.transcriptions.complete(await mustClaim(store, after(60)), transcriptOf(reel), true, after(61));
      const decision = { by: "an operator", reason: "asked to", now: after(200) };
      expect(await store.moderation.takeDown(reel, decision)).toEqual({ scripts: 1 });
    });
  });
}
