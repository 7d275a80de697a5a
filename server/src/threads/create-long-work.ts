import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { ServiceError, type ErrorCode, type ErrorReason, type InputProblem } from "@reelscript/contract";
import { childProgram } from "@reelscript/whisper";
import type { LongJobs, LongWork } from "../ports.ts";
import { createFairLine } from "../rules/fair-line.ts";
import { jobs, sizes } from "./jobs.ts";

/** An account uses at most one of them, so another account always gets the other. */
const threads = 2;
/** Each keeps its input in memory, up to some megabytes. */
const mostWaiting = 64;
const mostWaitingOfOwner = 16;
/** Some milliseconds on the main thread, which is less than a thread costs. */
const shortest = 16_000;

interface OpenedLongWork {
  readonly do: LongWork;
  close(): Promise<void>;
}

/** Runs long jobs in threads, and short ones in place. */
export function createLongWork(limits: JobLimits = {}): OpenedLongWork {
  const line = createFairLine({
    atATime: threads,
    perOwner: 1,
    waiting: mostWaiting,
    refusal: (reason) => refusal(reason === "owners"),
  });
  const all = Array.from({ length: threads }, () => createJobThread(limits));
  const free = [...all];

  function inThread<Name extends keyof LongJobs>(
    name: Name,
    given: LongJobs[Name]["given"],
    owner: string,
  ): Promise<LongJobs[Name]["result"]> {
    return line.run(
      owner,
      async () => {
        const thread = free.pop()!; // safe: there is one for each turn
        return await thread.do({ name, given }).finally(() => free.push(thread));
      },
      { mostWaiting: mostWaitingOfOwner },
    );
  }

  return {
    do: async (name, given, owner) =>
      sizes[name](given) <= shortest ? jobs[name](given) : await inThread(name, given, owner),
    async close() {
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}

const refusal = (isOwners: boolean): ServiceError =>
  isOwners
    ? new ServiceError("rateLimited", "Your other requests are still in progress. Try again in a moment.", {
        reason: "tooManyRequests",
        retryAfter: 5,
      })
    : new ServiceError("unavailable", "Too many long scripts and reports are in progress. Try again.", {
        retryAfter: 10,
      });

/** One job for a thread, which does one at a time. */
export interface JobOrder {
  readonly name: keyof LongJobs;
  readonly given: LongJobs[keyof LongJobs]["given"];
}

export type JobAnswer =
  | { readonly result: LongJobs[keyof LongJobs]["result"] }
  /** Refused because of the caller's input. */
  | {
      readonly refused: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly reason: ErrorReason | undefined;
        readonly status: number;
        readonly problems: readonly InputProblem[] | undefined;
      };
    }
  | { readonly failed: string };

export interface JobLimits {
  /** The program of the thread; by default the one for our jobs. */
  readonly program?: string;
  readonly longestSeconds?: number;
  readonly megabytes?: number;
}

/** The build bundles it where it can: a thread then reads its code in less than half the time. */
const bundledProgram = fileURLToPath(new URL("../../dist/bundles/job-thread.js", import.meta.url));
const ownProgram = existsSync(bundledProgram) ? bundledProgram : childProgram("job-thread", import.meta.url);

/** The longest job, a report of 5,000 reels with long captions, takes some 2.5 s on a busy machine. */
const usualSeconds = 20;
const usualMegabytes = 256;
const idleSeconds = 60;

/** A thread that does one job at a time. It is started on demand, stays for a while, and is replaced when it ends. */
interface JobThread {
  /** Throws the job's error, and an error if it takes too much time or memory. */
  do(order: JobOrder): Promise<LongJobs[keyof LongJobs]["result"]>;
  close(): Promise<unknown>;
}

function createJobThread({
  program = ownProgram,
  longestSeconds = usualSeconds,
  megabytes = usualMegabytes,
}: JobLimits = {}): JobThread {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(program, {
      // The thread gets neither the process's environment nor its options.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: megabytes / 8 },
    });
    started.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    // Waiting callers receive the error; a thread that ends while nobody waits is replaced.
    started.on("error", () => undefined);
    return started;
  }

  async function ask(order: JobOrder): Promise<JobAnswer> {
    clearTimeout(idle);
    const isNew = thread === undefined;
    const on = (thread ??= start());
    on.ref();
    try {
      return await answerOf(on, order, longestSeconds);
    } catch (error) {
      if (thread === on) thread = undefined;
      void on.terminate();
      // A thread that ended while idle says nothing about the job.
      if (error instanceof Overrun || isNew) throw error;
      return await ask(order);
    } finally {
      if (thread === on) {
        on.unref();
        idle = setTimeout(() => void on.terminate(), idleSeconds * 1_000).unref();
      }
    }
  }

  return {
    async do(order) {
      const answer = await ask(order);
      if ("result" in answer) return answer.result;
      if ("failed" in answer) throw new Error(answer.failed);
      const { code, message, reason, status, problems } = answer.refused;
      throw new ServiceError(code, message, {
        reason: reason as undefined, // safe: it came from an error of the same code
        status: status as 400, // as above
        problems,
      });
    },
    async close() {
      clearTimeout(idle);
      await thread?.terminate();
    },
  };
}

class Overrun extends Error {
  override readonly name = "Overrun";
}

/** Rejects if the thread ends first, with `Overrun` if the job is the reason. */
function answerOf(on: Worker, order: JobOrder, longestSeconds: number): Promise<JobAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      on.off("message", onMessage).off("messageerror", onEnd).off("error", onEnd).off("exit", onEnd);
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Overrun(`${order.name} took more than ${longestSeconds} s`));
    }, longestSeconds * 1_000);
    const onMessage = (answer: JobAnswer): void => {
      settle();
      resolve(answer);
    };
    const onEnd = (why: unknown): void => {
      settle();
      const isMemory = why instanceof Error && "code" in why && why.code === "ERR_WORKER_OUT_OF_MEMORY";
      const what = isMemory ? "took too much memory" : "was not done: its thread ended";
      reject(new (isMemory ? Overrun : Error)(`${order.name} ${what}`, { cause: why }));
    };
    on.on("message", onMessage).on("messageerror", onEnd).on("error", onEnd).on("exit", onEnd);
    on.postMessage(order);
  });
}
