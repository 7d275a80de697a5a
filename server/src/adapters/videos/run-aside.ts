import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { videoLimits } from "@reelscript/contract";
import { commandLimiter, findExecutable, superviseChild, watchLife } from "@reelscript/whisper";
import { RenderError } from "../../ports/video-renderer.ts";

const run = promisify(execFile);

/** A machine that is busy with much else takes long to start any program. */
export const probeMilliseconds = 60_000;
/** A minute takes at most four seconds of processor time for each of its own; twice as many end it. */
const processorSecondsOf = (seconds: number): number => 60 + 8 * seconds;
/** It only gets what nobody else needs, so that it may take long. */
const secondsOf = (seconds: number): number => 600 + 30 * seconds;
const addressSpaceBytes = 4 * 1024 ** 3;

interface AsideRun {
  /** The folder in which the program starts. */
  readonly directory: string;
  /** Length of the media. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Uint8Array) => void;
  readonly onMessages: (printed: string) => void;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a program until it ends or exceeds a limit. Throws `RenderError` when it stood still, and `WhisperError`. */
export type RunAside = (parameters: readonly string[], run: AsideRun) => Promise<Exit>;

const wrappers = [
  ["chrt", "--idle", "0"],
  ["setpriv", "--pdeathsig", "KILL", "--"],
] as const;

const works = ([program = "", ...parameters]: readonly string[]): Promise<boolean> =>
  run(program, parameters, { env: {}, timeout: probeMilliseconds }).then(
    () => true,
    () => false,
  );

/** Runs a program that computes only while nobody else wants to, and that ends with the service. */
export async function createRunAside(
  program: string,
  { searchPath, memoryBytes }: { readonly searchPath: string; readonly memoryBytes: number },
): Promise<RunAside> {
  const before: string[] = [];
  for (const [name, ...options] of wrappers) {
    const wrapper = await findExecutable(name, searchPath);
    // Some systems have the program, and forbid what it does.
    if (wrapper !== undefined && (await works([wrapper, ...options, program, "-version"])))
      before.push(wrapper, ...options);
  }
  return async (parameters, { directory, seconds, signal, onOutput, onMessages }) => {
    const limit = await commandLimiter(searchPath, {
      cpuSeconds: processorSecondsOf(seconds),
      addressSpaceBytes,
      fileBytes: videoLimits.mostBytes,
    });
    const limited = limit([program, ...parameters]);
    const [first = "", ...rest] = [...before, limited.program, ...limited.parameters];
    const child = spawn(first, rest, { cwd: directory, env: {}, stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", onMessages);
    let isSilent = false;
    const life = watchLife(child.pid, () => {
      isSilent = true;
      child.kill("SIGKILL");
    });
    const supervised = superviseChild(child, signal, { seconds: secondsOf(seconds), memoryBytes });
    try {
      for await (const chunk of supervised.output) onOutput(chunk);
      const exit = await supervised.exit;
      if (isSilent) throw new RenderError("stoodStill", "ffmpeg stood still.");
      return exit;
    } finally {
      life.stop();
      await supervised.stop();
    }
  };
}
