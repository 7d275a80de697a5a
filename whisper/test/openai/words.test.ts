import { createOpenAiRecognizer, type Recognition } from "@reelscript/whisper";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignWords } from "../../src/openai/align-words.ts";
import { live, mediaOf } from "../recordings.ts";
import { type Answer, segment, startEndpoint, tone } from "./endpoint.ts";

const seconds = 4;
const samples = Float32Array.from({ length: seconds * 16_000 }, (_, index) => tone(index));

function answer(segments: readonly object[], more: object): Answer {
  return { body: { language: "english", text: "not looked at", segments, ...more } };
}

async function recognizeBy(...answers: readonly [Answer, ...Answer[]]) {
  const endpoint = await startEndpoint(...answers);
  const recognizer = createOpenAiRecognizer({ baseUrl: endpoint.baseUrl, model: "m" });
  const recognition = await recognizer.recognize(mediaOf(samples), live());
  return { recognition, requests: endpoint.requests };
}

function joined({ words }: Recognition): string | undefined {
  return words?.map(({ text }) => text).join("");
}

describe("words of an endpoint", () => {
  const segments = [segment(0, 2, " Well, it's — 3.5%."), segment(2, 4, " “Déjà vu!”")];
  const spoken = [
    { word: "Well", start: 0.1, end: 0.5 },
    { word: "it's", start: 0.5, end: 0.9 },
    { word: "3.5", start: 1, end: 1.8 },
    { word: "Déjà", start: 2.2, end: 2.8 },
    { word: "vu", start: 2.8, end: 3.1 },
  ];

  test("are asked for, and get the text's punctuation and spaces", async () => {
    const { recognition, requests } = await recognizeBy(answer(segments, { words: spoken }));
    expect(requests[0]?.granularities).toEqual(["segment", "word"]);
    expect(joined(recognition)).toBe(recognition.text);
    expect(recognition.words).toEqual([
      { start: 0.1, end: 0.5, text: "Well," },
      { start: 0.5, end: 0.9, text: " it's —" },
      { start: 1, end: 1.8, text: " 3.5%." },
      { start: 2.2, end: 2.8, text: " “Déjà" },
      { start: 2.8, end: 3.1, text: " vu!”" },
    ]);
  });

  test("may be in the segments, with punctuation of their own", async () => {
    const within = [
      segment(0, 2, " Hello, you.", {
        words: [
          { word: " Hello,", start: 0, end: 1 },
          { word: " you.", start: 1, end: 2 },
        ],
      }),
    ];
    const { recognition } = await recognizeBy(answer(within, {}));
    expect(recognition.words).toEqual([
      { start: 0, end: 1, text: "Hello," },
      { start: 1, end: 2, text: " you." },
    ]);
  });

  test("of a segment that is left out go with it", async () => {
    const noise = segment(0, 2, " Thank you.", { no_speech_prob: 0.99 });
    const words = [
      { word: "Thank", start: 0, end: 1 },
      { word: "you", start: 1, end: 2 },
      { word: "Hello", start: 2.5, end: 3 },
    ];
    const { recognition } = await recognizeBy(answer([noise, segment(2, 4, " Hello.")], { words }));
    expect(recognition.words).toEqual([{ start: 2.5, end: 3, text: "Hello." }]);
  });

  test("that run backward, out of the audio or over each other are put in order", async () => {
    const words = [
      { word: "one", start: -5, end: 99 },
      { word: "two", start: 3, end: 1 },
      { word: "three", start: 0, end: 1e300 },
    ];
    const { recognition } = await recognizeBy(answer([segment(0, 4, "One two three")], { words }));
    expect(joined(recognition)).toBe("One two three");
    expectInOrder(recognition);
  });

  test.each<[string, unknown]>([
    ["none", undefined],
    ["no list", { word: "x" }],
    ["other words", [{ word: "Something", start: 0, end: 1 }]],
    ["fewer words", spoken.slice(1)],
    ["more words", [...spoken, { word: "more", start: 3, end: 4 }]],
    ["times that are no numbers", spoken.map((word) => ({ ...word, start: "0" }))],
    ["no words at all", []],
    ["things that are no words", [null, 7, []]],
  ])("%s: the segments are enough", async (_, words) => {
    const { recognition } = await recognizeBy(answer(segments, { words }));
    expect(recognition.words).toBeNull();
    expect(recognition.segments).toHaveLength(2);
  });

  test("are done without when the server doesn't know the field", async () => {
    const { recognition, requests } = await recognizeBy({ status: 400, body: {} }, answer(segments, {}));
    expect(recognition.words).toBeNull();
    expect(requests.map(({ granularities }) => granularities.length)).toEqual([2, 0]);
  });
});

function expectInOrder({ words }: Recognition): void {
  let free = 0;
  for (const { start, end } of words ?? []) {
    expect(start).toBeGreaterThanOrEqual(free);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(seconds);
    free = end;
  }
}

test("any words that spell the text are aligned, whatever stands around their letters", () => {
  const word = fc.stringMatching(/^[a-zäéñ]{1,6}$/u);
  const around = fc.constantFrom("", ",", ".", "!", "…", "”");
  fc.assert(
    fc.property(fc.array(fc.tuple(word, around), { minLength: 1, maxLength: 12 }), (pairs) => {
      const text = pairs.map(([letters, sign]) => letters + sign).join(" ");
      const reported = pairs.map(([letters], index) => ({ text: letters.toUpperCase(), start: index, end: index + 1 }));
      const [words = []] = alignWords([{ start: 0, end: pairs.length, text }], reported) ?? [];
      expect(words.map((one) => one.text).join("")).toBe(` ${text}`);
      expect(words.map(({ start }) => start)).toEqual(reported.map(({ start }) => start));
    }),
  );
});
