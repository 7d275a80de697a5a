import { type ChildProcess, spawn } from "node:child_process";

export interface ProgramRun {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Of standard output; of standard error the last part is kept. */
  readonly outputBytes: number;
  /** Looked at again and again while the program runs; an answer ends it. */
  readonly watch?: (() => Promise<string | undefined>) | undefined;
}

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly complaints: string;
  /** Why it was ended before it was through. */
  readonly ended: string | undefined;
}

const complaintBytes = 16 * 1024;
const watchMilliseconds = 250;

/**
 * Runs a program without a shell, in a process group of its own that ends with it. Throws when it cannot be started, or the
 * reason of the signal.
 */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const child = spawn(run.program, run.arguments, {
    cwd: run.folder,
    env: run.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
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
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (signal.aborted) throw signal.reason;
    return { exitCode, output: Buffer.concat(output).toString("utf8"), complaints: complaints.toString("utf8"), ended };
  } finally {
    clearTimeout(deadline);
    clearInterval(watcher);
    signal.removeEventListener("abort", onAbort);
    killGroup(child);
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
