import type { FullScript } from "@reelscript/contract";
import { describe, expect, it } from "vitest";
import { isFromPage } from "../../src/messages/page-messages.ts";
import { costOf } from "../../src/panel/select-part.ts";
import { piecesOf, timedLines } from "../../src/panel/timed-lines.ts";

const script = {
  transcript: "One loaf. Two loaves.",
  segments: [
    { start: 0, end: 1, text: "One loaf." },
    { start: 1.5, end: 3, text: " Two loaves." },
  ],
  words: [
    { text: "One", start: 0.1, end: 0.4 },
    { text: " loaf.", start: 0.5, end: 0.9 },
    { text: " Two", start: 1.6, end: 2 },
    { text: " loaves.", start: 2.1, end: 2.9 },
  ],
  receipt: { audioSeconds: 3 },
} as unknown as FullScript;

const saidAt = (at: number, query = ""): (string | undefined)[] =>
  timedLines(script)
    .filter(({ start, end }) => at >= start && at < end)
    .flatMap((line) => piecesOf(line, at, query))
    .filter(({ kind }) => kind === "now")
    .map(({ text }) => text);

describe("a transcript beside a video", () => {
  it.each([
    [0.2, ["One"]],
    [0.6, ["loaf."]],
    [1.3, ["loaf."]],
    [1.7, ["Two"]],
    [2.9, ["loaves."]],
    [9, []],
  ])("at %s s says %j", (at, said) => expect(saidAt(at)).toEqual(said));

  it("follows lines where words have no times", () => {
    const [first] = timedLines({ ...script, words: [] });
    expect(piecesOf(first!, 0.2, "")).toEqual([{ text: "One loaf.", kind: "now" }]);
  });

  it("shows every word once, whatever is marked in it", () => {
    for (const line of timedLines(script))
      for (const query of ["", "lo", "İ", "one loaf."])
        for (const at of [undefined, 0.3, 2.2])
          expect(
            piecesOf(line, at, query)
              .map(({ text }) => text)
              .join(""),
          ).toBe(line.text);
    expect(piecesOf(timedLines(script)[1]!, undefined, "LOA")).toContainEqual({ text: "loa", kind: "hit" });
  });
});

describe("the cost of a batch", () => {
  const usage = { transcriptions: { used: 7, limit: 10, resetsAt: null } };
  it.each([
    [
      ["a", "b"],
      "This uses at most 2 transcriptions; reels that someone has already transcribed are free. You have 3 left.",
    ],
    [
      ["a", "c"],
      "1 reel is in your library and free. This uses at most 1 transcription; reels that someone has already transcribed are free. You have 3 left.",
    ],
    [["c"], "1 reel is in your library and free. This costs nothing."],
  ])("of %j", (codes, sentence) => expect(costOf(codes, new Set(["c"]), usage)).toBe(sentence));
});

describe("messages from a page", () => {
  it.each([
    { type: "profile" },
    { type: "profile", handle: 4 },
    { type: "collected", handle: "a", reels: [{ code: "DLlGZiCOBQ0" }] },
    { type: "collected", handle: "a", reels: Array.from({ length: 201 }, () => ({})) },
    { type: "playhead", code: "a", at: Number.NaN, isPlaying: true },
    { type: "unknown" },
    null,
    "profile",
  ])("%j is refused", (message) => expect(isFromPage(message)).toBe(false));

  it("are taken when they are whole", () => {
    expect(isFromPage({ type: "playhead", code: "DLlGZiCOBQ0", at: 1, isPlaying: true })).toBe(true);
  });
});
