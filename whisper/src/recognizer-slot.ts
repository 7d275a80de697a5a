import type { DecodedMedia } from "./decoded-media.ts";
import { HandOver, type Recognition, type RecognizeOptions } from "./transcriber.ts";
import { type Deferred, deferred } from "./media/deferred.ts";
import { createProgressReport, type ProgressReport } from "./progress-report.ts";
import { sampleRate } from "./recognition/signal/audio-format.ts";
import { errorOf, RecognizerProcess, type RecognizerProcessOptions } from "./recognizer-process.ts";
import type { RecognizerAnswer } from "./recognizer-protocol.ts";
import { unavailable, WhisperError } from "./whisper-error.ts";

export interface SlotOptions extends RecognizerProcessOptions {
  /** A job is killed when nothing of it is computed for so long. */
  readonly maxStillSeconds: number;
  /** Without a job for so long, the child ends; the next job starts another. */
  readonly idleSeconds: number;
}

interface Job extends Pick<RecognizeOptions, "onPassage" | "onDraft" | "onWindow" | "onFinished" | "onWork"> {
  readonly id: number;
  readonly result: Deferred<Recognition>;
  readonly progress: ProgressReport;
  /** Ends the child unless it is refreshed. */
  readonly still: NodeJS.Timeout;
}

/** A pass of the encoder, which nothing interrupts, takes seconds on a busy machine. */
const abortGraceMilliseconds = 10_000;

/** One child process with the model loaded, and the one job it may have. The child is replaced when it ends. */
export class RecognizerSlot {
  readonly #options: SlotOptions;
  #child: RecognizerProcess | undefined;
  #job: Job | undefined;
  #lastJob = 0;
  #restarts = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get processId(): number | undefined {
    return this.#child?.id;
  }

  /** How often the child ended when it shouldn't have. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves when the model is loaded; starts the child if none runs. Throws `WhisperError`. */
  async ready(): Promise<void> {
    if (this.#isClosed) throw unavailable("The recognizer is closed.");
    this.#child ??= this.#start();
    await this.#child.loaded;
    this.#restWhenIdle();
  }

  /** Resolves or rejects when the child is free again. */
  async recognize(media: DecodedMedia, options: RecognizeOptions): Promise<Recognition> {
    const { signal } = options;
    await this.ready();
    clearTimeout(this.#idle);
    const child = this.#child;
    if (!child) throw new WhisperError("crashed", "The recognizer's process ended before the job began.");
    const job: Job = {
      id: (this.#lastJob += 1),
      result: deferred(),
      progress: createProgressReport(media, options.onProgress),
      onPassage: options.onPassage,
      onDraft: options.onDraft,
      onWindow: options.onWindow,
      onFinished: options.onFinished,
      onWork: options.onWork,
      still: setTimeout(() => {
        child.kill("timeout", `Nothing of a recording was recognized for ${this.#options.maxStillSeconds} s.`);
      }, this.#options.maxStillSeconds * 1000),
    };
    this.#job = job;
    let grace: NodeJS.Timeout | undefined;
    const giveUp = () => {
      child.send({ type: "abort", job: job.id }).catch(() => undefined);
      grace ??= setTimeout(() => {
        child.kill("aborted", "The caller gave up and the recognizer did not stop by itself.");
      }, abortGraceMilliseconds);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    const feeding = this.#feed(child, job, media, options).catch((error: unknown) => {
      giveUp();
      throw error;
    });
    try {
      const [recognition] = await Promise.all([job.result.promise, feeding]);
      job.progress.finished();
      return recognition;
    } finally {
      await Promise.allSettled([job.result.promise, feeding]);
      signal.removeEventListener("abort", giveUp);
      clearTimeout(job.still);
      clearTimeout(grace);
      this.#job = undefined;
      this.#restWhenIdle();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const child = this.#child;
    if (!child) return;
    child.kill("aborted", "The recognizer was closed.");
    await child.exited;
  }

  /** A loaded model is kept at hand for a while, and not for a service that has nothing to do for hours. */
  #restWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const child = this.#child;
      if (!child || this.#job || this.#isClosed) return;
      this.#child = undefined;
      child.kill("aborted", "The recognizer had nothing to do.");
    }, this.#options.idleSeconds * 1000).unref();
  }

  /** Sends the samples as fast as the child takes them; stops asking for more when the job has its result. */
  async #feed(
    child: RecognizerProcess,
    job: Job,
    media: DecodedMedia,
    { task = "transcribe", language, spellings = [], resume }: RecognizeOptions,
  ): Promise<void> {
    const end = job.result.promise.then(
      () => undefined,
      () => undefined,
    );
    const chunks = media.samples[Symbol.asyncIterator]();
    let count = 0;
    await child.send({ type: "begin", job: job.id, task, language, spellings, resume });
    for (;;) {
      const next = await Promise.race([end, chunks.next()]);
      if (next === undefined) {
        // Ends the decoder; nobody waits for it.
        void Promise.resolve(chunks.return?.()).catch(() => undefined);
        return;
      }
      if (next.done === true) break;
      count += next.value.length;
      // Whoever waits for the decoder isn't to blame: the decoder has a limit of its own.
      job.still.refresh();
      await Promise.race([end, child.send({ type: "samples", job: job.id, samples: next.value })]);
    }
    job.progress.ended(count / sampleRate);
    await child.send({ type: "end", job: job.id });
  }

  #start(): RecognizerProcess {
    const child = new RecognizerProcess(this.#options, {
      onAnswer: (answer) => this.#answered(answer),
      onWork: () => {
        if (this.#child === child) this.#job?.onWork?.();
      },
      onModelRun: () => {
        this.#job?.still.refresh();
        this.#job?.onWork?.();
      },
      onEnd: (error) => this.#ended(child, error),
    });
    return child;
  }

  #answered(answer: RecognizerAnswer): void {
    const job = this.#job;
    if (!("job" in answer) || job?.id !== answer.job) return;
    switch (answer.type) {
      case "progress":
        return job.progress.recognized(answer.seconds);
      case "passage":
        return job.onPassage?.(answer.passage);
      case "draft":
        return job.onDraft?.(answer.draft);
      case "window":
        return job.onWindow?.(answer.window);
      case "finished":
        return job.onFinished?.(answer.finished);
      case "done":
        return job.result.resolve(answer.recognition);
      case "handOver":
        return job.result.reject(new HandOver(answer.detection));
      case "failed":
        return job.result.reject(errorOf(answer.failure));
    }
  }

  #ended(child: RecognizerProcess, error: WhisperError): void {
    this.#job?.result.reject(error);
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#restarts += 1;
    // The next job finds a warm child; a child that could not even load is restarted only for a job.
    void child.loaded.then(
      () => {
        if (!this.#isClosed) this.#child ??= this.#start();
      },
      () => undefined,
    );
  }
}
