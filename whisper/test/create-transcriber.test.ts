import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTranscriber } from "../src/create-transcriber.ts";
import { createEmbeddedRecognizer } from "../src/embedded-recognizer.ts";
import { createMediaDecoder } from "../src/media/create-media-decoder.ts";
import type { HeardPassage, Transcriber, Transcription, Word } from "../src/transcriber.ts";
import { embeddedModelDirectory as modelFolder } from "../src/embedded-model.ts";
import { wavFile } from "../src/openai/audio-pieces.ts";
import { withEdits } from "./media/boxes.ts";
import { isRunning, temporaryFile } from "./media/decoding.ts";
import { floatWav } from "./media/hostile-media.ts";
import { decoded, join, live, reelPath, sampleRate, silence } from "./recordings.ts";

const chirpFile = fileURLToPath(new URL("./fixtures/chirp.mp4", import.meta.url));
const builtEntry = new URL("../dist/index.js", import.meta.url).href;

describe("a transcriber", () => {
  let transcriber: Transcriber;
  beforeAll(async () => {
    const recognizer = createEmbeddedRecognizer({ modelDirectory: modelFolder, threads: 1 });
    transcriber = createTranscriber({ decoder: await createMediaDecoder(), recognizer, maxSeconds: 1 });
    await transcriber.ready();
  });
  afterAll(async () => {
    await transcriber.close();
  });

  test("says what it is made of", () => {
    expect(transcriber.model).toBe("whisper-base");
    expect(transcriber.description).toMatch(/^whisper-base, 1 slot of 1 thread; .*ffmpeg/);
  });

  test("gives what decoder and recognizer found, and the whole progress", async () => {
    const shares: number[] = [];
    const options = { signal: new AbortController().signal, onProgress: (share: number) => shares.push(share) };
    const result = await transcriber.transcribe(chirpFile, options);
    expect(result).toMatchObject({ text: "", language: "und", truncated: true });
    expect(result.seconds).toBeCloseTo(1, 1);
    expect(shares.at(-1)).toBe(1);
  });

  test("fails as the decoder fails", async () => {
    const { signal } = new AbortController();
    const file = fileURLToPath(import.meta.url);
    await expect(transcriber.transcribe(file, { signal })).rejects.toMatchObject({ code: "unsupportedContainer" });
  });

  test("does nothing for a caller that has given up", async () => {
    const job = transcriber.transcribe(chirpFile, { signal: AbortSignal.abort() });
    await expect(job).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("whole recordings", () => {
  const recognizer = createEmbeddedRecognizer({ modelDirectory: modelFolder, threads: 1 });
  let transcriber: Transcriber;
  beforeAll(async () => {
    transcriber = createTranscriber({ decoder: await createMediaDecoder(), recognizer, maxSeconds: 120 });
    await transcriber.ready();
  });
  afterAll(async () => {
    await transcriber.close();
  });
  const endChildren = (signal: NodeJS.Signals) => {
    for (const id of recognizer.processIds()) process.kill(id, signal);
  };

  let once: Promise<Transcription> | undefined;
  const plain = () => (once ??= transcriber.transcribe(reelPath("en-amiable"), live()));
  // Processors round differently, and the decoder is undecided there.
  const withoutCommas = (text: string) => text.replaceAll(",", "");

  test.each<[string, (voice: Float32Array) => Float32Array[]]>([
    ["opposite channels", (voice) => [voice, voice.map((sample) => -sample)]],
    ["an empty channel", (voice) => [voice.map(() => 0), voice]],
    ["5.1 with the center alone", (voice) => [0, 0, 1, 0, 0, 0].map((gain) => voice.map((sample) => gain * sample))],
  ])("in %s all is heard that is said", async (_, channelsOf) => {
    const [voice = silence(0)] = await decoded(reelPath("en-amiable"));
    const channels = channelsOf(voice);
    const samples = Array.from(voice, (_sample, at) => channels.map((channel) => channel[at]!)).flat();
    const file = await temporaryFile(floatWav(samples, sampleRate, channels.length), "channels.wav");
    const { text } = await transcriber.transcribe(file, live());
    expect(withoutCommas(text)).toBe(withoutCommas((await plain()).text));
  });

  test("words of sound that begins late agree with the picture", async () => {
    const reel = readFileSync(reelPath("en-amiable"));
    const late = withEdits(reel, [{ seconds: 1.5 }, { seconds: 60, from: 0 }]);
    const { text, words } = await plain();
    const moved = await transcriber.transcribe(await temporaryFile(late), live());
    expect(withoutCommas(moved.text)).toBe(withoutCommas(text));
    const startsOf = (list: readonly Word[] | null) => list?.map(({ start }) => start) ?? [];
    const later = startsOf(words).map((start) => start + 1.5);
    const differences = startsOf(moved.words).map((start, index) => Math.abs(start - later[index]!));
    const sorted = differences.toSorted((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(0.1);
    // Beside a pause a word may begin elsewhere when the model hears it a little later.
    expect(sorted.at(-1)).toBeLessThan(0.5);
  });

  test("another process goes on after the last finished window", async () => {
    const [reading = silence(0), end = silence(0)] = await decoded(reelPath("en-austen"), reelPath("en-amiable"));
    const file = await temporaryFile(wavFile(join(reading, silence(1), end)), "long.wav");
    const whole = await transcriber.transcribe(file, live());
    for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
      const passages: HeardPassage[] = [];
      const shares: number[] = [];
      const before = recognizer.restarts();
      const interrupted = await transcriber.transcribe(file, {
        ...live(),
        onProgress: (share) => shares.push(share),
        onPassage(passage) {
          passages.push(passage);
        },
        // The next window is being read, so that the first one is finished.
        onDraft() {
          if (passages.length === 1 && recognizer.restarts() === before) endChildren(signal);
        },
      });
      expect(recognizer.restarts()).toBe(before + 1);
      expect(interrupted).toEqual(whole);
      const texts = passages.flatMap(({ segments }) => segments.map(({ text }) => text));
      expect(texts.join(" ")).toBe(whole.text);
      expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    }
  });

  test("ends that come before a window is finished are an error", async () => {
    const job = transcriber.transcribe(reelPath("en-austen"), {
      ...live(),
      onDraft: () => endChildren("SIGKILL"),
    });
    await expect(job).rejects.toMatchObject({ code: "crashed" });
  });
});

test("the recognizer's process ends when its parent is killed", async () => {
  const script = `
    const { createEmbeddedRecognizer } = await import(${JSON.stringify(builtEntry)});
    const recognizer = createEmbeddedRecognizer({ modelDirectory: ${JSON.stringify(modelFolder)} });
    await recognizer.ready();
    console.log(recognizer.processIds()[0]);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const child = Number(line.toString());
  expect(child).toBeGreaterThan(0);
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(child)).toBe(false);
});
