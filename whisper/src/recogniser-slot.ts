import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { DecodedMedia } from "./decoded-media.ts";
import { type Deferred, deferred } from "./media/deferred.ts";
import { watchMemory } from "./media/watch-memory.ts";
import { createProgressReport, type ProgressReport } from "./progress-report.ts";
import { SAMPLE_RATE } from "./recognition/audio-format.ts";
import type { RecogniserAnswer, RecogniserFailure, RecogniserRequest } from "./recogniser-protocol.ts";
import type { Recognition, RecogniseOptions } from "./transcriber.ts";
import { WhisperError, type WhisperErrorCode } from "./whisper-error.ts";

export interface SlotOptions {
  readonly load: Extract<RecogniserRequest, { type: "load" }>;
  readonly maxJobSeconds: number;
  readonly maxMemoryBytes: number;
}

interface Job {
  readonly id: number;
  readonly result: Deferred<Recognition>;
  readonly progress: ProgressReport;
}

interface Child {
  readonly process: ChildProcess;
  readonly loaded: Deferred<void>;
  readonly exited: Deferred<void>;
  /** Why we killed it; unset when it ended by itself. */
  death: WhisperError | undefined;
  errorOutput: string;
}

/** Children are plain JavaScript: Node 20 runs no TypeScript, so that a run from the sources uses what was built. */
const CHILD = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../dist/recogniser-child.js" : "recogniser-child.js", import.meta.url),
);
const LOAD_SECONDS = 120;
const ABORT_GRACE_MILLISECONDS = 2000;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;
const LONGEST_ERROR_OUTPUT = 2000;

/** One child process with the model loaded, and the one job it may have. The child is replaced when it ends. */
export class RecogniserSlot {
  readonly #options: SlotOptions;
  #child: Child | undefined;
  #job: Job | undefined;
  #lastJob = 0;
  #isClosed = false;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get processId(): number | undefined {
    return this.#child?.process.pid;
  }

  /** Resolves when the model is loaded; starts the child when there is none. Throws `WhisperError`. */
  async ready(): Promise<void> {
    if (this.#isClosed) throw new WhisperError("unavailable", "The recogniser is closed.");
    this.#child ??= this.#start();
    await this.#child.loaded.promise;
  }

  /** Resolves or rejects when the child is free again. */
  async recognise(media: DecodedMedia, options: RecogniseOptions): Promise<Recognition> {
    const { signal } = options;
    await this.ready();
    const child = this.#child;
    if (!child) throw new WhisperError("crashed", "The recogniser's process ended before the job began.");
    const job: Job = {
      id: ++this.#lastJob,
      result: deferred(),
      progress: createProgressReport(media, options.onProgress),
    };
    this.#job = job;
    let grace: NodeJS.Timeout | undefined;
    const giveUp = () => {
      this.#send(child, { type: "abort", job: job.id }).catch(() => {});
      grace ??= setTimeout(() => {
        this.#kill(child, "aborted", "The caller gave up and the recogniser did not stop by itself.");
      }, ABORT_GRACE_MILLISECONDS);
    };
    const overrun = setTimeout(
      () => {
        this.#kill(child, "timeout", `Recognition took more than ${this.#options.maxJobSeconds} s.`);
      },
      Math.min(this.#options.maxJobSeconds * 1000, LONGEST_TIMER_MILLISECONDS),
    );
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    const feeding = this.#feed(child, job, media, options.language).catch((error: unknown) => {
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
      clearTimeout(overrun);
      clearTimeout(grace);
      this.#job = undefined;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (!child) return;
    this.#kill(child, "aborted", "The recogniser was closed.");
    await child.exited.promise;
  }

  /** Sends the samples as fast as the child takes them; stops asking for more when the job has its result. */
  async #feed(child: Child, job: Job, media: DecodedMedia, language: string | undefined): Promise<void> {
    const settled = job.result.promise.then(
      () => undefined,
      () => undefined,
    );
    const chunks = media.samples[Symbol.asyncIterator]();
    let count = 0;
    await this.#send(child, { type: "begin", job: job.id, language });
    for (;;) {
      const next = await Promise.race([settled, chunks.next()]);
      if (next === undefined) {
        // Ends the decoder; nobody waits for it.
        void Promise.resolve(chunks.return?.()).catch(() => {});
        return;
      }
      if (next.done === true) break;
      count += next.value.length;
      await Promise.race([settled, this.#send(child, { type: "samples", job: job.id, samples: next.value })]);
    }
    job.progress.ended(count / SAMPLE_RATE);
    await this.#send(child, { type: "end", job: job.id });
  }

  #start(): Child {
    const { load, maxMemoryBytes } = this.#options;
    // Nothing of the parent's environment, settings or secrets, is the child's business.
    const process = fork(CHILD, {
      env: {},
      execArgv: ["--expose-gc"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child: Child = { process, loaded: deferred(), exited: deferred(), death: undefined, errorOutput: "" };
    const stopWatching = watchMemory(process.pid, maxMemoryBytes, () => {
      this.#kill(child, "memory", `The recogniser held more than ${maxMemoryBytes} bytes of memory.`);
    });
    const slowLoad = setTimeout(() => {
      this.#kill(child, "timeout", `The model was not loaded within ${LOAD_SECONDS} s.`);
    }, LOAD_SECONDS * 1000);
    void child.loaded.promise.finally(() => clearTimeout(slowLoad)).catch(() => {});
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      child.errorOutput = (child.errorOutput + text).slice(-LONGEST_ERROR_OUTPUT);
    });
    process.on("message", (message) => {
      this.#answered(child, message as RecogniserAnswer);
    });
    process.once("error", (error) => {
      child.errorOutput += error.message;
      if (process.pid === undefined) this.#ended(child, null, null);
    });
    process.once("close", (code, signal) => {
      stopWatching();
      this.#ended(child, code, signal);
    });
    this.#send(child, load).catch(() => {});
    return child;
  }

  #answered(child: Child, answer: RecogniserAnswer): void {
    switch (answer.type) {
      case "loaded":
        child.loaded.resolve();
        return;
      case "notLoaded":
        child.death = errorOf(answer.failure);
        child.loaded.reject(child.death);
        child.process.kill("SIGKILL");
        return;
      case "progress":
        if (this.#job?.id === answer.job) this.#job.progress.recognised(answer.seconds);
        return;
      case "done":
        if (this.#job?.id === answer.job) this.#job.result.resolve(answer.recognition);
        return;
      case "failed":
        if (this.#job?.id === answer.job) this.#job.result.reject(errorOf(answer.failure));
        return;
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
        `The recogniser's process ended (${signal ?? code ?? "not started"}). ${details}`.trim(),
      );
    const wasLoaded = child.loaded;
    child.loaded.reject(error);
    this.#job?.result.reject(error);
    child.exited.resolve();
    if (this.#child !== child) return;
    this.#child = undefined;
    // The next job finds a warm child; one that could not even load is tried again only when it is asked for.
    void wasLoaded.promise.then(
      () => {
        if (!this.#isClosed) this.#child ??= this.#start();
      },
      () => {},
    );
  }

  /** Resolves when the child's end of the channel has taken the message. */
  async #send(child: Child, message: RecogniserRequest): Promise<void> {
    await new Promise<void>((resolve) => {
      // A child that is gone is reported by its end.
      if (!child.process.connected) resolve();
      else child.process.send(message, () => resolve());
    });
  }
}

function errorOf({ code, message, language, model }: RecogniserFailure): WhisperError {
  return new WhisperError(code, message, { ...(language && { language }), ...(model && { model }) });
}
