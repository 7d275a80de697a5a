import { describe, expect, test } from "vitest";
import { filePartBytes } from "../../../src/ports/files.ts";
import type { Claim, ReelAddress, Store, Translation } from "../../../src/ports.ts";
import { runUpkeep } from "../../harness/look-after.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  askAgain,
  broken,
  emptyQueue,
  mustClaim,
  mustStart,
  newestScriptId,
  requestOf,
  start,
  transcribe,
  transcriptOf,
  walled,
} from "./fixtures.ts";

const revision = 5;
const madeTranslation: Translation = {
  text: "Hello.",
  segments: [{ start: 0, end: 1.5, text: "Hello.", isUnsure: true }],
  gaps: [{ start: 2, end: 3, reason: "lowConfidence" }],
  model: "whisper-base",
  revision,
};

/** Registers what the port `Translations` promises. */
export function translations(store: Store): void {
  const spanish = (reel: ReelAddress) => ({ ...transcriptOf(reel, { text: "hola" }), language: "es" });
  async function aSpanishScript(accountId: string): Promise<{ readonly reel: ReelAddress; readonly id: string }> {
    const { reel } = await transcribe(store, accountId, { text: "hola" }, start, { language: "es" });
    return { reel, id: await newestScriptId(store, accountId) };
  }
  const request = (accountId: string, scriptId: string, changes: { queueLimit?: number; revision?: number } = {}) =>
    store.translations.request({
      accountId,
      scriptId,
      revision,
      queueLimit: 1_000,
      queueLimitPerAccount: 1_000,
      now: after(10),
      ...changes,
    });
  const find = async (accountId: string, scriptId: string) =>
    (await store.translations.find(accountId, scriptId, revision))?.translation;
  const mustClaimTranslation = async (now = after(20)): Promise<Claim> => {
    const claim = await mustClaim(store, now);
    expect(claim).toMatchObject({ translates: true, languageHint: "es" });
    return claim;
  };

  describe("translations", () => {
    test("are queued when the transcript is there, hold nothing, and belong to everybody who has the reel", async () => {
      const ana = await anAccount(store);
      const reel = aReel();
      const id = await mustStart(store, ana.id, reel);
      expect(await store.translations.wish("acc_other", id)).toBe(false);
      expect(await store.translations.wish(ana.id, id)).toBe(true);
      const options = { isTranslatable: true };
      expect(await store.transcriptions.complete(await mustClaim(store), spanish(reel), true, after(5), options)).toBe(
        true,
      );
      const { subject, period } = anAllowance(ana.id);
      const use = () => store.allowances.read(subject, period);
      expect(await use()).toEqual({ used: 1, held: 0 });
      const scriptId = await newestScriptId(store, ana.id);
      expect(await find(ana.id, scriptId)).toMatchObject({ state: "inProgress", transcriptionId: expect.any(String) });
      const claim = await mustClaimTranslation();
      expect(claim).toMatchObject({ reel, mayRetry: true });
      expect(await store.translations.complete(claim, madeTranslation, after(21))).toBe(true);
      expect(await find(ana.id, scriptId)).toEqual({ state: "done", translation: madeTranslation });
      expect(await use()).toEqual({ used: 1, held: 0 });
      const ben = await anAccount(store);
      await store.transcriptions.takeCached(reel, anAllowance(ben.id), after(30));
      const theirs = await newestScriptId(store, ben.id);
      expect(await find(ben.id, theirs)).toEqual({ state: "done", translation: madeTranslation });
      expect((await request(ben.id, theirs)).kind).toBe("done");
      expect(await store.translations.list(ben.id, [theirs, scriptId, "scr_none"])).toEqual(
        new Map([[theirs, madeTranslation]]),
      );
      expect(await store.translations.texts(ben.id, [theirs, scriptId, "scr_none"])).toEqual(
        new Map([[theirs, madeTranslation.text]]),
      );
      expect(await store.translations.find(ben.id, scriptId, revision)).toBeUndefined();
    });

    test("aren't queued for a language that isn't translated, without speech, or without the wish", async () => {
      const { id: accountId } = await anAccount(store);
      for (const [text, isTranslatable, isWished] of [
        ["hola", false, true],
        ["", true, true],
        ["hola", true, false],
      ] as const) {
        const reel = aReel();
        const id = await mustStart(store, accountId, reel);
        if (isWished) await store.translations.wish(accountId, id);
        const transcript = { ...spanish(reel), text };
        await store.transcriptions.complete(await mustClaim(store), transcript, true, after(5), { isTranslatable });
        expect(await store.transcriptions.queueLength()).toBe(0);
      }
    });

    test("start once, however many ask at once, and within the queue's limits", async () => {
      const ana = await anAccount(store);
      const ben = await anAccount(store);
      const { reel, id } = await aSpanishScript(ana.id);
      expect((await request(ana.id, "scr_none")).kind).toBe("noScript");
      expect((await request(ben.id, id)).kind).toBe("noScript");
      await mustStart(store, ana.id);
      expect((await request(ana.id, id, { queueLimit: 1 })).kind).toBe("queueFull");
      const answers = await Promise.all(Array.from({ length: 5 }, () => request(ana.id, id)));
      expect(answers.map(({ kind }) => kind).toSorted()).toEqual([...Array<string>(4).fill("inProgress"), "started"]);
      await store.transcriptions.takeCached(reel, anAllowance(ben.id), start);
      const theirs = await newestScriptId(store, ben.id);
      expect(await request(ben.id, theirs), "whose it is, nobody else learns").toEqual({ kind: "inProgress" });
      expect(await find(ben.id, theirs)).toEqual({ state: "inProgress" });
      expect(await askAgain(store, ana.id, id), "and nothing is transcribed again meanwhile").toEqual({
        kind: "inProgress",
      });
      await emptyQueue(store);
    });

    test("come after the reels of the same account that are still to be transcribed", async () => {
      const { id: accountId } = await anAccount(store);
      const { id } = await aSpanishScript(accountId);
      await request(accountId, id);
      const later = aReel();
      await ask(store, later, anAllowance(accountId), { now: after(15) });
      expect((await mustClaim(store, after(20))).reel).toEqual(later);
      await mustClaimTranslation();
      await emptyQueue(store);
    });

    test("that fail leave the transcript, and may be asked for again", async () => {
      const { id: accountId } = await anAccount(store);
      const { reel, id } = await aSpanishScript(accountId);
      await request(accountId, id);
      expect(await store.transcriptions.fail(await mustClaimTranslation(), walled, { now: after(21) })).toBe(true);
      expect(await find(accountId, id)).toMatchObject({ state: "failed", failure: { message: walled.message } });
      expect(await store.transcriptions.readText(reel, accountId)).toMatchObject({ text: "hola", language: "es" });
      expect((await ask(store, reel, anAllowance(accountId))).kind, "it isn't refused").toBe("cached");
      expect((await request(accountId, id)).kind).toBe("started");
      const first = await mustClaimTranslation(after(30));
      const second = await mustClaimTranslation(after(61));
      expect(second.transcriptionId).toBe(first.transcriptionId);
      expect(await store.translations.complete(first, { ...madeTranslation, text: "Late." }, after(62))).toBe(false);
      expect(await store.translations.complete(second, { ...madeTranslation, text: "", segments: [] }, after(63))).toBe(
        true,
      );
      expect(await find(accountId, id), "it was heard in vain").toMatchObject({ translation: { text: "" } });
      expect((await request(accountId, id)).kind, "by this recognizer").toBe("done");
      expect((await request(accountId, id, { revision: revision + 1 })).kind).toBe("started");
      await emptyQueue(store);
    });

    test("end with their transcript", async () => {
      const { id: accountId } = await anAccount(store);
      const { reel, id } = await aSpanishScript(accountId);
      await request(accountId, id);
      const claim = await mustClaimTranslation();
      await store.moderation.takeDown(reel, { reason: "a court", by: "op", now: after(21) });
      expect(await store.translations.complete(claim, madeTranslation, after(22))).toBe(false);
      expect(await store.transcriptions.queueLength()).toBe(0);
    });

    test("of a file keep its bytes until they are there", async () => {
      const { id: accountId } = await anAccount(store);
      const arrive = async (changes: { translates?: boolean; keepDays?: number; letter: string }) => {
        const { letter, ...changed } = changes;
        const begun = await store.files.begin(
          {
            accountId,
            slot: 0,
            tokenHash: Buffer.from(letter.repeat(32)),
            name: "draft.mp4",
            title: "draft",
            languageHint: null,
            translates: true,
            size: 3,
            seconds: null,
            sha256: null,
            units: 1,
            keepDays: 0,
            videoStyle: null,
            expiresAt: after(86_400),
            now: start,
            ...changed,
          },
          { mostAtATime: 4, mostBytesOfAccount: 1e9, mostBytes: 1e12, mostBytesPerHour: 1e9, leastFreeBytes: 0 },
        );
        const id = begun.kind === "begun" ? begun.file.id : expect.fail(begun.kind);
        const writer = (await store.files.open(id, 0, start))!;
        await store.files.append(writer, Buffer.alloc(3, letter), start);
        const { mediaId } = (await store.files.complete(id, start))!;
        const reel = {
          platform: "file",
          mediaId: mediaId!,
          shortcode: mediaId!,
          url: `urn:reelscript:file:${mediaId}`,
        };
        await store.files.request(id, requestOf(reel, anAllowance(accountId)));
        return { id, claim: await mustClaim(store), reel };
      };
      expect(filePartBytes).toBeGreaterThan(3);
      const waiting = await arrive({ letter: "a" });
      const options = { isTranslatable: true };
      await store.transcriptions.complete(waiting.claim, spanish(waiting.reel), true, after(1), options);
      expect(await store.files.find(accountId, waiting.id)).toMatchObject({ endedAt: after(1), deletedAt: null });
      const claim = await mustClaimTranslation();
      expect([...(await store.files.readPart(claim.transcriptionId, 0))!]).toEqual([...Buffer.from("aaa")]);
      await runUpkeep(store, "forget-files", after(25));
      expect(await store.files.find(accountId, waiting.id)).toMatchObject({ deletedAt: null });
      await store.translations.complete(claim, madeTranslation, after(30));
      expect(await store.files.find(accountId, waiting.id)).toMatchObject({ deletedAt: after(30), received: 3 });
      expect(await store.files.readPart(claim.transcriptionId, 0)).toBeUndefined();

      const english = await arrive({ letter: "b" });
      await store.transcriptions.complete(english.claim, transcriptOf(english.reel), true, after(31));
      expect(await store.files.find(accountId, english.id)).toMatchObject({ deletedAt: after(31) });

      const failed = await arrive({ letter: "c" });
      await store.transcriptions.complete(failed.claim, spanish(failed.reel), true, after(32), options);
      const lost = await mustClaimTranslation(after(33));
      await store.transcriptions.fail(lost, broken, { now: after(34) });
      expect(await store.files.find(accountId, failed.id)).toMatchObject({ deletedAt: after(34), failure: null });

      const keptFile = await arrive({ letter: "d", translates: false, keepDays: 7 });
      await store.transcriptions.complete(keptFile.claim, spanish(keptFile.reel), true, after(35), options);
      const scriptId = (await store.files.find(accountId, keptFile.id))!.scriptId!;
      expect((await request(accountId, scriptId)).kind).toBe("started");
      const last = await mustClaimTranslation(after(40));
      expect([...(await store.files.readPart(last.transcriptionId, 0))!]).toEqual([...Buffer.from("ddd")]);
      await store.translations.complete(last, madeTranslation, after(41));
      expect(await store.files.find(accountId, keptFile.id)).toMatchObject({ deletedAt: null });
      const gone = (await store.files.find(accountId, failed.id))!.scriptId!;
      expect((await request(accountId, gone)).kind).toBe("noMedia");
    });
  });
}
