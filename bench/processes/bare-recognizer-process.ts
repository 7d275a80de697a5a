/** The recognizer alone: model and voice detector in this process, samples already decoded and all at hand. */
import path from "node:path";
import { embeddedModelDirectory } from "@reelscript/whisper";
import { recognizeSpeech } from "#whisper/recognition/recognize-speech.ts";
import { SpeechTimeline } from "#whisper/recognition/speech-timeline.ts";
import { VoiceDetector } from "#whisper/recognition/signal/voice-detector.ts";
import { openSession } from "#whisper/recognition/decoder/onnx-files.ts";
import { loadModels } from "#whisper/recognition/decoder/whisper-models.ts";
import { root } from "../../scripts/root.ts";
import { answerParent } from "./child.ts";

const voiceDetector = path.join(root, "whisper/models/silero-vad/silero_vad_v6.onnx");
const samplesByName = new Map<string, Float32Array>();
let models: Awaited<ReturnType<typeof loadModels>>;
let detector: VoiceDetector;

const methods = {
  async open({ threads }: { readonly threads: number }) {
    models = await loadModels({ default: embeddedModelDirectory, byLanguage: {} }, threads);
    detector = new VoiceDetector(await openSession(voiceDetector, 1));
  },
  keep({ name, samples }: { readonly name: string; readonly samples: Float32Array }) {
    samplesByName.set(name, samples);
  },
  async recognize(name: string) {
    const from = performance.now();
    const timeline = new SpeechTimeline(detector);
    timeline.append(samplesByName.get(name)!);
    timeline.finish();
    const recognition = await recognizeSpeech(timeline, models, {
      language: undefined,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onPassage: () => undefined,
      onDraft: () => undefined,
      onWindow: () => undefined,
      elsewhere: [],
    });
    return { milliseconds: performance.now() - from, text: recognition.text };
  },
  close: () => undefined,
};
export type BareRecognizerMethods = typeof methods;
answerParent(methods);
