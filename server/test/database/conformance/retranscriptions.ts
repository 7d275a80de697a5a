import { describe, expect, test } from "vitest";
import { readScript } from "../../../src/adapters/database/library/unread-scripts.ts";
import type { Claim, NewTranscript, ReelAddress, Store } from "../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  askAgain,
  broken,
  mustClaim,
  newestScriptId,
  start,
  transcribe,
  transcriptOf,
  walled,
} from "./fixtures.ts";

/** Has an older recognizer hear a reel for an account, and gives the script. */
async function hear(store: Store, accountId: string, changes: Partial<NewTranscript> = {}, text = "one two three") {
  const old = { revision: 0, gaps: gapOf(5), ...changes };
  const { reel } = await transcribe(store, accountId, { text, caption: "a caption", handle: "cook" }, start, old);
  return { reel, id: await newestScriptId(store, accountId) };
}

const heardAgain = (reel: ReelAddress, changes: Partial<NewTranscript> = {}): NewTranscript => ({
  ...transcriptOf(reel, { text: "one two three four", caption: "read again" }, after(100)),
  revision: 2,
  ...changes,
});

export function retranscriptions(store: Store): void {
  const retranscribe = async (
    accountId: string,
    scriptId: string,
    transcriptFor: (reel: ReelAddress) => NewTranscript,
  ) => {
    const outcome = await askAgain(store, accountId, scriptId);
    if (outcome.kind !== "started") throw new Error(`it is ${outcome.kind}`);
    const claim = await mustClaim(store, after(60));
    expect(claim).toMatchObject({ transcriptionId: outcome.transcriptionId, retranscribes: true, mayRetry: true });
    expect(await store.transcriptions.complete(claim, transcriptFor(claim.reel), true, after(100))).toBe(true);
    return { claim, outcome: await store.retranscriptions.takeOutcome(outcome.transcriptionId) };
  };
  const find = async (accountId: string, scriptId: string) => {
    const script = await store.scripts.findUnread(accountId, scriptId, { words: true });
    return script && readScript(script);
  };
  const total = async (accountId: string, query: string) =>
    (await store.scripts.search(accountId, { query, sort: "date", limit: 1 })).total;

  test("a new text replaces its own transcript, whatever else it says", async () => {
    const { id } = await anAccount(store);
    const script = await hear(store, id);
    const other = await hear(store, id, {}, "another text");
    const also = { id: 1, attempt: 7, owner: id, tokens: "'taken':1", outcome: "empty" };
    const { outcome } = await retranscribe(id, script.id, (reel) => ({ ...heardAgain(reel), ...also }));
    expect(outcome).toBe("replaced");
    expect(await find(id, script.id)).toMatchObject({ transcript: { text: "one two three four" } });
    expect(await find(id, other.id)).toMatchObject({ transcript: { text: "another text" } });
    expect([await total(id, "four"), await total(id, "taken")]).toEqual([1, 0]);
  });

  describe("what was heard", () => {
    test("stores gaps, revision and joining words; lists read no words", async () => {
      const { id } = await anAccount(store);
      const words = [
        { start: 0, end: 0.32, text: "un" },
        { start: 0.4, end: 1.2345, text: " dé\0jà" },
        { start: 1.3, end: 1.5, text: " 👋🏽." },
      ];
      const gaps = [{ start: 2, end: 14.5, reason: "skipped" as const }];
      const text = "un dé\0jà 👋🏽.";
      const script = await hear(store, id, { words, gaps, revision: 7, heardBy: "7 many" }, text);
      const stored = await find(id, script.id);
      expect(stored).toMatchObject({
        transcript: { text: "un déjà 👋🏽.", gaps, revision: 7 },
        heardBy: ["7 many"],
        words: [words[0], { start: 0.4, end: 1.235, text: " déjà" }, words[2]],
      });
      expect(stored!.words!.map((word) => word.text).join("")).toBe(stored!.transcript.text);
      expect(await store.scripts.find(id, script.id)).not.toHaveProperty("words");
      expect((await store.scripts.search(id, { sort: "date", limit: 1 })).scripts[0]!.transcript).not.toHaveProperty(
        "words",
      );
      expect(await store.transcriptions.takeCached(script.reel, anAllowance(id), start)).not.toHaveProperty("words");
    });

    test("has no words if they don't join to text, but keeps gaps", async () => {
      const { id } = await anAccount(store);
      const words = [{ start: 0, end: 1, text: "another text" }];
      const unknown = await hear(store, id, { words });
      const stored = await find(id, unknown.id);
      expect(stored).toMatchObject({ transcript: { gaps: gapOf(5), revision: 0 } });
      expect(stored).not.toHaveProperty("words");
      expect(await find(id, (await hear(store, id, { gaps: [] })).id)).toMatchObject({ transcript: { gaps: [] } });
    });
  });

  describe("retranscriptions", () => {
    test("change nothing if text would be lost, once per recognizer", async () => {
      const { id: accountId } = await anAccount(store);
      const { id } = await hear(store, accountId);
      const before = (await find(accountId, id))!;
      const { outcome } = await retranscribe(accountId, id, (reel) => heardAgain(reel, { gaps: gapOf(5) }));
      expect(outcome).toBe("notFewerGaps");
      expect(await find(accountId, id)).toEqual({ ...before, heardBy: ["0 whisper-base", "2 whisper-base"] });
      expect((await askAgain(store, accountId, id)).kind).toBe("current");
      const older = { model: "whisper-base", revision: 1 };
      expect((await askAgain(store, accountId, id, { recognizer: older })).kind).toBe("started");
    });
    test("are answered in order: noScript, inProgress, finished, current, queueFull", async () => {
      const owner = await anAccount(store);
      const other = await anAccount(store);
      const { reel, id } = await hear(store, owner.id);
      expect((await askAgain(store, other.id, id)).kind).toBe("noScript");
      expect((await askAgain(store, owner.id, "scr_nothing")).kind).toBe("noScript");
      await ask(store, aReel(), anAllowance(owner.id));
      expect((await askAgain(store, owner.id, id, { queueLimit: 1 })).kind).toBe("queueFull");
      const answers = await Promise.all(Array.from({ length: 5 }, () => askAgain(store, owner.id, id)));
      expect(answers.map(({ kind }) => kind).toSorted()).toEqual([...Array<string>(4).fill("inProgress"), "started"]);
      await store.transcriptions.takeCached(reel, anAllowance(other.id), start);
      const theirs = await newestScriptId(store, other.id);
      expect(await askAgain(store, other.id, theirs)).toEqual({ kind: "inProgress" });
      const claims = [await mustClaim(store, after(60)), await mustClaim(store, after(60))];
      const claim = claims.find((one) => one.retranscribes)!;
      expect(await askAgain(store, owner.id, id)).toEqual({
        kind: "inProgress",
        transcriptionId: claim.transcriptionId,
      });
      await store.transcriptions.complete(claim, heardAgain(reel, { gaps: [] }), true, after(70));
      expect((await askAgain(store, other.id, theirs)).kind).toBe("current");
      const finished = { kind: "finished", transcriptionId: claim.transcriptionId, outcome: "replaced" };
      expect(await askAgain(store, owner.id, id)).toEqual(finished);
      expect(await store.retranscriptions.takeOutcome(claim.transcriptionId)).toBe("replaced");
      expect((await askAgain(store, owner.id, id)).kind).toBe("current");
    });

    test("that fail change nothing; only a refusal counts as heard", async () => {
      const { id: accountId } = await anAccount(store);
      const { id } = await hear(store, accountId);
      const before = await find(accountId, id);
      await askAgain(store, accountId, id);
      expect(await store.transcriptions.fail(await mustClaim(store, after(60)), walled, { now: after(61) })).toBe(true);
      expect(await find(accountId, id)).toEqual(before);
      await askAgain(store, accountId, id);
      const refuse = { model: "2 whisper-base", until: after(86_400) };
      const failure = { code: "invalidRequest", status: 422, message: "Not recognized." } as const;
      await store.transcriptions.fail(await mustClaim(store, after(62)), failure, { now: after(63), refuse });
      expect(await find(accountId, id)).toEqual({ ...before, heardBy: ["0 whisper-base", "2 whisper-base"] });
      expect((await askAgain(store, accountId, id)).kind).toBe("current");
    });

    test("write nothing after their lease was lost, and survive their account", async () => {
      const { id: accountId } = await anAccount(store);
      const { reel, id } = await hear(store, accountId);
      await askAgain(store, accountId, id);
      const first = await mustClaim(store, after(60), 30);
      const second = await mustClaim(store, after(90), 30);
      const before = await find(accountId, id);
      expect(await store.transcriptions.complete(first, heardAgain(reel), true, after(91))).toBe(false);
      expect(await find(accountId, id)).toEqual(before);
      await store.accounts.remove(accountId, after(92));
      expect(await store.transcriptions.complete(second, heardAgain(reel), true, after(93))).toBe(true);
      const reader = await anAccount(store);
      expect(await store.transcriptions.takeCached(reel, anAllowance(reader.id), after(94))).toMatchObject({
        text: "one two three four",
      });
      expect(await total(reader.id, "four")).toBe(1);
    });
  });

  describe("a run of retranscriptions", () => {
    // Other tests leave no transcripts of this revision.
    const revision = 31;
    const newest = { model: "whisper-base", revision: 32 };
    const claim = (now = after(200)) => store.retranscriptions.claim("retranscriptions", 30, newest, now);
    const next = async (now?: Date): Promise<Claim> => (await claim(now)) ?? expect.fail("nothing to transcribe again");
    const withGaps = ({ reel }: Claim, gaps: NewTranscript["gaps"]) =>
      heardAgain(reel, { gaps, revision: 32, heardBy: "32 whisper-base" });
    const count = (recognizer = newest) => store.retranscriptions.count({ revision }, recognizer);

    test("transcribes everything of a revision once, after queued reels, with progress", async () => {
      const { id: accountId } = await anAccount(store);
      const old = { gaps: gapOf(5), revision, heardBy: "31 whisper-base" };
      const reels: ReelAddress[] = [];
      for (let index = 0; index < 5; index += 1) reels.push((await hear(store, accountId, old)).reel);
      await transcribe(store, accountId);
      await hear(store, accountId, { ...old, heardBy: "32 whisper-base" });
      expect(await count()).toBe(5);
      expect(await count({ model: "whisper-large", revision: 31 })).toBe(6);
      expect(await count({ model: "whisper-large", revision: 30 }), "never with an older recognizer").toBe(0);
      expect(await claim()).toBeUndefined();

      const begun = { state: "running", revision, total: 5, replaced: 0, kept: 0, failed: 0, startedAt: after(150) };
      expect(await store.retranscriptions.start({ revision }, newest, after(150))).toMatchObject(begun);
      expect(await store.retranscriptions.start({ revision: null }, newest, after(151))).toBe("running");
      await ask(store, aReel(), anAllowance(accountId, { limit: 1_000 }));
      expect(await claim(), "something fresh waits").toBeUndefined();
      await store.transcriptions.fail(await mustClaim(store, after(190)), walled, { now: after(190) });

      const older = { model: "whisper-base", revision: 31 };
      expect(
        await store.retranscriptions.claim("retranscriptions", 30, older, after(195)),
        "an older worker",
      ).toBeUndefined();
      expect(await store.retranscriptions.find(), "leaves it alone").toMatchObject({ state: "running" });

      const keptClaim = await next();
      const unfetched = await next();
      expect(keptClaim).toMatchObject({
        reel: reels[0],
        retranscribes: true,
        languageHint: "en",
        attempt: 1,
        mayRetry: false,
      });
      expect(unfetched.reel).toEqual(reels[1]);
      const late = await store.transcriptions.claim("worker", 30, after(1_000));
      expect(late, "no worker takes it as fresh").toBeUndefined();
      await store.transcriptions.complete(keptClaim, withGaps(keptClaim, gapOf(9)), true, after(201));
      await store.transcriptions.fail(unfetched, walled, { now: after(202) });
      const givenBack = await next();
      expect(givenBack.reel).toEqual(reels[2]);
      expect(await store.retranscriptions.giveBack(givenBack)).toBe(true);
      expect(await store.retranscriptions.giveBack(givenBack)).toBe(false);
      expect(await store.retranscriptions.stop()).toMatchObject({ ...begun, state: "stopped", kept: 1, failed: 1 });
      expect(await store.retranscriptions.stop()).toBeUndefined();
      expect(await claim()).toBeUndefined();
      const resumed = { ...begun, kept: 1, failed: 1 };
      expect(await store.retranscriptions.start({ revision }, newest, after(300))).toMatchObject(resumed);

      expect((await next(after(310))).reel).toEqual(reels[2]);
      const passed = await next(after(310));
      expect(passed.reel).toEqual(reels[3]);
      await store.transcriptions.complete(passed, withGaps(passed, []), true, after(311));
      expect(await store.transcriptions.reap(broken, after(341)), "its worker died").toEqual({ failed: 1, expired: 1 });
      const revived = await next(after(350));
      expect(revived.reel).toEqual(reels[2]);
      await store.transcriptions.complete(revived, withGaps(revived, []), true, after(351));
      for (const now of [after(360), after(370)]) {
        const crashing = await next(now);
        expect(crashing.reel).toEqual(reels[4]);
        expect(await claim(now), "the last is in hand").toBeUndefined();
        expect(await store.retranscriptions.find()).toMatchObject({ state: "running" });
        await store.transcriptions.fail(crashing, broken, { now });
      }
      expect(await claim(after(380)), "not a third time").toBeUndefined();
      const done = { ...begun, state: "done", replaced: 2, kept: 1, failed: 2 };
      expect(await store.retranscriptions.find()).toMatchObject(done);
      expect(await store.retranscriptions.stop()).toBeUndefined();
      expect(await total(accountId, "four")).toBe(2);
      expect(await store.transcriptions.queueLength()).toBe(0);
      expect(await count(), "what failed may be tried again by another run").toBe(2);
    });
  });
}

const gapOf = (seconds: number) => [{ start: 0, end: seconds, reason: "noText" as const }];
