import { describe, expect, test } from "vitest";
import { recognized, type Script, sentences, talk } from "./scripted-model.ts";

const translated = (script: (index: number, seconds: number) => Script) =>
  recognized(talk, script, [], [], [], undefined, { translates: true });

describe("a translation", () => {
  test("takes the language as given, and has lines with times but no words", async () => {
    const { recognition } = await translated((_, seconds) => ({ parts: sentences(seconds) }));
    expect(recognition).toMatchObject({ words: null, gaps: [], hintDecided: false });
    expect(recognition.segments).toMatchObject([{ start: 0.5, end: 29.9 }]);
    expect(recognition.segments[0]).not.toHaveProperty("isUnsure");
  });

  test("marks the sentences that the model was unsure of", async () => {
    const { recognition } = await translated((_, seconds) => ({ parts: sentences(seconds), probability: 0.3 }));
    expect(recognition.segments).toMatchObject([{ isUnsure: true }]);
  });

  test("is heard again where the model jumps over a sentence", async () => {
    const { recognition } = await translated((index, seconds) => ({
      parts: index < 2 ? [0, " First.", 5, 15, " Third.", seconds] : [0, " Second.", 9, 9, " Third.", seconds],
    }));
    expect(recognition.text).toBe("First. Second. Third.");
  });

  test.each<[string, Script]>([
    ["that repeats itself", { parts: [0, " na".repeat(40)], isLoop: true }],
    ["in another script than English", { parts: [0, " पहले नमक आता है", 29] }],
    ["that is doubtful", { parts: [0, " Maybe.", 29], confidence: -1.4 }],
  ])("%s is refused", async (_, script) => {
    await expect(translated(() => script)).rejects.toMatchObject({ code: "notRecognized" });
  });
});
