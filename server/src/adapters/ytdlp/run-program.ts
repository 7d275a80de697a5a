import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { childProgram } from "@reelscript/whisper";

export interface ProgramRun {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The working directory; removed when this process dies before the program. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Limit of standard output; of standard error only the last part is kept. */
  readonly outputBytes: number;
  /** Called repeatedly while the program runs; a returned value ends it. */
  readonly watch?: (() => Promise<string | undefined>) | undefined;
}

/** How a program ended. */
export interface ProgramResult {
  /** `null` if a signal ended it. */
  readonly exitCode: number | null;
  /** Standard output. */
  readonly output: string;
  /** The last part of standard error. */
  readonly complaints: string;
  /** The reason why it was ended early; `undefined` if it ended normally. */
  readonly ended: string | undefined;
}

const complaintBytes = 16 * 1024;
const watchMilliseconds = 250;
/**
 * Waits for output that is on its way when the program has ended, because a process that it left behind may hold the pipe open.
 */
const lastOutputMilliseconds = 1_000;
const supervisor = childProgram("supervisor", import.meta.url);

/**
 * Runs a program without a shell, in its own process group, which ends with it and with this process, even if that is killed.
 * Throws if it cannot be started, or the reason of the signal.
 */
export async function runProgram(
  run: ProgramRun,
  signal: AbortSignal = new AbortController().signal,
): Promise<ProgramResult> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [supervisor, run.folder, run.program, ...run.arguments], {
    env: run.environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  /** Why it was ended early. */
  let ended: string | undefined;
  const end = (reason: string): void => {
    ended ??= reason;
    killGroup(child);
  };
  const onAbort = (): void => end("it was called off");
  const deadline = setTimeout(() => end(`it took longer than ${run.seconds} s`), run.seconds * 1_000);
  const watcher = setInterval(() => {
    void run.watch?.().then(
      (reason) => reason !== undefined && end(reason),
      () => undefined,
    );
  }, watchMilliseconds);
  signal.addEventListener("abort", onAbort);

  child.stdin.on("error", () => undefined);
  const output: Buffer[] = [];
  let outputBytes = 0;
  let complaints = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > run.outputBytes) end(`it printed more than ${run.outputBytes} bytes`);
    else output.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaints = Buffer.concat([complaints, chunk]).subarray(-complaintBytes);
  });

  try {
    const closed = once(child, "close");
    closed.catch(() => undefined);
    const [exitCode] = (await once(child, "exit")) as [number | null];
    killGroup(child);
    await Promise.race([closed, sleep(lastOutputMilliseconds, undefined, { ref: false })]);
    if (signal.aborted) throw signal.reason;
    if (exitCode === programIsMissing) throw new Error(`${run.program} cannot be started`);
    return { exitCode, output: Buffer.concat(output).toString("utf8"), complaints: complaints.toString("utf8"), ended };
  } finally {
    clearTimeout(deadline);
    clearInterval(watcher);
    signal.removeEventListener("abort", onAbort);
    killGroup(child);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}

/** The supervisor's exit code if its program cannot be started, as in shells. */
export const programIsMissing = 127;
