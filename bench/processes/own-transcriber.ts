import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  type DecodedMedia,
  embeddedModelDirectory,
  type Gap,
  type Recognition,
  WhisperError,
} from "@reelscript/whisper";

/** `refusal` says why the recognizer can't write the speech down; `text` is empty then. */
export interface Heard {
  readonly text: string;
  readonly language: string;
  readonly gaps: readonly Gap[];
  readonly refusal?: string;
}
export interface OwnTranscriber {
  file(path: string): Promise<Heard>;
  samples(samples: Float32Array): Promise<Heard>;
  stop(): Promise<void>;
}

/** The transcriber of the service without the service: `file` for media files, `samples` for what is already decoded. */
export async function openTranscriber({ threads }: { readonly threads: number }): Promise<OwnTranscriber> {
  const recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads });
  const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
  const transcriber = createTranscriber({ decoder, recognizer, maxSeconds: 900 });
  await transcriber.ready();
  const options = () => ({ signal: new AbortController().signal });
  return {
    file: (path) => outcomeOf(transcriber.transcribe(path, options())),
    samples: (samples) => outcomeOf(recognizer.recognize(mediaOf(samples), options())),
    stop: () => transcriber.close(),
  };
}

/** Other failures are thrown. */
async function outcomeOf(promise: Promise<Recognition>): Promise<Heard> {
  try {
    const { text, language, gaps } = await promise;
    return { text, language, gaps };
  } catch (error) {
    const refusals = ["notRecognized", "unsupportedLanguage", "noAudioTrack"];
    if (!(error instanceof WhisperError) || !refusals.includes(error.code)) throw error;
    return { text: "", language: error.language ?? "und", gaps: [], refusal: error.code };
  }
}

const mediaOf = (samples: Float32Array): DecodedMedia => ({
  samples: chunksOf(samples),
  durationSeconds: Promise.resolve(null),
  truncated: Promise.resolve(false),
});

async function* chunksOf(samples: Float32Array): AsyncGenerator<Float32Array> {
  const second = 16_000;
  for (let at = 0; at < samples.length; at += second) yield samples.subarray(at, at + second);
}
