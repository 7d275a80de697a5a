import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { embeddedModelDirectory as modelFolder } from "../../src/embedded-model.ts";
import { medianFilter, warpedStarts, type Alignment } from "../../src/recognition/words/token-times.ts";
import { readSpecification, type Specification } from "../../src/recognition/decoder/specification.ts";
import type { Span } from "../../src/recognition/signal/speech-spans.ts";
import { splitWords } from "../../src/recognition/words/split-words.ts";
import { readTokenizer, type Tokenizer } from "../../src/recognition/decoder/tokenizer.ts";
import { joinWords, type SegmentToTime, wordsOf } from "../../src/recognition/words/word-times.ts";
import type { Word } from "../../src/transcriber.ts";

const windowFrames = 1500;
let specification: Specification;
let tokenizer: Tokenizer;

beforeAll(async () => {
  specification = await readSpecification(modelFolder);
  tokenizer = await readTokenizer(modelFolder, specification.endOfText);
});

/** Attention that is given, in place of a model that would have to be made to say strange things. */
function timed(attention: (tokens: readonly number[]) => Alignment | null) {
  const calls: (readonly number[])[] = [];
  const align = (_: unknown, tokens: readonly number[]) => {
    calls.push(tokens);
    return Promise.resolve(attention(tokens));
  };
  return {
    calls,
    words: async (segments: readonly SegmentToTime[], spans: readonly Span[], seconds = 30, shift = 0) =>
      wordsOf(
        { align, specification, tokenizer },
        {},
        {
          language: "en",
          segments,
          seconds,
          toRecording: (second) => second + shift,
          spans,
        },
      ),
  };
}

/** One head; the token that is fed as number `i` after the prompt is heard from `starts[i]` to the next one. */
function heardAt(starts: readonly number[]) {
  return (tokens: readonly number[]): Alignment => {
    const head = new Float32Array(tokens.length * windowFrames);
    starts.forEach((start, index) => {
      const to = starts[index + 1] ?? 30;
      for (let frame = Math.round(start * 50); frame < Math.round(to * 50); frame += 1)
        head[(index + 3) * windowFrames + frame] = 1;
    });
    return { heads: [head], tokens: tokens.length, frames: windowFrames };
  };
}

/** Tokens of whole bytes, so that any text can be written. */
function tokensOf(text: string): number[] {
  const byToken = new Map<string, number>();
  for (let token = 0; token < 256; token += 1) byToken.set(bytesOf(token), token);
  return [...Buffer.from(text)].map((byte) => byToken.get(String(byte)) ?? -1);
}

/** The first 256 tokens are the single bytes in another order: printable ones first. */
function bytesOf(token: number): string {
  const printable = Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173),
  );
  const others = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !printable.includes(byte));
  return String([...printable, ...others][token]);
}

function segment(start: number, end: number, text: string): SegmentToTime {
  return { start, end, text: text.trim(), tokens: tokensOf(text), probabilities: [] };
}

function expectWords(words: readonly Word[], spans: readonly Span[]): void {
  let free = -Infinity;
  for (const { start, end } of words) {
    expect(start).toBeGreaterThanOrEqual(free);
    expect(end).toBeGreaterThanOrEqual(start);
    if (spans.length > 0) expect(spans.some((span) => span.start <= start && start <= span.end)).toBe(true);
    if (spans.length > 0) expect(spans.some((span) => span.start <= end && end <= span.end)).toBe(true);
    free = end;
  }
}

