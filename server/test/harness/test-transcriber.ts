import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  recognizerRevision,
  type Recognizer,
} from "@reelscript/whisper";
import { createWhisperTranscriber } from "../../src/adapters/whisper/whisper-transcriber.ts";
import type { Transcriber } from "../../src/ports.ts";
import { SpeechNotRecognized } from "../../src/recognition/recognition-errors.ts";

type Whisper = ReturnType<typeof createTranscriber>;
type Speech = Awaited<ReturnType<Transcriber["transcribe"]>>;

/** Of this process, by the longest audio in seconds. An idle one ends its child by itself. */
const embedded = new Map<number, Promise<Whisper>>();
/** What the embedded model has read in this process, by the media, their longest audio and the hint. */
const readings = new Map<string, Speech | SpeechNotRecognized>();

async function join(recognizer: Recognizer, maxSeconds: number): Promise<Whisper> {
  const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
  return createTranscriber({ decoder, recognizer, maxSeconds });
}

function sharedEmbedded(maxSeconds: number): Promise<Whisper> {
  const found = embedded.get(maxSeconds);
  if (found) return found;
  const made = join(createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads: 1 }), maxSeconds);
  embedded.set(maxSeconds, made);
  return made;
}

function refusal(error: unknown): SpeechNotRecognized {
  if (error instanceof SpeechNotRecognized) return error;
  throw error;
}

interface Options {
  readonly recognizer: (() => Promise<Recognizer>) | undefined;
  readonly maxSeconds: number;
  readonly limits: Parameters<typeof createWhisperTranscriber>[2];
}

/** The embedded recognizer, which reads the same media once for all tests of this process, or another recognizer, always. */
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
        const media = createHash("sha256").update(await readFile(file));
        const name = [media.digest("hex"), maxSeconds, options.language].join(" ");
        const reading = readings.get(name) ?? (await real.transcribe(file, options).catch(refusal));
        readings.set(name, reading);
        if (reading instanceof SpeechNotRecognized) throw reading;
        return structuredClone(reading);
      },
    },
    close: async () => undefined,
  };
}
