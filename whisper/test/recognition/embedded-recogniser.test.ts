import { mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmbeddedRecogniser, type EmbeddedRecogniser } from "../../src/embedded-recogniser.ts";
import { WhisperError } from "../../src/whisper-error.ts";
import { join, mediaOf, readWav, SAMPLE_RATE, silence } from "../recordings.ts";

const MODEL = fileURLToPath(new URL("../../models/whisper-base", import.meta.url));
const CHAPTER = "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-";
const SPEECH = `${CHAPTER}0880.wav`;
const TEXT = "He was not an ill-disposed young man.";
const hasSpeech = existsSync(SPEECH);
const needsSpeech = hasSpeech ? "" : " (skipped: needs Debian's pocketsphinx-testdata)";

const live = () => ({ signal: new AbortController().signal });
/** About a minute, two encoder passes at least. */
const longSpeech = () => {
  const sentences = ["0870", "0880", "0890", "0920", "0930"].map((name) => readWav(`${CHAPTER}${name}.wav`));
  return join(...sentences, silence(1), ...sentences, silence(1), ...sentences);
};

let recogniser: EmbeddedRecogniser;
beforeAll(async () => {
  recogniser = createEmbeddedRecogniser({ modelDirectory: MODEL });
  await recogniser.ready();
});
afterAll(async () => {
  await recogniser.close();
});

function noise(seconds: number, loudness: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: seconds * SAMPLE_RATE }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return loudness * (state / 2 ** 31 - 1);
  });
}

const wave = (seconds: number, shape: (t: number) => number) =>
  Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, n) => shape(n / SAMPLE_RATE));
const sine = (hertz: number, t: number) => Math.sin(2 * Math.PI * hertz * t);
const NOTES = [262, 330, 392, 523, 440, 349, 294, 392];
/** Plucked notes over a beat. */
const tune = wave(16, (t) => {
  const note = NOTES[Math.floor(t * 2) % NOTES.length] ?? 262;
  const since = t % 0.5;
  return (
    0.4 * Math.exp(-4 * since) * (sine(note, t) + 0.5 * sine(2 * note, t)) + 0.3 * Math.exp(-60 * since) * sine(80, t)
  );
});

describe("nobody speaks", () => {
  test.each<[string, Float32Array]>([
    ["nothing", new Float32Array(0)],
    ["50 ms", noise(0.05, 0.5)],
    ["silence", silence(10)],
    ["noise", noise(12, 0.3)],
    ["hiss", noise(12, 0.002)],
    ["a tone", wave(8, (t) => 0.5 * sine(440, t))],
    ["a chord", wave(12, (t) => 0.2 * (sine(262, t) + sine(330, t) + sine(392, t)) * (1 + 0.5 * sine(3, t)))],
    ["a siren", wave(12, (t) => 0.4 * Math.sin(2 * Math.PI * (600 * t + 40 * sine(0.5, t))))],
    ["a tune with a beat", tune],
  ])("in %s: no text", async (_, samples) => {
    const { text, segments, language, languageProbability, seconds } = await recogniser.recognise(
      mediaOf(samples),
      live(),
    );
    expect({ text, segments, language, languageProbability }).toEqual({
      text: "",
      segments: [],
      language: "und",
      languageProbability: null,
    });
    expect(seconds).toBeCloseTo(samples.length / SAMPLE_RATE);
  });
});