describe("words of a window", () => {
  test("begin where their first token is heard and end where the next word begins", async () => {
    const { words, calls } = timed(heardAt([1, 1.2, 1.4, 2, 2.2, 4]));
    const timedWords = await words([{ ...segment(0, 30, " ab c"), start: 100, end: 130 }], [], 30, 100);
    expect(timedWords?.map(({ text }) => text)).toEqual([" ab", " c"]);
    expect(timedWords?.[0]?.start).toBeCloseTo(101.2, 5);
    expect(timedWords?.[0]?.end).toBeCloseTo(102, 5);
    expect(timedWords?.[1]?.start).toBeCloseTo(102.2, 5);
    expect(timedWords?.[1]?.end).toBeCloseTo(104, 5);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.slice(0, 4)).toEqual([50258, 50259, 50359, 50363]);
    expect(calls[0]?.at(-1)).toBe(50257);
  });

  test("are as sure as their least likely token, punctuation aside", async () => {
    const { words } = timed(heardAt([1, 1.2, 1.4, 2, 2.2, 2.4, 4]));
    const probabilities = [0.2, 0.8, 0.3, 0.1, 0.7, 0.05];
    const timedWords = await words([{ ...segment(0, 30, " ab c."), probabilities }], []);
    expect(timedWords?.map(({ text, probability }) => [text, probability])).toEqual([
      [" ab", 0.3],
      [" c.", 0.7],
    ]);
    expect(joinWords([timedWords ?? []]).map(({ probability }) => probability)).toEqual([0.3, 0.7]);
  });

  test("after a pause don't begin in it, and before one don't run over into it", async () => {
    const spans = [
      { start: 1, end: 3 },
      { start: 6, end: 9 },
    ];
    const { words } = timed(heardAt([1.2, 1.3, 2.7, 2.75, 8.5]));
    const timedWords = await words([segment(1, 9, " a b")], spans);
    expect(timedWords?.[0]?.end).toBeLessThanOrEqual(3);
    expect(timedWords?.[1]?.start).toBeGreaterThanOrEqual(6);
    expect(timedWords?.[1]?.start).toBeLessThan(6.3);
  });

  test("are unknown when the model doesn't tell where it listens", async () => {
    expect(await timed(() => null).words([segment(0, 1, " a")], [])).toBeNull();
  });

  test.each<[string, (tokens: readonly number[]) => Alignment]>([
    [
      "not finite",
      (tokens) => ({
        heads: [new Float32Array(tokens.length * windowFrames).fill(NaN)],
        tokens: tokens.length,
        frames: windowFrames,
      }),
    ],
    ["without frames", (tokens) => ({ heads: [new Float32Array(0)], tokens: tokens.length, frames: 0 })],
    [
      "all the same",
      (tokens) => ({
        heads: [new Float32Array(tokens.length * windowFrames).fill(1)],
        tokens: tokens.length,
        frames: windowFrames,
      }),
    ],
    ["without heads", (tokens) => ({ heads: [], tokens: tokens.length, frames: windowFrames })],
  ])("share their segment when the attention is %s", async (_, attention) => {
    const timedWords = (await timed(attention).words([segment(2, 4, " one two")], [])) ?? [];
    expect(timedWords.map(({ text }) => text)).toEqual([" one", " two"]);
    expectWords(timedWords, []);
    for (const { start, end } of timedWords) {
      expect(start).toBeGreaterThanOrEqual(1.5);
      expect(end).toBeLessThanOrEqual(4.5);
    }
  });

  test("of a text that is longer than the decoder's input share their segment, without a pass", async () => {
    const { words, calls } = timed(heardAt([0]));
    const text = " word".repeat(300);
    const timedWords = (await words([segment(0, 30, text)], [])) ?? [];
    expect(calls).toHaveLength(0);
    expect(timedWords).toHaveLength(300);
    expectWords(timedWords, []);
  });

  test("are none for no text, and one for one token", async () => {
    expect(await timed(heardAt([])).words([], [])).toEqual([]);
    expect(await timed(heardAt([0.5, 1])).words([segment(0, 1, "a")], [])).toMatchObject([{ text: " a" }]);
  });

  test("whatever the attention, the spans and the text: in order, in speech, and the text is complete", async () => {
    const text = fc.array(
      fc.constantFrom("a", "Ω", "漢字", "ไทย", "مرحبا", " ", " ", ",", "“", "🎉", "é", "—", "3.5", "%"),
      { maxLength: 14 },
    );
    const spans = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 8 }).map((lengths) => {
      let at = 0;
      const edges = lengths.map((length) => (at += length / 50));
      return edges.flatMap((start, index) =>
        index % 2 === 0 && edges[index + 1] !== undefined ? [{ start, end: edges[index + 1] ?? start }] : [],
      );
    });
    const numbers = fc.array(fc.oneof(fc.double(), fc.integer({ min: 0, max: 30 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), spans, numbers, async (texts, speech, starts) => {
        const segments = texts
          .map((parts, index) => segment(index * 5, index * 5 + 4, ` ${parts.join("")}`))
          .filter((each) => each.text !== "");
        const usable = starts.map((start) => (Number.isFinite(start) ? Math.min(30, Math.max(0, start)) : 0));
        const timedWords = (await timed(heardAt(usable)).words(segments, speech, 6)) ?? [];
        const joined = joinWords([timedWords]);
        expect(joined.map((word) => word.text).join("")).toBe(segments.map((each) => each.text).join(" "));
        expectWords(joined, speech);
      }),
      { numRuns: 60 },
    );
  });
});

