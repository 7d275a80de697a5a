import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  WhisperError,
} from "../../whisper/dist/index.js";

/** The transcriber of the service without the service: `file` for media files, `samples` for what is already decoded. */
export async function openTranscriber({ threads }) {
  const recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads });
  const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
  const transcriber = createTranscriber({ decoder, recognizer, maxSeconds: 900 });
  await transcriber.ready();
  const options = () => ({ signal: new AbortController().signal });
  return {
    file: (path) => outcomeOf(transcriber.transcribe(path, options())),
    samples: (samples) => outcomeOf(recognizer.recognize(mediaOf(samples), options())),
    close: () => transcriber.close(),
  };
}

/** `text`, or `refusal` when the recognizer says that it cannot write the speech down; other failures are thrown. */
async function outcomeOf(promise) {
  try {
    const { text, language, languageProbability, gaps } = await promise;
    return { text, language, probability: languageProbability, gaps };
  } catch (error) {
    const refusals = ["notRecognized", "unsupportedLanguage", "noAudioTrack"];
    if (!(error instanceof WhisperError) || !refusals.includes(error.code)) throw error;
    return { text: "", language: error.language ?? "und", probability: null, gaps: [], refusal: error.code };
  }
}

const mediaOf = (samples) => ({
  samples: chunksOf(samples),
  info: Promise.resolve({ container: "samples", audioCodec: null, durationSeconds: null, width: null, height: null }),
  truncated: Promise.resolve(false),
  warnings: Promise.resolve([]),
});

async function* chunksOf(samples) {
  const second = 16_000;
  for (let at = 0; at < samples.length; at += second) yield samples.subarray(at, at + second);
}
