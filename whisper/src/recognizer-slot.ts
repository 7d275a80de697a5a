import { type ChildProcess, fork } from "node:child_process";
import type { DecodedMedia } from "./decoded-media.ts";
import { HandOver, type Recognition, type RecognizeOptions } from "./transcriber.ts";
import { type Deferred, deferred } from "./media/deferred.ts";
import { childProgram, watchMemory, lowerPriority } from "./media/child-limits.ts";
import { createProgressReport, type ProgressReport } from "./progress-report.ts";
import { sampleRate } from "./recognition/signal/audio-format.ts";
import { readRecognizerAnswer } from "./read-recognizer-answer.ts";
import type { RecognizerAnswer, RecognizerFailure, RecognizerRequest } from "./recognizer-protocol.ts";
import { watchLife } from "./watch-life.ts";
import { unavailable, WhisperError, type WhisperErrorCode } from "./whisper-error.ts";

export interface SlotOptions {
  readonly load: Extract<RecognizerRequest, { type: "load" }>;
  /** A job is killed when nothing of it is computed for so long. */
  readonly maxStillSeconds: number;
  readonly maxMemoryBytes: number;
  /** Without a job for so long, the child ends; the next job starts another. */
  readonly idleSeconds: number;
  /** The child's program; the recognizer unless given. */
  readonly program?: string;
}

interface Job extends Pick<RecognizeOptions, "onPassage" | "onDraft" | "onWindow" | "onFinished" | "onWork"> {
  readonly id: number;
  readonly result: Deferred<Recognition>;
  readonly progress: ProgressReport;
  /** Ends the child unless it is refreshed. */
  readonly still: NodeJS.Timeout;
}

interface Child {
  readonly process: ChildProcess;
  readonly loaded: Deferred<void>;
  readonly exited: Deferred<void>;
  /** Why we killed it; unset when it ended by itself. */
  death: WhisperError | undefined;
  errorOutput: string;
  modelRuns: number;
}

/**
 * glibc's allocator keeps what large tensors and the loading of a model leave behind, some hundred megabytes. With fixed
 * thresholds it gives them back at once. Each token reads most of the decoder's memory, which is faster in huge pages.
 */
const allocator = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_ARENA_MAX: "2",
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
};
const loadSeconds = 120;
/** A pass of the encoder, which nothing interrupts, takes seconds on a busy machine. */
const abortGraceMilliseconds = 10_000;
const longestErrorOutput = 2000;

