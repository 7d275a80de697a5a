import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { RecognizerSlot } from "../../src/recognizer-slot.ts";
import { live, mediaOf, silence } from "../recordings.ts";

const folder = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recognition = {
  text: " Hello.",
  segments: [{ start: 0, end: 1, text: " Hello." }],
  words: [{ start: 0, end: 1, text: " Hello.", probability: 0.9 }],
  gaps: [],
  silences: [],
  language: "en",
  languageProbability: 0.9,
  seconds: 1,
  speechSeconds: 1,
  model: "whisper",
  revision: 1,
  hintDecided: false,
};

/** Runs a job whose process a hostile recording took over, and which sends this answer at its end. */
async function outcomeOf(answer: object): Promise<unknown> {
  const program = path.join(folder, "taken-over.mjs");
  writeFileSync(
    program,
    `process.on("message", ({ type, job }) => {
      if (type === "load") process.send({ type: "loaded" });
      if (type === "end") process.send({ job, ...${JSON.stringify(answer)} });
    });
    process.on("disconnect", () => process.exit());`,
  );
  const slot = new RecognizerSlot({
    load: {
      type: "load",
      modelDirectory: "",
      languageModels: {},
      heads: {},
      unreliable: [],
      elsewhere: [],
      voiceDetector: "",
      threads: 1,
      beam: 5,
    },
    maxStillSeconds: 60,
    maxMemoryBytes: 2 ** 32,
    idleSeconds: 60,
    program,
  });
  try {
    return await slot.recognize(mediaOf(silence(1)), live()).catch((error: unknown) => error);
  } finally {
    await slot.close();
  }
}

test("an answer keeps nothing but what was agreed", async () => {
  const other = { id: "trn_other", attempt: 7, owner: "acc_other", charge: false };
  const words = recognition.words.map((word) => ({ ...word, ...other }));
  const answered = await outcomeOf({ type: "done", ...other, recognition: { ...recognition, words, ...other } });
  expect(answered).toEqual(recognition);
});

test.each([
  ["an unknown kind of answer", { type: "complete", recognition }],
  ["a text that is none", { type: "done", recognition: { ...recognition, text: { length: 3 } } }],
  ["segments that are no list", { type: "done", recognition: { ...recognition, segments: { 0: {}, length: 1 } } }],
  ["a time before the beginning", { type: "done", recognition: { ...recognition, seconds: -1 } }],
  ["a language with markup", { type: "done", recognition: { ...recognition, language: "<b>" } }],
  [
    "a text longer than a day of speech",
    { type: "done", recognition: { ...recognition, text: "a".repeat(10_000_001) } },
  ],
  ["a failure of an unknown kind", { type: "failed", failure: { code: "refunded", message: "" } }],
])("a process that answers with %s is ended", async (_, answer) => {
  expect(await outcomeOf(answer)).toMatchObject({ name: "WhisperError", code: "crashed" });
});
