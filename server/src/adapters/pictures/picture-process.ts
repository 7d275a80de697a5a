import { type ChildProcess, spawn } from "node:child_process";
import { ServiceError } from "@reelscript/contract";
import type { PictureJob, PictureOf } from "./picture-job.ts";
import { readPictureAnswer } from "./read-picture-answer.ts";
import { childProgram, commandLimiter, keepParent, lowerPriority, watchMemory } from "@reelscript/whisper";

const programFolders = "/usr/local/bin:/usr/bin:/bin";
const usualSeconds = 20;
const idleSeconds = 60;
/** The largest picture that is accepted takes two thirds of it. */
const mostMemoryBytes = 512 * 1024 ** 2;
/** The system's limit for the process, which may grow faster than our checks notice. */
const mostDataBytes = 1.25 * mostMemoryBytes;
/** Seconds of a processor, for a child that outlives its parent. */
const mostCpuSeconds = 3_600;

/** One process in which pictures are drawn, one at a time. It stays for a while, and is replaced when it ends. */
export function createPictureProcess(file = childProgram("picture-child", import.meta.url)) {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function start(): Promise<ChildProcess> {
    const limit = await commandLimiter(programFolders, { cpuSeconds: mostCpuSeconds, dataBytes: mostDataBytes });
    const { program, parameters } = limit([process.execPath, file]);
    const started = spawn(program, parameters, {
      // The child gets nothing from the parent's environment, settings or secrets.
      env: { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_MMAP_THRESHOLD_: "131072" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    lowerPriority(started.pid);
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    started.on("error", () => undefined);
    return started;
  }

  function rest(on: ChildProcess): void {
    keepParent(on, false);
    idle = setTimeout(() => on.kill("SIGKILL"), idleSeconds * 1_000).unref();
  }

  async function ask(job: PictureJob, longestSeconds: number): Promise<unknown> {
    clearTimeout(idle);
    const isNew = child === undefined;
    const on = (child ??= await start());
    keepParent(on, true);
    try {
      return await answerOf(on, job, longestSeconds);
    } catch (error) {
      if (child === on) child = undefined;
      // One that ended while it waited says nothing about the picture.
      if (error instanceof Overrun || isNew) throw error;
      return await ask(job, longestSeconds);
    } finally {
      if (child === on) rest(on);
    }
  }

  return {
    /** Throws `invalidRequest` if the picture is at fault, and an error for everything else. */
    async draw<Job extends PictureJob>(job: Job, longestSeconds = usualSeconds): Promise<PictureOf<Job>> {
      const answer = readPictureAnswer(job, await ask(job, longestSeconds));
      if (answer === undefined) {
        child?.kill("SIGKILL");
        child = undefined;
        throw new Error("the picture was not drawn: its process said what none says");
      }
      if ("drawn" in answer) return answer.drawn;
      if (answer.status === undefined) throw new Error(answer.failed);
      throw new ServiceError("invalidRequest", answer.failed, { status: answer.status });
    },
  };
}

class Overrun extends Error {
  override readonly name = "Overrun";
}

/** Kills the child if it takes too much time or memory. */
function answerOf(on: ChildProcess, job: PictureJob, longestSeconds: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let overrun: Overrun | undefined;
    const end = (reason: string): void => {
      overrun = new Overrun(`the picture was not drawn: it took ${reason}`);
      on.kill("SIGKILL");
    };
    const timer = setTimeout(() => end(`more than ${longestSeconds} s`), longestSeconds * 1_000);
    const stopWatching = watchMemory(on.pid, mostMemoryBytes, () => end("too much memory"));
    const settle = (): void => {
      clearTimeout(timer);
      stopWatching();
      on.off("message", onMessage).off("exit", onExit).off("error", onExit);
    };
    const onMessage = (answer: unknown): void => {
      settle();
      resolve(answer);
    };
    const onExit = (): void => {
      settle();
      reject(overrun ?? new Error("the picture was not drawn: its process ended"));
    };
    on.on("message", onMessage).on("exit", onExit).on("error", onExit);
    on.send(job, (error) => error && onExit());
  });
}
