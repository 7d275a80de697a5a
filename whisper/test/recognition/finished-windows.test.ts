import { expect, test } from "vitest";
import type { FinishedWindows, HeardPassage } from "../../src/transcriber.ts";
import { recognized, type Script, sentences, talk, textOf } from "./scripted-model.ts";

const later = [
  { start: 160, end: 165 },
  { start: 200, end: 212 },
];
test("going on after any finished window ends with the same result", async () => {
  const noises = [0, 40, 80].map((start) => ({ start, end: start + 25 }));
  const spans = [...noises, ...talk.map(({ start, end }) => ({ start: start + 120, end: end + 120 })), ...later];
  const script = (_: number, seconds: number): Script => {
    if (seconds === 25) return { parts: [0], noSpeech: 0.95 };
    if (seconds < 6) return { parts: [0, " mumble", seconds], confidence: -1.5 };
    return seconds > 15 ? { parts: [0, " On and on"], isCutOff: true } : { parts: sentences(seconds) };
  };
  const passages: HeardPassage[] = [];
  const finished: FinishedWindows[] = [];
  const whole = await recognized(spans, script, passages, [], finished);
  expect(finished.length).toBeGreaterThan(5);
  for (const resume of structuredClone(finished)) {
    const rest: HeardPassage[] = [];
    const { recognition, listened } = await recognized(spans, script, rest, [], [], resume);
    expect(recognition).toEqual(whole.recognition);
    expect(listened).toBeLessThan(whole.listened);
    expect(textOf(rest)).toBe(
      recognition.text.slice(textOf([{ language: "en", segments: resume.segments }]).length).trim(),
    );
  }
});