test("words of windows that overlap are put in order", () => {
  const joined = joinWords([[{ start: 0, end: 5, text: " a" }], [{ start: 4, end: 4.5, text: " b" }]]);
  expect(joined).toEqual([
    { start: 0, end: 5, text: "a" },
    { start: 5, end: 5, text: " b" },
  ]);
});

test.each([
  ["Hello, world!", ["Hello,", " world!"]],
  ["- Yes — no …", ["- Yes —", " no …"]],
  ["¿Qué? «Nada» (3 %)", ["¿Qué?", " «Nada»", " (3", " %)"]],
  ["مرحبا بكم، أهلا", ["مرحبا", " بكم،", " أهلا"]],
  ["नमस्ते दोस्तों।", ["नमस्ते", " दोस्तों।"]],
  ["...", ["..."]],
  ["", []],
])("%j is cut into words", (text, words) => {
  expect(splitWords(text).map(({ from, to }) => text.slice(from, to))).toEqual(words);
});

test.each(["我们去学校。你呢？", "今日は学校に行きました。", "สวัสดีครับ ผมชื่อสมชาย"])(
  "%j has several words without spaces",
  (text) => {
    const words = splitWords(text).map(({ from, to }) => text.slice(from, to));
    expect(words.length).toBeGreaterThan(3);
    expect(words.join("")).toBe(text);
    for (const word of words) expect(word).toMatch(/\p{L}/u);
  },
);

test("the median filter takes the middle of seven, mirrored at the ends", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 30 }), (values) => {
      const row = Float32Array.from(values);
      const at = (index: number) =>
        row[index < 0 ? -index : index >= row.length ? 2 * row.length - 2 - index : index] ?? 0;
      const expected = values.map((_, index) =>
        row.length <= 3
          ? row[index]
          : [-3, -2, -1, 0, 1, 2, 3].map((offset) => at(index + offset)).toSorted((a, b) => a - b)[3],
      );
      expect([...medianFilter(row)]).toEqual(expected);
    }),
  );
});

test("the warped path adds up to the most that any path can", () => {
  const best = (matrix: Float32Array, columns: number, row: number, column: number): number => {
    const value = matrix[row * columns + column] ?? 0;
    if (row === 0 && column === 0) return value;
    const before = [
      [row - 1, column - 1],
      [row - 1, column],
      [row, column - 1],
    ] as const;
    return value + Math.max(...before.map(([r, c]) => (r < 0 || c < 0 ? -Infinity : best(matrix, columns, r, c))));
  };
  const shape = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
  const filled = shape.chain(([rows, columns]) =>
    fc.tuple(
      fc.constant(rows),
      fc.constant(columns),
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: rows * columns, maxLength: rows * columns }),
    ),
  );
  fc.assert(
    fc.property(filled, ([rows, columns, values]) => {
      const matrix = Float32Array.from(values);
      const starts = warpedStarts(matrix, rows, columns);
      expect(starts[0]).toBe(0);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      // Between two rows the path goes straight down or diagonally: the better of the two is the path's.
      let sum = 0;
      for (let row = 0; row < rows; row += 1) {
        const from = starts[row] ?? 0;
        const next = starts[row + 1];
        const straight = sumOf(matrix, row * columns + from, row * columns + (next ?? columns - 1) + 1);
        const diagonal =
          next === undefined || next === from ? -Infinity : straight - (matrix[row * columns + next] ?? 0);
        sum += Math.max(straight, diagonal);
      }
      expect(sum).toBe(best(matrix, columns, rows - 1, columns - 1));
    }),
  );
});

function sumOf(matrix: Float32Array, from: number, to: number): number {
  return matrix.subarray(from, to).reduce((sum, value) => sum + value, 0);
}
