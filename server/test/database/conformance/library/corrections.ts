import { describe, expect, test } from "vitest";
import { readScript } from "../../../../src/adapters/database/library/unread-scripts.ts";
import type { Store } from "../../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  askAgain,
  askSent,
  mustClaim,
  newestScriptId,
  start,
  transcribe,
  transcriptOf,
} from "../fixtures.ts";

const segments = [
  { start: 0, end: 2, text: "Salt comes first." },
  { start: 2.5, end: 5, text: "Then the east rises." },
  { start: 6, end: 8, text: "Slowly." },
];
const text = segments.map((segment) => segment.text).join(" ");
const words = text.split(/(?= )/).map((word, index) => ({ start: index, end: index + 0.5, text: word }));
const gaps = [{ start: 8.5, end: 12, reason: "skipped" as const }];

export function corrections(store: Store): void {
  /** A script of three segments in the account's library. */
  async function hear(accountId: string) {
    const said = { text, caption: "bread", handle: "cook" };
    const { reel } = await transcribe(store, accountId, said, start, { segments, words, gaps });
    return { reel, id: await newestScriptId(store, accountId) };
  }
  const correct = (accountId: string, id: string, texts: readonly string[]) =>
    store.corrections.change(accountId, id, () => texts, after(10));
  const total = async (accountId: string, query: string) =>
    (await store.scripts.search(accountId, { query, sort: "date", limit: 1 })).total;
  const find = async (accountId: string, id: string) => {
    const script = await store.scripts.findUnread(accountId, id, { words: true });
    return script && readScript(script);
  };

  describe("a correction", () => {
    test("made at the same time as others sees the one before it", async () => {
      const owner = await anAccount(store);
      const { id } = await hear(owner.id);
      const seen: string[] = [];
      await Promise.all(
        Array.from({ length: 8 }, (_, number) =>
          store.corrections.change(
            owner.id,
            id,
            ({ segments: [first] }) => {
              seen.push(first!.text);
              return [`Version ${number}.`, "", ""];
            },
            after(10),
          ),
        ),
      );
      expect(new Set(seen).size).toBe(8);
    });

    test("survives a retranscription of the reel unchanged, until it is removed", async () => {
      const owner = await anAccount(store);
      const other = await anAccount(store);
      const { reel, id } = await hear(owner.id);
      await store.transcriptions.takeCached(reel, anAllowance(other.id), start);
      await correct(owner.id, id, ["Salt comes first.", "Then the yeast rises.", "Slowly."]);
      expect(await askAgain(store, owner.id, id)).toMatchObject({ kind: "started" });
      const newTranscript = {
        ...transcriptOf(reel, { text: `${text} Much more was said by everybody.` }, after(100)),
        revision: 2,
      };
      const claim = await mustClaim(store, after(60));
      expect(await store.transcriptions.complete(claim, newTranscript, true, after(100))).toBe(true);
      expect([await total(other.id, "everybody"), await total(owner.id, "everybody")]).toEqual([1, 0]);
      expect(await total(owner.id, "yeast")).toBe(1);
      expect(await find(owner.id, id)).toMatchObject({
        transcript: { text: "Salt comes first. Then the yeast rises. Slowly.", revision: 1 },
        sharedRevision: 2,
      });
      expect(await store.corrections.find(owner.id, id)).toMatchObject({
        outdated: true,
        segments: [{}, { original: "Then the east rises." }, {}],
      });
      // Words as recognized then are still other words than the shared ones.
      await correct(
        owner.id,
        id,
        segments.map((segment) => segment.text),
      );
      expect(await find(owner.id, id)).toMatchObject({ transcript: { text } });
      await store.corrections.change(owner.id, id, () => "remove", after(110));
      expect([await total(owner.id, "everybody"), await total(owner.id, "yeast")]).toEqual([1, 0]);
    });

    test("of sent media keeps its words when a shared transcript arrives", async () => {
      const owner = await anAccount(store);
      const other = await anAccount(store);
      const reel = aReel();
      await askSent(store, reel, anAllowance(owner.id, { limit: 1_000 }));
      const transcript = { ...transcriptOf(reel), text, segments, words, gaps };
      expect(await store.transcriptions.complete(await mustClaim(store), transcript, true, start)).toBe(true);
      const id = await newestScriptId(store, owner.id);
      await correct(owner.id, id, ["Salt comes first.", "Then the yeast rises.", "Slowly."]);
      expect([await total(owner.id, "yeast"), await total(owner.id, "sourdough")]).toEqual([1, 0]);

      await ask(store, reel, anAllowance(other.id, { limit: 1_000 }));
      const everybodys = {
        ...transcriptOf(reel, { text: "Ganz anders", caption: "my sourdough", handle: "cook" }, after(20)),
        language: "de",
        seconds: 95,
      };
      expect(await store.transcriptions.complete(await mustClaim(store), everybodys, true, after(20))).toBe(true);
      const count = async (search: Partial<Parameters<Store["scripts"]["search"]>[1]>) =>
        (await store.scripts.search(owner.id, { ...search, sort: "date", limit: 1 })).total;
      const totals = async () => ({
        caption: await count({ query: "sourdough" }),
        handle: await count({ handle: "cook" }),
        phrase: await count({ query: '"yeast rises"' }),
        across: await count({ query: '"sourdough salt"' }),
        recognized: await count({ query: "east" }),
        everybodys: await count({ query: "anders" }),
        english: await count({ language: "en", length: "under30s" }),
        german: await count({ language: "de", length: "1to3min" }),
      });
      const corrected = { caption: 1, handle: 1, phrase: 1, across: 0, recognized: 0, everybodys: 0 };
      expect(await store.scripts.find(owner.id, id)).toMatchObject({
        transcript: { language: "en", seconds: 12.5, reel: { caption: "my sourdough" } },
      });
      expect(await totals()).toEqual({ ...corrected, english: 1, german: 0 });
      await correct(owner.id, id, ["Salt comes last.", "Then the yeast rises.", "Slowly."]);
      expect(await totals()).toEqual({ ...corrected, english: 1, german: 0 });
      await store.corrections.change(owner.id, id, () => "remove", after(30));
      expect(await totals()).toEqual({ ...corrected, phrase: 0, everybodys: 1, english: 0, german: 1 });
    });

    test("is kept and found even if the caption fills the index", async () => {
      const { id: accountId } = await anAccount(store);
      const caption = Array.from({ length: 16_000 }, (_, index) => String(index).padStart(50, "x")).join(" ");
      await transcribe(store, accountId, { text: "before", caption, handle: "cook" });
      const id = await newestScriptId(store, accountId);
      const lastWord = "\u10D0".repeat(60);
      const words = Array.from({ length: 1_630 }, (_, index) => String(index).padEnd(60, "\u10D0"));
      await correct(accountId, id, [[...words, lastWord].join(" ")]);
      expect([await total(accountId, lastWord), await total(accountId, "before")]).toEqual([1, 0]);
      expect(await store.scripts.search(accountId, { handle: "cook", sort: "date", limit: 1 })).toMatchObject({
        total: 1,
      });
    });

    test("is the last of several concurrent ones, complete", async () => {
      const { id: accountId } = await anAccount(store);
      const { reel } = await transcribe(store, accountId, { text: "before it is corrected" });
      const id = await newestScriptId(store, accountId);
      await Promise.all(["after one", "after two", "after three"].map((one) => correct(accountId, id, [one])));
      const scripts = await store.scripts.findOfReels(accountId, reel.platform, [reel.mediaId]);
      expect(scripts).toHaveLength(1);
      expect(await total(accountId, scripts[0]!.text)).toBe(1);
      expect(await total(accountId, "before")).toBe(0);
    });

    test("goes with a reel that is taken down and with its account", async () => {
      const { id: accountId } = await anAccount(store);
      const { reel, id } = await hear(accountId);
      await correct(accountId, id, ["Changed.", "", ""]);
      await store.moderation.takeDown(reel, { by: "operator", reason: "asked", now: after(20) });
      expect(await store.corrections.find(accountId, id)).toBeUndefined();
      const second = await hear(accountId);
      await correct(accountId, second.id, ["Changed.", "", ""]);
      expect(await store.accounts.remove(accountId, after(30))).toBe(true);
      expect(await store.corrections.find(accountId, second.id)).toBeUndefined();
    });
  });
}
