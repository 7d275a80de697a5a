import path from "node:path";
import { embeddedModelDirectory } from "@reelscript/whisper";
import { loadModels } from "#whisper/recognition/decoder/whisper-models.ts";
import { openSession } from "#whisper/recognition/decoder/onnx-files.ts";
import { recognizeSpeech } from "#whisper/recognition/recognize-speech.ts";
import { VoiceDetector } from "#whisper/recognition/signal/voice-detector.ts";
import { SpeechTimeline } from "#whisper/recognition/speech-timeline.ts";
import { root } from "../scripts/root.ts";

/** Hears samples with so many readings side by side, and returns the text. */
export type BareRecognizer = (samples: Float32Array, beam: number) => Promise<string>;

/** The recognizer alone: model and voice detector in this process, with all samples already decoded. */
export async function openBareRecognizer(threads: number): Promise<BareRecognizer> {
  const models = await loadModels({ default: embeddedModelDirectory, byLanguage: {}, heads: {} }, threads);
  const voices = path.join(root, "whisper/models/silero-vad/silero_vad_v6.onnx");
  const detector = new VoiceDetector(await openSession(voices, 1));
  return async (samples, beam) => {
    const timeline = new SpeechTimeline(detector);
    timeline.append(samples);
    timeline.finish();
    const { text } = await recognizeSpeech(timeline, models, {
      task: "transcribe",
      language: undefined,
      beam,
      spellings: [],
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onPassage: () => undefined,
      onDraft: () => undefined,
      onWindow: () => undefined,
      onFinished: () => undefined,
      resume: undefined,
      unreliable: [],
      elsewhere: [],
    });
    return text;
  };
}
