import { describe, expect, test } from "vitest";
import type { Claim, Store } from "../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  kindsOf,
  mustClaim,
  mustStart,
  spokenTextOf,
  start,
  takeTranscript,
  transcribe,
  transcriptOf,
  walled,
} from "./fixtures.ts";

/** Makes the fields that an attacker who took over a recognizer's process might add to an answer. */
const inNameOf = ({ transcriptionId, attempt }: Claim, owner: string) => ({
  id: transcriptionId,
  attempt,
  owner,
  accountId: owner,
  own: true,
  charge: false,
});

export function transcriptions(store: Store): void {
  const read = (accountId: string, period = "lifetime", slot = 1) => store.allowances.read({ accountId, slot }, period);

  test("a transcript completes its own transcription, whatever else it says", async () => {
    const one = await anAccount(store);
    const other = await anAccount(store);
    const oneId = await mustStart(store, one.id);
    const otherId = await mustStart(store, other.id);
    const claims = [await mustClaim(store), await mustClaim(store)];
    const [claim, foreign] = [oneId, otherId].map((id) =>
      claims.find(({ transcriptionId }) => transcriptionId === id)!,
    );
    const transcript = { ...transcriptOf(claim!.reel), ...inNameOf(foreign!, other.id) };
    expect(await store.transcriptions.complete(claim!, transcript, true, start)).toBe(true);
    expect(await store.transcriptions.find(oneId)).toEqual({ state: "done" });
    expect(await store.transcriptions.find(otherId)).toMatchObject({ state: "running" });
    expect(await store.transcriptions.isCached(claim!.reel)).toBe(true);
    expect(await store.transcriptions.isCached(foreign!.reel)).toBe(false);
    expect([await read(one.id), await read(other.id)]).toEqual([
      { used: 1, held: 0 },
      { used: 0, held: 1 },
    ]);
    expect(await store.transcriptions.complete(foreign!, transcriptOf(foreign!.reel), true, start)).toBe(true);
  });

  describe("requests", () => {
    test("of ten accounts for one reel start it once", async () => {
      const reel = aReel();
      const accounts = await Promise.all(Array.from({ length: 10 }, () => anAccount(store)));
      const answers = await Promise.all(accounts.map(({ id }) => ask(store, reel, anAllowance(id))));
      expect(kindsOf(answers)).toEqual([...Array<string>(9).fill("inProgress"), "started"]);
      const allowances = await Promise.all(accounts.map(({ id }) => read(id)));
      expect(allowances.reduce((sum, { held }) => sum + held, 0)).toBe(1);
      expect(await store.transcriptions.queueLength()).toBe(1);
    });

    test("for the last unit get it once", async () => {
      const { id } = await anAccount(store);
      for (let unit = 0; unit < 2; unit += 1) await transcribe(store, id);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => ask(store, aReel(), anAllowance(id, { limit: 3 }))),
      );
      expect(kindsOf(answers)).toEqual([...Array<string>(4).fill("limitReached"), "started"]);
      expect(await read(id)).toEqual({ used: 2, held: 1 });
    });

    test("are answered in order: cached, inProgress, limitReached, refused, queueFull", async () => {
      const { id } = await anAccount(store);
      const { reel: cached, transcript } = await transcribe(store, id);
      const running = aReel();
      expect(await ask(store, running, anAllowance(id))).toMatchObject({ kind: "started" });
      const refused = aReel();
      await ask(store, refused, anAllowance(id));
      const claims = [await mustClaim(store), await mustClaim(store)];
      const failure = { code: "invalidRequest", status: 422, message: "Not recognized." } as const;
      const refuse = { model: "whisper-base", until: after(86_400) };
      const claim = claims.find((one) => one.reel.mediaId === refused.mediaId) as Claim;
      expect(await store.transcriptions.fail(claim, failure, { now: start, refuse })).toBe(true);

      const full = { queueLimit: 1 };
      const none = anAllowance(id, { limit: 1 });
      expect(await ask(store, cached, none, full)).toEqual({
        kind: "cached",
        transcript: { ...spokenTextOf(transcript), scriptId: expect.stringMatching(/^scr_/), used: 1 },
      });
      expect(await ask(store, running, none, full)).toMatchObject({ kind: "inProgress" });
      expect(await ask(store, refused, none, full)).toEqual({ kind: "limitReached" });
      expect(await ask(store, refused, anAllowance(id), full)).toEqual({ kind: "refused", failure });
      expect(await ask(store, aReel(), anAllowance(id), full)).toEqual({ kind: "queueFull" });
      expect(await ask(store, refused, anAllowance(id), { model: "another" })).toMatchObject({ kind: "started" });
      expect(await read(id)).toEqual({ used: 1, held: 2 });
    });

    test("keep the queue's limit under a rush", async () => {
      const { id } = await anAccount(store);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => ask(store, aReel(), anAllowance(id, { limit: 100 }), { queueLimit: 3 })),
      );
      expect(kindsOf(answers)).toEqual([...Array<string>(5).fill("queueFull"), "started", "started", "started"]);
      expect(await store.transcriptions.queueLength()).toBe(3);
    });
  });

  describe("transcriptions", () => {
    test("go from queued via running to done, charged, cached and in libraries", async () => {
      const { id } = await anAccount(store);
      const other = await anAccount(store);
      const reel = aReel();
      const outcome = await ask(store, reel, anAllowance(id), { languageHint: "es" });
      if (outcome.kind !== "started") throw new Error(outcome.kind);
      expect(outcome.transcriptionId).toMatch(/^trn_/);
      expect(await store.transcriptions.find(outcome.transcriptionId)).toEqual({ state: "queued", progress: 0 });
      expect(await read(id)).toEqual({ used: 0, held: 1 });
      const claim = await mustClaim(store);
      expect(claim).toEqual({
        transcriptionId: outcome.transcriptionId,
        accountId: id,
        attempt: 1,
        reel,
        languageHint: "es",
        mayRetry: true,
        setbacks: 0,
      });
      expect(await store.transcriptions.claim("another", 30, start)).toBeUndefined();
      expect(await store.transcriptions.extend(claim, 0.25, 30, after(10))).toBe(true);
      expect(await store.transcriptions.find(claim.transcriptionId)).toEqual({ state: "running", progress: 0.25 });
      expect(await store.transcriptions.takeCached(reel, anAllowance(id), after(10))).toBeUndefined();

      const transcript = transcriptOf(reel, {
        text: "hola \0 señor 👋🏽",
        caption: "a\0b \ud800",
        views: 10,
        likes: 1,
        comments: 1,
      });
      expect(await store.transcriptions.complete(claim, transcript, true, after(20))).toBe(true);
      expect(await store.transcriptions.find(claim.transcriptionId)).toEqual({ state: "done" });
      expect(await read(id)).toEqual({ used: 1, held: 0 });
      expect(await store.transcriptions.queueLength()).toBe(0);
      const stored = {
        ...transcript,
        text: "hola  señor 👋🏽",
        segments: transcript.segments.map((segment) => ({ ...segment, text: segment.text.replaceAll("\0", "") })),
        reel: { ...transcript.reel, caption: "ab \uFFFD" },
      };
      const library = await store.scripts.search(id, { sort: "date", limit: 5 });
      expect(library).toEqual({
        scripts: [
          {
            id: expect.stringMatching(/^scr_/),
            transcript: stored,
            addedAt: after(20),
            tags: [],
            correctedAt: null,
            typicalViews: null,
          },
        ],
        total: 1,
      });
      expect(await takeTranscript(store, reel, other.id, after(30))).toEqual(stored);
      expect(await read(other.id)).toEqual({ used: 0, held: 0 });
      expect(await store.transcriptions.complete(claim, transcript, true, after(40))).toBe(false);
      expect(await read(id)).toEqual({ used: 1, held: 0 });
    });

    test("come into a library once, and asking again moves nothing", async () => {
      const { id } = await anAccount(store);
      const other = await anAccount(store);
      const { reel, transcript } = await transcribe(store, id);
      for (const seconds of [100, 200])
        expect(await takeTranscript(store, reel, other.id, after(seconds))).toEqual(transcript);

      await Promise.all(
        Array.from({ length: 5 }, () => store.transcriptions.takeCached(reel, anAllowance(id), after(300))),
      );
      expect(
        (await store.scripts.search(other.id, { sort: "date", limit: 5 })).scripts.map(({ addedAt }) => addedAt),
      ).toEqual([after(100)]);
      expect(
        (await store.scripts.search(id, { sort: "date", limit: 5 })).scripts.map(({ addedAt }) => addedAt),
      ).toEqual([start]);
      const third = await anAccount(store);
      await Promise.all(
        Array.from({ length: 5 }, () => store.transcriptions.takeCached(reel, anAllowance(third.id), after(300))),
      );
      expect(await store.scripts.search(third.id, { sort: "date", limit: 5 })).toMatchObject({ total: 1 });
      expect(await store.transcriptions.takeCached(aReel(), anAllowance(id), start)).toBeUndefined();
    });

    test("that fail return the unit, say why, and can be requested again", async () => {
      const { id } = await anAccount(store);
      const reel = aReel();
      await ask(store, reel, anAllowance(id));
      const claim = await mustClaim(store);
      expect(await store.transcriptions.fail(claim, walled, { now: after(3) })).toBe(true);
      expect(await store.transcriptions.find(claim.transcriptionId)).toEqual({ state: "failed", failure: walled });
      expect(await read(id)).toEqual({ used: 0, held: 0 });
      expect(await store.transcriptions.fail(claim, walled, { now: after(4) })).toBe(false);
      expect(await store.transcriptions.takeCached(reel, anAllowance(id), start)).toBeUndefined();
      expect(await ask(store, reel, anAllowance(id))).toMatchObject({ kind: "started" });
      expect(await read(id)).toEqual({ used: 0, held: 1 });
    });

    test("are claimed oldest first, each by one worker", async () => {
      const { id } = await anAccount(store);
      const reels = Array.from({ length: 6 }, aReel);
      for (const [index, reel] of reels.entries())
        await ask(store, reel, anAllowance(id, { limit: 100 }), { now: after(index < 3 ? 0 : -index) });

      const first = await mustClaim(store);
      expect(first.reel).toEqual(reels[5]);
      const rest = await Promise.all(
        Array.from({ length: 10 }, (_, worker) => store.transcriptions.claim(`worker ${worker}`, 30, start)),
      );
      const claimed = rest.filter((claim) => claim !== undefined).map((claim) => claim.reel.mediaId);
      expect(claimed.toSorted()).toEqual(
        reels
          .slice(0, 5)
          .map(({ mediaId }) => mediaId)
          .toSorted(),
      );
    });
  });
}
