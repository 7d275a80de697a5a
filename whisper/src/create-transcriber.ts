import type { DecodedMedia, MediaDecoder } from "./decoded-media.ts";
import { sampleRate } from "./media/ffmpeg-arguments.ts";
import {
  type FinishedWindows,
  HandOver,
  type Recognition,
  type Recognizer,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from "./transcriber.ts";
import { WhisperError, type WhisperErrorCode } from "./whisper-error.ts";

export interface TranscriberOptions {
  readonly decoder: MediaDecoder;
  readonly recognizer: Recognizer;
  /** Recognizers that take over what `recognizer` hands over, by primary language subtag. */
  readonly others?: Readonly<Record<string, Recognizer>> | undefined;
  /** Audio after this many seconds is left out. */
  readonly maxSeconds: number;
}

/** Ends of a recognizer's process after which another one may continue. */
const endsOfProcess: ReadonlySet<WhisperErrorCode> = new Set(["crashed", "memory", "silent", "timeout"]);

/** Joins a decoder and a recognizer: recognition begins while decoding continues, and each is stopped when the other fails. */
export function createTranscriber({ decoder, recognizer, others = {}, maxSeconds }: TranscriberOptions): Transcriber {
  const all = [recognizer, ...Object.values(others)];
  const byOthers = Object.entries(others).map(([language, { model }]) => `${language} by ${model} at an endpoint`);

  async function transcribeWith(
    by: Recognizer,
    path: string,
    options: TranscribeOptions,
    onDecoderFailure?: () => void,
  ): Promise<Transcription> {
    const abort = new AbortController();
    const signal = AbortSignal.any([options.signal, abort.signal]);
    try {
      const media = decoder.decode(path, { maxSeconds: options.maxSeconds ?? maxSeconds, signal });
      const samples = watched(media.samples, onDecoderFailure);
      const recognition = await by.recognize({ ...media, samples }, { ...options, signal });
      return { ...recognition, truncated: await media.truncated };
    } finally {
      abort.abort();
    }
  }

  /** Goes on in another process after the last finished window, as long as each process finishes one. */
  async function transcribeOn(path: string, options: TranscribeOptions): Promise<Transcription> {
    let share = 0;
    let resume: FinishedWindows | undefined;
    for (;;) {
      let finished: FinishedWindows | undefined;
      let isDecoders = false;
      const going: TranscribeOptions = {
        ...options,
        resume,
        onFinished: (windows) => (finished = windows),
        onProgress(done) {
          // The samples come from the beginning again.
          if (done > share) options.onProgress?.((share = done));
        },
      };
      try {
        return await transcribeWith(recognizer, path, going, () => (isDecoders = true));
      } catch (error) {
        const hasEnded = error instanceof WhisperError && endsOfProcess.has(error.code) && !isDecoders;
        if (!hasEnded || finished === undefined) throw error;
        resume = finished;
      }
    }
  }

  return {
    model: recognizer.model,
    description: [recognizer.description ?? recognizer.model, ...byOthers, decoder.description].join("; "),
    async ready() {
      await Promise.all(all.map((one) => one.ready()));
    },
    async transcribe(path, options) {
      try {
        return await transcribeOn(path, options);
      } catch (error) {
        const other = error instanceof HandOver ? others[error.detection.language] : undefined;
        if (other === undefined || !(error instanceof HandOver)) throw error;
        const { detection } = error;
        // The samples are gone: decoding them again takes less than keeping them all would.
        const { language } = detection;
        const recognition = await ofLanguage(language, transcribeWith(other, path, { ...options, language }));
        return { ...recognition, ...detected(detection, recognition) };
      }
    },
    async measure(path, options) {
      const media = decoder.decode(path, options);
      let samples = 0;
      for await (const chunk of media.samples) samples += chunk.length;
      return { seconds: samples / sampleRate, isLonger: await media.truncated };
    },
    async close() {
      await Promise.all([decoder.close(), ...all.map((one) => one.close())]);
    },
  };
}

/** Says in an error that only the recognizer of this language is away. */
async function ofLanguage(language: string, work: Promise<Transcription>): Promise<Transcription> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WhisperError) || error.code !== "unavailable") throw error;
    throw new WhisperError("unavailable", error.message, { language, cause: error });
  }
}

async function* watched(
  samples: DecodedMedia["samples"],
  onFailure: (() => void) | undefined,
): AsyncGenerator<Float32Array, void, undefined> {
  try {
    yield* samples;
  } catch (error) {
    onFailure?.();
    throw error;
  }
}

/** Keeps what detection found about the language, unless the other recognizer heard another one. */
function detected(detection: HandOver["detection"], { language }: Recognition): Partial<Recognition> {
  return language === detection.language ? detection : { hintDecided: detection.hintDecided };
}
