/** The recognizer alone: model and voice detector in this process, samples already decoded and all at hand. */
import { fileURLToPath } from "node:url";
import { embeddedModelDirectory } from "../../whisper/dist/index.js";
import { recognizeSpeech } from "../../whisper/dist/recognition/recognize-speech.js";
import { SpeechTimeline } from "../../whisper/dist/recognition/speech-timeline.js";
import { VoiceDetector } from "../../whisper/dist/recognition/signal/voice-detector.js";
import { openSession } from "../../whisper/dist/recognition/decoder/open-session.js";
import { WhisperModels } from "../../whisper/dist/recognition/decoder/whisper-models.js";
import { answerParent } from "./child.mjs";

const voiceDetector = fileURLToPath(new URL("../../whisper/models/silero-vad/silero_vad_v6.onnx", import.meta.url));
const samplesByName = new Map();
let models;
let detector;

answerParent({
  async open({ threads }) {
    models = await WhisperModels.load({ default: embeddedModelDirectory, byLanguage: {} }, threads);
    detector = new VoiceDetector(await openSession(voiceDetector, 1));
  },
  keep({ name, samples }) {
    samplesByName.set(name, samples);
  },
  async recognize(name) {
    const from = performance.now();
    const timeline = new SpeechTimeline(detector);
    timeline.append(samplesByName.get(name));
    timeline.finish();
    const recognition = await recognizeSpeech(timeline, models, {
      language: undefined,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onPassage: () => undefined,
    });
    return { milliseconds: performance.now() - from, text: recognition.text };
  },
  close: () => undefined,
});
