/** Entry of the child process that holds the model and recognizes one recording at a time. */
import { HandOver } from "./transcriber.ts";
import { finishedModelRuns, openSession } from "./recognition/decoder/onnx-files.ts";
import { type Models, recognizeSpeech } from "./recognition/recognize-speech.ts";
import { SpeechTimeline } from "./recognition/speech-timeline.ts";
import { VoiceDetector } from "./recognition/signal/voice-detector.ts";
import { loadModels } from "./recognition/decoder/whisper-models.ts";
import type { RecognizerAnswer, RecognizerFailure, RecognizerRequest } from "./recognizer-protocol.ts";
import { gaveUp, WhisperError } from "./whisper-error.ts";

interface Job {
  readonly id: number;
  readonly timeline: SpeechTimeline;
  readonly abort: AbortController;
}

interface Loaded {
  readonly models: Models;
  readonly unreliable: readonly string[];
  readonly elsewhere: readonly string[];
  readonly beam: number;
  readonly detector: VoiceDetector;
}

let loaded: Loaded | undefined;
let current: Job | undefined;

// Without the parent there is nobody to work for.
process.on("disconnect", () => process.exit());
// A terminal's Ctrl-C reaches the whole group; the parent decides when its children end.
process.on("SIGINT", () => undefined);
process.on("message", (request) => {
  handle(request as RecognizerRequest);
});
setInterval(() => answer({ type: "alive", modelRuns: finishedModelRuns() }), 1_000).unref();

function handle(request: RecognizerRequest): void {
  if (request.type === "load") {
    void load(request);
    return;
  }
  if (request.type === "begin") {
    void run(request);
    return;
  }
  // The last messages of a job may cross its answer.
  if (current?.id !== request.job) return;
  if (request.type === "samples") current.timeline.append(request.samples);
  else if (request.type === "end") current.timeline.finish();
  else current.abort.abort(gaveUp());
}

async function load(request: Extract<RecognizerRequest, { type: "load" }>): Promise<void> {
  try {
    const directories = { default: request.modelDirectory, byLanguage: request.languageModels, heads: request.heads };
    const [models, session] = await Promise.all([
      loadModels(directories, request.threads),
      openSession(request.voiceDetector, 1),
    ]);
    loaded = {
      models,
      unreliable: request.unreliable,
      elsewhere: request.elsewhere,
      beam: request.beam,
      detector: new VoiceDetector(session),
    };
    answer({ type: "loaded" });
  } catch (error) {
    answer({ type: "notLoaded", failure: failureOf(error) });
  }
}

async function run({
  job: id,
  task,
  language,
  spellings,
  resume,
}: Extract<RecognizerRequest, { type: "begin" }>): Promise<void> {
  if (!loaded || current) throw new TypeError("a job began before the model was loaded or the last job had ended");
  const job: Job = { id, timeline: new SpeechTimeline(loaded.detector), abort: new AbortController() };
  current = job;
  let done: RecognizerAnswer;
  try {
    const recognition = await recognizeSpeech(job.timeline, loaded.models, {
      task,
      language,
      spellings,
      resume,
      beam: loaded.beam,
      unreliable: loaded.unreliable,
      elsewhere: loaded.elsewhere,
      signal: job.abort.signal,
      onProgress(seconds) {
        answer({ type: "progress", job: id, seconds });
      },
      onPassage(passage) {
        answer({ type: "passage", job: id, passage });
      },
      onDraft(draft) {
        answer({ type: "draft", job: id, draft });
      },
      onWindow(window) {
        answer({ type: "window", job: id, window });
      },
      onFinished(finished) {
        answer({ type: "finished", job: id, finished });
      },
    });
    done = { type: "done", job: id, recognition };
  } catch (error) {
    done =
      error instanceof HandOver
        ? { type: "handOver", job: id, detection: error.detection }
        : { type: "failed", job: id, failure: failureOf(error) };
  }
  current = undefined;
  answer(done);
  // Tensors hold a hundred megabytes that the collector does not see; it would let them lie until the next job.
  setImmediate(() => (globalThis as { gc?: () => void }).gc?.());
}

function answer(message: RecognizerAnswer): void {
  process.send?.(message);
}

function failureOf(error: unknown): RecognizerFailure {
  // Any other failure is our bug: the process ends and the parent reports a crash.
  if (!(error instanceof WhisperError)) throw error;
  return { code: error.code, message: error.message, language: error.language, model: error.model };
}
