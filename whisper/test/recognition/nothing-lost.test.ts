import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Span, subtractSpans } from "../../src/recognition/signal/speech-spans.ts";
import type { HeardPassage, Recognition } from "../../src/transcriber.ts";
import { WhisperError } from "../../src/whisper-error.ts";
import { recognized, type Script, sentences, talk, textOf } from "./scripted-model.ts";

/** Seconds of detected speech of which the result says nothing, rounding aside. */
function unaccounted(spans: readonly Span[], { segments, gaps, silences }: Recognition): Span[] {
  return subtractSpans(spans, [...segments, ...gaps, ...silences]).filter(({ start, end }) => end - start > 0.002);
}

describe("nothing that is said gets lost", () => {
  test("a model that stops early hears the rest in another window", async () => {
    const { recognition } = await recognized(talk, (index, seconds) => ({
      parts: index === 0 ? [0, " One sentence.", 9.4] : sentences(seconds),
    }));
    expect(recognition.text).toContain("One sentence. Said until");
    expect(recognition.gaps).toEqual([]);
    expect(recognition.segments).toMatchObject([
      { start: 0.5, end: 9.9 },
      { start: 10, end: 29.9 },
    ]);
  });

  test("a last timestamp that comes a little early leaves no gap", async () => {
    const { recognition } = await recognized(
      [
        { start: 0, end: 25.8 },
        { start: 25.8, end: 30.12 },
      ],
      () => ({
        parts: [0, " All of it.", 29],
      }),
    );
    expect(recognition).toMatchObject({ gaps: [], segments: [{ start: 0, end: 30.12 }] });
  });

  test("a model that jumps over a sentence hears it in another window", async () => {
    const { recognition } = await recognized(talk, (index, seconds) => ({
      // It does so again when it hears the window once more.
      parts: index < 2 ? [0, " First.", 5, 15, " Third.", seconds] : [0, " Second.", 9, 9, " Third.", seconds],
    }));
    expect(recognition.text).toBe("First. Second. Third.");
    expect(recognition.gaps).toEqual([]);
  });

  test("what is too long for one text is heard in halves", async () => {
    const { recognition, listened } = await recognized(talk, (_, seconds) =>
      seconds > 15 ? { parts: [0, " On and on"], isCutOff: true } : { parts: sentences(seconds) },
    );
    expect(listened).toBeGreaterThan(2);
    expect(recognition.text).not.toContain("On and on");
    expect(unaccounted(talk, recognition)).toEqual([]);
  });

  test("what is heard as a loop in a long window is heard again in shorter ones", async () => {
    const { recognition } = await recognized(talk, (_, seconds) =>
      seconds > 15 ? { parts: [0, " na".repeat(40)], isLoop: true } : { parts: sentences(seconds) },
    );
    expect(recognition.text).not.toContain("na na");
    expect(recognition.gaps).toEqual([]);
  });

  test("a sentence that fails for good is a gap, with its place and reason", async () => {
    const { recognition } = await recognized([...talk, { start: 31, end: 36 }], (_, seconds) =>
      seconds < 6 ? { parts: [0, " mumble", seconds], confidence: -1.5 } : { parts: sentences(seconds) },
    );
    expect(recognition.gaps).toEqual([{ start: 31, end: 36, reason: "lowConfidence" }]);
    expect(recognition.segments.at(-1)?.end).toBeLessThanOrEqual(31);
  });

  test("a draft is what a window's first reading writes, and vanishes when nothing of it is kept", async () => {
    const drafts: (string | undefined)[] = [];
    await recognized(
      [...talk, { start: 31, end: 36 }],
      (_, seconds) =>
        seconds < 6 ? { parts: [0, " mumble", seconds], confidence: -1.5 } : { parts: [0, " All.", seconds] },
      [],
      drafts,
    );
    expect(drafts).toEqual(["All.", "mumble", undefined]);
  });

  test.each<[string, Partial<Script>]>([
    ["noise", { noSpeech: 0.5 }],
    ["a loop", { parts: [0, " na".repeat(40), 5] }],
    ["another script", { parts: [0, " नमस्ते दोस्तों", 5] }],
  ])("%s is no draft", async (_, strange) => {
    const drafts: (string | undefined)[] = [];
    const script = { parts: [0, " Words.", 5], confidence: -1.5, ...strange };
    await recognized([{ start: 0, end: 5 }], () => script, [], drafts).catch(() => undefined);
    expect(drafts).toEqual([undefined]);
  });

  test("an empty reading of speech is no silence", async () => {
    const speech = [{ start: 1, end: 4.5 }];
    await expect(recognized(speech, () => ({ parts: [0] }))).rejects.toMatchObject({ code: "notRecognized" });
    const { recognition: short } = await recognized([{ start: 1, end: 2.5 }], () => ({ parts: [0] }));
    expect(short).toMatchObject({ text: "", language: "und", gaps: [], silences: [{ reason: "tooShort" }] });
    const { recognition: noise } = await recognized([{ start: 1, end: 2.5 }], () => ({ parts: [0], noSpeech: 0.9 }));
    expect(noise).toMatchObject({ text: "", language: "und", gaps: [], silences: [{ reason: "noSpeech" }] });
  });

  test.each<[string, Script]>([
    ["nothing is written", { parts: [0], noSpeech: 0.9 }],
    ["what is written is doubtful", { parts: [0, " Words.", 3], noSpeech: 0.7, confidence: -1.5 }],
    ["what is written is a loop", { parts: [0, " na".repeat(40), 3], noSpeech: 0.7 }],
  ])("two seconds of speech are never called silence where %s, whatever the model thinks", async (_, script) => {
    const refused = recognized([{ start: 1, end: 4.5 }], () => script);
    await expect(refused).rejects.toMatchObject({ code: "notRecognized", language: "en", model: "scripted" });
    // Beside a text they are a silence of its own, as a song after a talk is.
    const beside = [...talk, { start: 60, end: 64.5 }];
    const { recognition } = await recognized(beside, (_index, seconds) =>
      seconds < 6 ? script : { parts: sentences(seconds) },
    );
    expect(recognition).toMatchObject({ language: "en", gaps: [], silences: [{ start: 60, reason: "noSpeech" }] });
  });

  test("more gaps than text is not recognized", async () => {
    const speech = [
      { start: 0, end: 8 },
      { start: 50, end: 75 },
    ];
    const script = (_: number, seconds: number) => (seconds === 8 ? { parts: sentences(seconds) } : { parts: [0] });
    await expect(recognized(speech, script)).rejects.toMatchObject({ code: "notRecognized", model: "scripted" });
  });
});

