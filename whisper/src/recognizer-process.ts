import { type ChildProcess, fork } from "node:child_process";
import { childProgram, lowerPriority, watchMemory } from "./media/child-limits.ts";
import { type Deferred, deferred } from "./media/deferred.ts";
import { readRecognizerAnswer } from "./read-recognizer-answer.ts";
import type { RecognizerAnswer, RecognizerFailure, RecognizerRequest } from "./recognizer-protocol.ts";
import { watchLife } from "./watch-life.ts";
import { WhisperError, type WhisperErrorCode } from "./whisper-error.ts";

export interface RecognizerProcessOptions {
  readonly load: Extract<RecognizerRequest, { type: "load" }>;
  readonly maxMemoryBytes: number;
  /** The program; the recognizer unless given. */
  readonly program?: string;
}

interface RecognizerProcessEvents {
  readonly onAnswer: (answer: RecognizerAnswer) => void;
  /** Called while the process takes processor time. */
  readonly onWork: () => void;
  /** Called when it says that the model has run again. */
  readonly onModelRun: () => void;
  /** Called once, when the process is gone. */
  readonly onEnd: (error: WhisperError) => void;
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
const longestErrorOutput = 2000;

/** A child process that loads the model. It is killed when it takes too much memory or time, or shows no sign of life. */
export class RecognizerProcess {
  readonly #process: ChildProcess;
  readonly #loaded: Deferred<void> = deferred();
  readonly #exited: Deferred<void> = deferred();
  /** Why we killed it; unset when it ended by itself. */
  #death: WhisperError | undefined;
  #errorOutput = "";
  #modelRuns = 0;

  constructor({ load, maxMemoryBytes, program }: RecognizerProcessOptions, events: RecognizerProcessEvents) {
    // Nothing of the parent's environment, settings or secrets, is the child's business.
    this.#process = fork(program ?? childProgram("recognizer-child", import.meta.url), {
      env: allocator,
      execArgv: ["--expose-gc"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child = this.#process;
    lowerPriority(child.pid);
    const stopWatching = watchMemory(child.pid, maxMemoryBytes, () => {
      this.kill("memory", `The recognizer held more than ${maxMemoryBytes} bytes of memory.`);
    });
    const life = watchLife(
      child.pid,
      () => this.kill("silent", "The recognizer's process showed no sign of life."),
      events.onWork,
    );
    const slowLoad = setTimeout(() => {
      this.kill("timeout", `The model was not loaded within ${loadSeconds} s.`);
    }, loadSeconds * 1000);
    void this.#loaded.promise.finally(() => clearTimeout(slowLoad)).catch(() => undefined);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-longestErrorOutput);
    });
    child.on("message", (message) => {
      life.sign();
      const answer = readRecognizerAnswer(message);
      if (!answer) return this.kill("crashed", "The recognizer's process said what no recognizer says.");
      this.#note(answer, events.onModelRun);
      events.onAnswer(answer);
    });
    child.once("error", (error) => {
      this.#errorOutput += error.message;
      if (child.pid === undefined) this.#end(events, null, null);
    });
    child.once("close", (code, signal) => {
      stopWatching();
      life.stop();
      this.#end(events, code, signal);
    });
    this.send(load).catch(() => undefined);
  }

  get id(): number | undefined {
    return this.#process.pid;
  }

  /** Resolves when the model is loaded. Rejects with a `WhisperError` when it isn't, or the process ends. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** Resolves when the process is gone. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /** Resolves when the child's end of the channel has taken the message. */
  async send(message: RecognizerRequest): Promise<void> {
    await new Promise<void>((resolve) => {
      // A child that is gone is reported by its end.
      if (!this.#process.connected) resolve();
      else this.#process.send(message, () => resolve());
    });
  }

  /** The first reason counts. */
  kill(code: WhisperErrorCode, message: string): void {
    this.#death ??= new WhisperError(code, message);
    this.#process.kill("SIGKILL");
  }

  #note(answer: RecognizerAnswer, onModelRun: () => void): void {
    if (answer.type === "loaded") this.#loaded.resolve();
    if (answer.type === "notLoaded") {
      this.#death = errorOf(answer.failure);
      this.#loaded.reject(this.#death);
      this.#process.kill("SIGKILL");
    }
    if (answer.type === "alive" && answer.modelRuns !== this.#modelRuns) {
      this.#modelRuns = answer.modelRuns;
      onModelRun();
    }
  }

  #end({ onEnd }: RecognizerProcessEvents, code: number | null, signal: NodeJS.Signals | null): void {
    const details = this.#errorOutput.trim();
    const error =
      this.#death ??
      new WhisperError(
        "crashed",
        `The recognizer's process ended (${signal ?? code ?? "not started"}). ${details}`.trim(),
      );
    this.#loaded.reject(error);
    this.#exited.resolve();
    onEnd(error);
  }
}

export function errorOf({ code, message, language, model }: RecognizerFailure): WhisperError {
  return new WhisperError(code, message, { ...(language && { language }), ...(model && { model }) });
}
