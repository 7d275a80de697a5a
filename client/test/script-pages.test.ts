import { describe, expect, it } from "vitest";
import { createPage } from "../src/cli/surroundings.ts";
import { present } from "../src/cli/present.ts";

const page = createPage({ isTTY: false }, {});
const reelUrl = "https://reels.test/reel/a/";
const receipt = { model: "m", revision: 1, languageProbability: 0.9, speechSeconds: 60, audioSeconds: 70, cut: false };
const segments = [
  { start: 0, end: 4, text: "One hook." },
  { start: 65.5, end: 70, text: "Another." },
];

describe("scripts on the command line", () => {
  it("are shown with the times at which things are said", () => {
    const script = {
      id: "scr_1",
      reelUrl,
      language: "en",
      transcript: "One hook. Another.",
      segments,
      gaps: [],
      receipt,
    };
    expect(present("getScript", script, page)).toEqual({
      body: "0:00  One hook.\n1:05  Another.",
      note: `English · ${reelUrl}`,
    });
    expect(present("getScript", { ...script, segments: [], truncated: true }, page)).toEqual({
      body: "One hook. Another.",
      note: `English · cut off: the audio is very long · ${reelUrl}`,
    });
  });

  it("show what a search found and when it is said, and how to go on", () => {
    const snippet = [
      { text: "before the ", hit: false },
      { text: "hook", hit: true },
    ];
    const scripts = [
      { id: "scr_1", reelUrl, transcript: "Long ago.", snippet, at: 65.5 },
      { id: "scr_2", reelUrl, transcript: "Said.", snippet },
      { id: "scr_3", reelUrl, transcript: "", caption: "Written." },
    ];
    const { body, note } = present("searchMyScripts", { scripts, total: 9, nextCursor: "abc" }, page);
    expect(body.split("\n").filter((line) => line.startsWith("  "))).toEqual([
      "  1:05  before the hook",
      "  before the hook",
      "  Written.",
    ]);
    expect(note).toBe("3 of 9 scripts; continue with --cursor abc");
  });
});