/** One child process with the model loaded, and the one job it may have. The child is replaced when it ends. */
export class RecognizerSlot {
  readonly #options: SlotOptions;
  #child: Child | undefined;
  #job: Job | undefined;
  #lastJob = 0;
  #restarts = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get processId(): number | undefined {
    return this.#child?.process.pid;
  }

  /** How often the child ended when it shouldn't have. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves when the model is loaded; starts the child if none runs. Throws `WhisperError`. */
  async ready(): Promise<void> {
    if (this.#isClosed) throw unavailable("The recognizer is closed.");
    this.#child ??= this.#start();
    await this.#child.loaded.promise;
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
        this.#kill(child, "timeout", `Nothing of a recording was recognized for ${this.#options.maxStillSeconds} s.`);
      }, this.#options.maxStillSeconds * 1000),
    };
    this.#job = job;
    let grace: NodeJS.Timeout | undefined;
    const giveUp = () => {
      this.#send(child, { type: "abort", job: job.id }).catch(() => undefined);
      grace ??= setTimeout(() => {
        this.#kill(child, "aborted", "The caller gave up and the recognizer did not stop by itself.");
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
    this.#kill(child, "aborted", "The recognizer was closed.");
    await child.exited.promise;
  }

  /** A loaded model is kept at hand for a while, and not for a service that has nothing to do for hours. */
  #restWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const child = this.#child;
      if (!child || this.#job || this.#isClosed) return;
      this.#child = undefined;
      this.#kill(child, "aborted", "The recognizer had nothing to do.");
    }, this.#options.idleSeconds * 1000).unref();
  }

  /** Sends the samples as fast as the child takes them; stops asking for more when the job has its result. */
  async #feed(child: Child, job: Job, media: DecodedMedia, { language, resume }: RecognizeOptions): Promise<void> {
    const settled = job.result.promise.then(
      () => undefined,
      () => undefined,
    );
    const chunks = media.samples[Symbol.asyncIterator]();
    let count = 0;
    await this.#send(child, { type: "begin", job: job.id, language, resume });
    for (;;) {
      const next = await Promise.race([settled, chunks.next()]);
      if (next === undefined) {
        // Ends the decoder; nobody waits for it.
        void Promise.resolve(chunks.return?.()).catch(() => undefined);
        return;
      }
      if (next.done === true) break;
      count += next.value.length;
      // Whoever waits for the decoder isn't to blame: the decoder has a limit of its own.
      job.still.refresh();
      await Promise.race([settled, this.#send(child, { type: "samples", job: job.id, samples: next.value })]);
    }
    job.progress.ended(count / sampleRate);
    await this.#send(child, { type: "end", job: job.id });
  }

  #start(): Child {
    const { load, maxMemoryBytes } = this.#options;
    // Nothing of the parent's environment, settings or secrets, is the child's business.
    const process = fork(this.#options.program ?? childProgram("recognizer-child", import.meta.url), {
      env: allocator,
      execArgv: ["--expose-gc"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    lowerPriority(process.pid);
    const child: Child = {
      process,
      loaded: deferred(),
      exited: deferred(),
      death: undefined,
      errorOutput: "",
      modelRuns: 0,
    };
    const stopWatching = watchMemory(process.pid, maxMemoryBytes, () => {
      this.#kill(child, "memory", `The recognizer held more than ${maxMemoryBytes} bytes of memory.`);
    });
    const life = watchLife(
      process.pid,
      () => this.#kill(child, "silent", "The recognizer's process showed no sign of life."),
      () => {
        if (this.#child === child) this.#job?.onWork?.();
      },
    );
    const slowLoad = setTimeout(() => {
      this.#kill(child, "timeout", `The model was not loaded within ${loadSeconds} s.`);
    }, loadSeconds * 1000);
    void child.loaded.promise.finally(() => clearTimeout(slowLoad)).catch(() => undefined);
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      child.errorOutput = (child.errorOutput + text).slice(-longestErrorOutput);
    });
    process.on("message", (message) => {
      life.sign();
      const answer = readRecognizerAnswer(message);
      if (answer) this.#answered(child, answer);
      else this.#kill(child, "crashed", "The recognizer's process said what no recognizer says.");
    });
    process.once("error", (error) => {
      child.errorOutput += error.message;
      if (process.pid === undefined) this.#ended(child, null, null);
    });
    process.once("close", (code, signal) => {
      stopWatching();
      life.stop();
      this.#ended(child, code, signal);
    });
    this.#send(child, load).catch(() => undefined);
    return child;
  }

  #answered(child: Child, answer: RecognizerAnswer): void {
    if (answer.type === "loaded") child.loaded.resolve();
    if (answer.type === "notLoaded") {
      child.death = errorOf(answer.failure);
      child.loaded.reject(child.death);
      child.process.kill("SIGKILL");
    }
    const job = this.#job;
    if (answer.type === "alive" && answer.modelRuns !== child.modelRuns) {
      child.modelRuns = answer.modelRuns;
      job?.still.refresh();
      job?.onWork?.();
    }
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
        return job.result.reject(new HandOver(answer.heard));
      case "failed":
        return job.result.reject(errorOf(answer.failure));
    }
  }

  #kill(child: Child, code: WhisperErrorCode, message: string): void {
    child.death ??= new WhisperError(code, message);
    child.process.kill("SIGKILL");
  }

  #ended(child: Child, code: number | null, signal: NodeJS.Signals | null): void {
    const details = child.errorOutput.trim();
    const error =
      child.death ??
      new WhisperError(
        "crashed",
        `The recognizer's process ended (${signal ?? code ?? "not started"}). ${details}`.trim(),
      );
    child.loaded.reject(error);
    this.#job?.result.reject(error);
    child.exited.resolve();
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#restarts += 1;
    // The next job finds a warm child; a child that could not even load is restarted only for a job.
    void child.loaded.promise.then(
      () => {
        if (!this.#isClosed) this.#child ??= this.#start();
      },
      () => undefined,
    );
  }

  /** Resolves when the child's end of the channel has taken the message. */
  async #send(child: Child, message: RecognizerRequest): Promise<void> {
    await new Promise<void>((resolve) => {
      // A child that is gone is reported by its end.
      if (!child.process.connected) resolve();
      else child.process.send(message, () => resolve());
    });
  }
}

function errorOf({ code, message, language, model }: RecognizerFailure): WhisperError {
  return new WhisperError(code, message, { ...(language && { language }), ...(model && { model }) });
}
