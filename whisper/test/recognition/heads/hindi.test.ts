import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedHeads, embeddedModelDirectory } from "../../../src/embedded-model.ts";
import { createEmbeddedRecognizer, type EmbeddedRecognizer } from "../../../src/embedded-recognizer.ts";
import type { FinishedWindows, HeardDraft } from "../../../src/transcriber.ts";
import { textErrorsOf } from "../../../src/word-errors.ts";
import { decoded, join, live, mediaOf, silence } from "../../recordings.ts";

/** See `fixtures/hindi/README.md`. */
const spoken = {
  "train-253": "साथ ही रात के तापमान में गिरावट होगी",
  "train-313": "श्री नड्डा अपने दो दिवसीय बिहार दौरे के दौरान मुजफ्फरपुर और दरभंगा जायेंगे",
  "story-054": "आख़िरकार अंग्रेज़ सरकार को झुकना पड़ा",
} as const;
const said = Object.values(spoken).join(" ");

let recognizer: EmbeddedRecognizer;
let talk: Float32Array;
beforeAll(async () => {
  recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads: 1 });
  const file = (name: string) => fileURLToPath(new URL(`../../fixtures/hindi/${name}.flac`, import.meta.url));
  const clips = await decoded(...Object.keys(spoken).map(file));
  talk = join(...clips.flatMap((clip) => [clip, silence(1)]));
  await recognizer.ready();
});
afterAll(async () => {
  await recognizer.close();
});

test("Hindi is written down without a hint, with its words where they are said", async () => {
  const drafts: (HeardDraft | undefined)[] = [];
  const windows: string[] = [];
  const result = await recognizer.recognize(mediaOf(talk), {
    ...live(),
    onDraft: (draft) => drafts.push(draft),
    onWindow: ({ verdict, noSpeech }) => windows.push(`${verdict} ${noSpeech === null}`),
  });
  expect(result).toMatchObject({ language: "hi", hintDecided: false, gaps: [], model: "whisper-base" });
  const { words: all, wordErrors } = textErrorsOf(said, result.text);
  expect(wordErrors / all, result.text).toBeLessThan(0.3);
  // Each clip is a sentence of its own: there is a second of silence between them.
  expect(result.segments.map(({ text }) => text.endsWith("।"))).toEqual([true, true, true]);
  const words = result.words ?? [];
  expect(words.map(({ text }) => text).join("")).toBe(result.text);
  expect(result.text).toBe(result.text.normalize("NFC"));
  let last = 0;
  for (const { start, end, probability } of words) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThanOrEqual(1);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(result.seconds);
  expect(drafts.some((draft) => draft?.language === "hi" && draft.text.includes("रात"))).toBe(true);
  expect(windows, "the decoder isn't asked where words are found").toEqual(["kept true"]);
});

test("nothing is lost where a window of Hindi ends, and another process goes on from there", async () => {
  const long = join(talk, talk, talk);
  const finished: FinishedWindows[] = [];
  const whole = await recognizer.recognize(mediaOf(long), {
    ...live(),
    onFinished: (windows) => finished.push(windows),
  });
  const { words, wordErrors, longestMissing } = textErrorsOf(`${said} ${said} ${said}`, whole.text);
  expect(wordErrors / words, whole.text).toBeLessThan(0.35);
  expect(longestMissing).toBeLessThan(4);
  expect(finished.length).toBeGreaterThan(1);
  const resumed = await recognizer.recognize(mediaOf(long), { ...live(), resume: finished[0] });
  expect(resumed).toEqual(whole);
});

test("who gives up in the middle leaves the recognizer to the next one", async () => {
  const abort = new AbortController();
  const given = recognizer.recognize(mediaOf(join(talk, talk)), {
    signal: abort.signal,
    onDraft: () => abort.abort(),
  });
  await expect(given).rejects.toMatchObject({ code: "aborted" });
  expect(recognizer.restarts()).toBe(0);
  expect(await recognizer.recognize(mediaOf(silence(1)), live())).toMatchObject({ text: "" });
});

test("a transcript names the head of an operator's own that wrote it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "head-"));
  await cp(embeddedHeads["hi"]!, folder, { recursive: true });
  const operatorsRecognizer = createEmbeddedRecognizer({
    modelDirectory: embeddedModelDirectory,
    threads: 1,
    heads: { hi: folder },
  });
  expect(await operatorsRecognizer.recognize(mediaOf(talk), live())).toMatchObject({
    language: "hi",
    model: "whisper-base+hi-2",
  });
  await operatorsRecognizer.close();
  await rm(folder, { recursive: true });
});
