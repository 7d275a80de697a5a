import type { ChildProcess } from "node:child_process";
import { gaveUp, WhisperError } from "../whisper-error.ts";
import { lowerPriority, watchMemory } from "./child-limits.ts";

interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SupervisedChild {
  /** The child's standard output. Throws `WhisperError` when a limit or the caller ended the child. */
  readonly output: AsyncGenerator<Uint8Array, void, undefined>;
  /** Known when the child has ended and everything it printed has been read. */
  readonly exit: Promise<ChildExit>;
  /** Kills the child if it still runs and waits for its end. */
  stop(): Promise<void>;
}

/** Kills the child when it keeps the reader waiting too long, holds too much memory, or the caller gives up. */
export function superviseChild(
  child: ChildProcess,
  signal: AbortSignal,
  limits: { readonly seconds: number; readonly memoryBytes: number },
): SupervisedChild {
  lowerPriority(child.pid);
  let failure: WhisperError | undefined;
  const end = (reason: WhisperError): void => {
    failure ??= reason;
    child.kill("SIGKILL");
  };
  const onAbort = (): void => {
    end(gaveUp());
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const stopWatching = watchMemory(child.pid, limits.memoryBytes, () => {
    end(new WhisperError("memory", `The decoder held more than ${limits.memoryBytes} bytes of memory.`));
  });
  const exit = new Promise<ChildExit>((resolve) => {
    child.once("error", (cause) => {
      failure ??= new WhisperError("crashed", "The decoder could not be started.", { cause });
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
    child.once("close", (code, endedBy) => {
      resolve({ code, signal: endedBy });
    });
  });
  void exit.then(() => {
    signal.removeEventListener("abort", onAbort);
    stopWatching();
  });

  let secondsLeft = limits.seconds;
  async function waitFor<Value>(promise: Promise<Value>): Promise<Value> {
    const since = performance.now();
    const timer = setTimeout(() => {
      end(new WhisperError("timeout", `The decoder took more than ${limits.seconds} seconds.`));
    }, secondsLeft * 1000);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      secondsLeft = Math.max(0, secondsLeft - (performance.now() - since) / 1000);
    }
  }

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (child.stdout === null) throw new TypeError("the child's standard output must be a pipe");
    const chunks = (child.stdout as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await waitFor(chunks.next().catch(() => ({ done: true as const, value: undefined })));
        if (failure !== undefined) throw failure;
        if (next.done === true) break;
        yield next.value;
      }
      await waitFor(exit);
      if (failure !== undefined) throw failure;
    } finally {
      await chunks.return?.();
    }
  }

  return {
    output: read(),
    exit,
    async stop() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}