describe("what is told while it is recognized", () => {
  test("is the text of each window that passed its checks, and no other", async () => {
    for (const doubtful of [
      (seconds: number) => seconds > 28 && { parts: [0, " na".repeat(40)], isLoop: true },
      (seconds: number) => seconds < 6 && { parts: [0, " mumble", seconds], confidence: -1.5 },
    ]) {
      const passages: HeardPassage[] = [];
      const { recognition } = await recognized(
        [...talk, { start: 31, end: 36 }],
        (index, seconds) => doubtful(seconds) || { parts: [0, ` Sentence ${index}.`, seconds] },
        passages,
      );
      expect(textOf(passages)).toBe(recognition.text);
      expect(textOf(passages)).toMatch(/^Sentence/);
      expect(textOf(passages)).not.toMatch(/na na|mumble/);
    }
  });

  test("may be refused as a whole in the end", async () => {
    const passages: HeardPassage[] = [];
    const speech = [
      { start: 0, end: 8 },
      { start: 50, end: 75 },
    ];
    const script = (_: number, seconds: number) => (seconds === 8 ? { parts: sentences(seconds) } : { parts: [0] });
    await expect(recognized(speech, script, passages)).rejects.toMatchObject({ code: "notRecognized" });
    expect(textOf(passages)).toBe("Said until 8.");
  });
});

const pauses = fc.array(
  fc.record({ pause: fc.integer({ min: 1, max: 4000 }), speech: fc.integer({ min: 26, max: 4500 }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);
const spansOf = (stretches: readonly { pause: number; speech: number }[]) => {
  let seconds = 0;
  return stretches.map(({ pause, speech }) => {
    const start = seconds + pause / 100;
    seconds = start + speech / 100;
    return { start, end: seconds };
  });
};
const part = fc.oneof(
  fc.double({ min: 0, max: 30, noNaN: true }),
  fc.constantFrom(" Word.", " And a longer sentence", " na na na na na na na na na na na na na na", "", "नमस्ते"),
);
const anyScript: fc.Arbitrary<Script> = fc.record({
  // Timestamps never fall: the rules of tokens see to that.
  parts: fc.array(part, { maxLength: 12 }).map((parts) => {
    let latest = 0;
    return parts.map((each) => (typeof each === "number" ? (latest = Math.max(latest, each)) : each));
  }),
  noSpeech: fc.constantFrom(0, 0.1, 0.3, 0.7, 0.9),
  confidence: fc.constantFrom(-0.1, -0.5, -1.2),
  isLoop: fc.boolean(),
  isCutOff: fc.boolean(),
});

test("every second of detected speech is in a segment, a gap or a silence, whatever the model writes", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(pauses, fc.array(anyScript, { minLength: 1, maxLength: 20 }), async (stretches, scripts) => {
      const spans = spansOf(stretches);
      const windows = spans.at(-1)?.end ?? 0;
      let lastWindow = 0;
      const passages: HeardPassage[] = [];
      try {
        const { recognition } = await recognized(
          spans,
          (index) => {
            lastWindow = index;
            // Now and then the model does well: most scripts would be refused as a whole otherwise.
            return index % 2 === 0 ? { parts: [0, " All of it."] } : (scripts[index % scripts.length] ?? { parts: [] });
          },
          passages,
        );
        accepted += 1;
        expect(textOf(passages)).toBe(recognition.text);
        expect(unaccounted(spans, recognition)).toEqual([]);
        let last = 0;
        for (const { start, end } of recognition.segments) {
          expect(start).toBeGreaterThanOrEqual(last - 0.002);
          expect(end).toBeGreaterThanOrEqual(start);
          last = end;
        }
        for (const gap of recognition.gaps) expect(gap.end).toBeGreaterThan(gap.start);
      } catch (error) {
        if (!(error instanceof WhisperError)) throw error;
        expect(error.code).toBe("notRecognized");
      }
      // A window moves on by a second at least, or is one of few that are heard again.
      expect(lastWindow).toBeLessThan(3 * windows + 20);
    }),
    { numRuns: 300 },
  );
  expect(accepted, "most are not refused").toBeGreaterThan(150);
});
