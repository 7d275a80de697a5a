import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  recognizerRevision,
  type Recognizer,
} from "@reelscript/whisper";
import { createWhisperTranscriber, type WhisperLimits } from "../../src/adapters/whisper/whisper-transcriber.ts";
import type { Transcriber } from "../../src/ports.ts";
import { SpeechNotRecognized } from "../../src/recognition/recognition-errors.ts";

type Whisper = ReturnType<typeof createTranscriber>;
type Speech = Awaited<ReturnType<Transcriber["transcribe"]>>;

/** This process's models by the longest audio in seconds. An idle model ends its child process. */
const embedded = new Map<number, Promise<Whisper>>();
/** A folder of this test run, in which workers share the embedded model's results. */
const sharedReadings = process.env["TEST_READINGS"];
/** Results in this process by file name. */
const readings = new Map<string, Reading>();

/** The model's result for media: words, or the refusal of a language. */
interface Reading {
  readonly speech?: Speech;
  readonly refused?: Pick<SpeechNotRecognized, "language" | "model" | "isUnread">;
}

async function join(recognizer: Recognizer, maxSeconds: number): Promise<Whisper> {
  const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
  return createTranscriber({ decoder, recognizer, maxSeconds });
}

function sharedEmbedded(maxSeconds: number): Promise<Whisper> {
  const whisper = embedded.get(maxSeconds);
  if (whisper) return whisper;
  const transcriber = join(
    createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads: 1 }),
    maxSeconds,
  );
  embedded.set(maxSeconds, transcriber);
  return transcriber;
}

/** Transcribes a file once per test run. Its name is derived from the bytes, the model, the longest audio, the hint and the spellings. */
async function readOnce(name: string, read: () => Promise<Speech>): Promise<Reading> {
  const earlierReading = readings.get(name) ?? (await readingOf(name));
  const reading = earlierReading ?? (await read().then((speech): Reading => ({ speech }), refusal));
  readings.set(name, reading);
  if (earlierReading === undefined && sharedReadings !== undefined) {
    const unfinished = path.join(sharedReadings, randomUUID());
    await writeFile(unfinished, JSON.stringify(reading));
    await rename(unfinished, path.join(sharedReadings, name));
  }
  return reading;
}

async function readingOf(name: string): Promise<Reading | undefined> {
  if (sharedReadings === undefined) return undefined;
  const text = await readFile(path.join(sharedReadings, name), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Reading); // safe: another worker of this run wrote it
}

function refusal(error: unknown): Reading {
  if (!(error instanceof SpeechNotRecognized)) throw error;
  const { language, model, isUnread } = error;
  return { refused: { language, model, isUnread } };
}

interface Options {
  readonly recognizer: (() => Promise<Recognizer>) | undefined;
  readonly maxSeconds: number;
  readonly limits: WhisperLimits | undefined;
}

/**
 * The embedded recognizer, which transcribes the same media only once in a test run, or another recognizer, which runs every
 * time.
 */
export async function openTestTranscriber({
  recognizer,
  maxSeconds,
  limits,
}: Options): Promise<{ transcriber: Transcriber; close: () => Promise<void> }> {
  const whisper = await (recognizer ? join(await recognizer(), maxSeconds) : sharedEmbedded(maxSeconds));
  const real = createWhisperTranscriber(whisper, { model: whisper.model, revision: recognizerRevision }, limits);
  if (recognizer) return { transcriber: real, close: () => whisper.close() };
  return {
    transcriber: {
      ...real,
      async transcribe(file, options) {
        const { model, revision } = real;
        const hash = createHash("sha256").update(await readFile(file));
        hash.update(
          JSON.stringify({
            model,
            revision,
            maxSeconds,
            language: options.language,
            spellings: options.spellings,
            unread: limits?.unread,
          }),
        );
        const { speech, refused } = await readOnce(hash.digest("hex"), () => real.transcribe(file, options));
        if (refused) throw new SpeechNotRecognized(refused.language, refused.model, refused.isUnread);
        return structuredClone(speech!); // safe: a reading is one of both
      },
    },
    close: async () => undefined,
  };
}