describe.runIf(hasSpeech)(`somebody speaks${needsSpeech}`, { timeout: 120_000 }, () => {
  test("the text, its times, the language and the progress", async () => {
    const shares: number[] = [];
    const samples = join(silence(2), readWav(SPEECH), silence(3));
    const result = await recogniser.recognise(mediaOf(samples), {
      ...live(),
      onProgress: (share) => shares.push(share),
    });
    expect(result).toMatchObject({ text: TEXT, language: "en", model: "whisper-base", warnings: [] });
    expect(result.languageProbability).toBeGreaterThan(0.9);
    expect(result.speechSeconds).toBeLessThan(result.seconds - 3);
    expect(result.segments).toHaveLength(1);
    expect(result.segments[0]?.start).toBeGreaterThan(1.5);
    expect(result.segments[0]?.end).toBeLessThan(result.seconds - 2);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shares.at(-1)).toBe(1);
  });

  test("the result does not depend on how the samples come in", async () => {
    const samples = readWav(SPEECH);
    const whole = await recogniser.recognise(mediaOf(samples, { chunk: samples.length }), live());
    const pieces = await recogniser.recognise(mediaOf(samples, { chunk: 777 }), live());
    expect(pieces).toEqual(whole);
  });

  test("a wrong hint is overruled and a hint that is no language of ours is left out, with a warning", async () => {
    const wrong = await recogniser.recognise(mediaOf(readWav(SPEECH)), { ...live(), language: "de" });
    expect(wrong).toMatchObject({ text: TEXT, language: "en" });
    expect(wrong.warnings).toHaveLength(1);
    const unknown = await recogniser.recognise(mediaOf(readWav(SPEECH)), { ...live(), language: "xx" });
    expect(unknown).toMatchObject({ text: TEXT, language: "en" });
    expect(unknown.warnings).toHaveLength(1);
  });

  test("recognition begins while samples still come", async () => {
    const samples = longSpeech();
    let share = 0;
    let sent = 0;
    const media = mediaOf(samples, {
      chunk: 10 * SAMPLE_RATE,
      // The last chunk is held back until the first window has been recognised.
      before: async (at) => {
        sent = at;
        while (at + 10 * SAMPLE_RATE >= samples.length && share < 0.2)
          await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    const result = await recogniser.recognise(media, { ...live(), onProgress: (done) => (share = done) });
    expect(sent).toBeGreaterThan(0);
    expect(result.text.match(/young man/g)).toHaveLength(3);
  });

  test("an abort ends the job, a waiting one too, and the next finds the same child", async () => {
    const [child] = recogniser.processIds();
    const abort = new AbortController();
    const samples = longSpeech();
    const running = recogniser.recognise(mediaOf(samples), {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    const waiting = recogniser.recognise(mediaOf(samples), { signal: abort.signal });
    await expect(running).rejects.toMatchObject({ code: "aborted" });
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect(await recogniser.recognise(mediaOf(readWav(SPEECH)), live())).toMatchObject({ text: TEXT });
    expect(recogniser.processIds()).toEqual([child]);
  });

  test("samples that end in an error end the job with it", async () => {
    const failure = new Error("the file broke off");
    const media = mediaOf(longSpeech(), {
      before: async (at) => {
        if (at > 5 * SAMPLE_RATE) throw failure;
      },
    });
    await expect(recogniser.recognise(media, live())).rejects.toBe(failure);
    expect(await recogniser.recognise(mediaOf(readWav(SPEECH)), live())).toMatchObject({ text: TEXT });
  });

  test("a child that is killed fails its job as crashed and is replaced", async () => {
    const [child] = recogniser.processIds();
    const job = recogniser.recognise(mediaOf(longSpeech()), {
      ...live(),
      onProgress: () => process.kill(child ?? 0, "SIGKILL"),
    });
    await expect(job).rejects.toMatchObject({ code: "crashed" });
    expect(await recogniser.recognise(mediaOf(readWav(SPEECH)), live())).toMatchObject({ text: TEXT });
    expect(recogniser.processIds()).not.toEqual([child]);
  });

  test("too much time or memory ends the job, and the child is replaced", async () => {
    const hurried = createEmbeddedRecogniser({ modelDirectory: MODEL, maxJobSeconds: 0.3 });
    try {
      await expect(hurried.recognise(mediaOf(longSpeech()), live())).rejects.toMatchObject({ code: "timeout" });
      expect(await hurried.recognise(mediaOf(silence(1)), live())).toMatchObject({ text: "" });
    } finally {
      await hurried.close();
    }
    const cramped = createEmbeddedRecogniser({ modelDirectory: MODEL, maxMemoryBytes: 200 * 1024 ** 2 });
    try {
      await expect(cramped.recognise(mediaOf(longSpeech()), live())).rejects.toMatchObject({ code: "memory" });
    } finally {
      await cramped.close();
    }
    expect(cramped.processIds()).toEqual([]);
  });

  test("a language may have a model of its own", async () => {
    const folder = await mkdtemp(joinPath(tmpdir(), "models-"));
    const other = joinPath(folder, "for-english");
    await symlink(MODEL, other);
    const special = createEmbeddedRecogniser({ modelDirectory: MODEL, languageModels: { en: other, de: "/nowhere" } });
    try {
      expect(await special.recognise(mediaOf(readWav(SPEECH)), live())).toMatchObject({
        text: TEXT,
        model: "for-english",
      });
    } finally {
      await special.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe("a directory that holds no usable model", () => {
  async function failure(files: Readonly<Record<string, string>>): Promise<unknown> {
    const folder = await mkdtemp(joinPath(tmpdir(), "model-"));
    await mkdir(joinPath(folder, "onnx"));
    for (const [name, text] of Object.entries(files)) await writeFile(joinPath(folder, name), text);
    const broken = createEmbeddedRecogniser({ modelDirectory: folder });
    try {
      return await broken.ready().catch((error: unknown) => error);
    } finally {
      await broken.close();
      await rm(folder, { recursive: true });
    }
  }
  const onnx = { "onnx/encoder_model.onnx": "no model", "onnx/decoder_model_merged.onnx": "no model" };

  test.each([
    ["empty", {}, /encoder_model/],
    ["without settings", onnx, /config\.json/],
    ["of another kind", { ...onnx, "config.json": '{"model_type":"bert"}' }, /bert/],
    ["with broken settings", { ...onnx, "config.json": "{" }, /not JSON/],
  ])("%s: unavailable, with the reason", async (_, files, reason) => {
    expect(await failure(files)).toMatchObject({
      name: "WhisperError",
      code: "unavailable",
      message: expect.stringMatching(reason),
    });
  });
});

function codeOf(outcome: unknown): string {
  if (outcome instanceof WhisperError) return outcome.code;
  return outcome instanceof Error ? outcome.message : "done";
}

const shapeModel = process.env["WHISPER_SHAPE_MODEL"] ?? "";
describe.runIf(shapeModel !== "" && hasSpeech)(
  `a model of another shape${shapeModel === "" ? " (skipped: WHISPER_SHAPE_MODEL names no model with 128 mel bands)" : ""}`,
  { timeout: 120_000 },
  () => {
    test("loads and runs, whatever it writes", async () => {
      const shape = createEmbeddedRecogniser({ modelDirectory: MODEL, languageModels: { en: shapeModel } });
      try {
        // Its random weights write nonsense, which the gates refuse or find nothing in.
        const outcome = await shape.recognise(mediaOf(readWav(SPEECH)), live()).catch((error: unknown) => error);
        expect(["notRecognised", "done"]).toContain(codeOf(outcome));
        expect(outcome).toMatchObject({ model: "shape-large-v3" });
      } finally {
        await shape.close();
      }
      const alone = createEmbeddedRecogniser({ modelDirectory: shapeModel });
      try {
        await alone.ready();
        const outcome = await alone.recognise(mediaOf(readWav(SPEECH)), live()).catch((error: unknown) => error);
        expect(["notRecognised", "unsupportedLanguage", "done"]).toContain(codeOf(outcome));
      } finally {
        await alone.close();
      }
    });
  },
);
