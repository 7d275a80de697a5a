import { setTimeout as pause } from "node:timers/promises";

/** Closers that take longer are left to the system. */
const closeMilliseconds = 4_500;

export interface Shutdown {
  /** Closed in reverse, one after another. */
  readonly closers: (() => Promise<void>)[];
  /** Called when others should take over; resolves early if there is nothing to wait for. */
  onDrain: (() => Promise<void>) | undefined;
}

/**
 * SIGTERM comes from a supervisor: calls are still answered while proxies learn to use other processes. Ctrl-C comes from a
 * person who doesn't want to wait, and so does a second signal.
 */
export function shutdownOnSignals(
  drainSeconds: number,
  end: { readonly exit: (code: number) => void; readonly complain: (error: unknown) => void },
): Shutdown {
  const shutdown: Shutdown = { closers: [], onDrain: undefined };
  const hurry = new AbortController();
  let begun = false;

  async function drain(): Promise<void> {
    if (drainSeconds === 0 || shutdown.onDrain === undefined) return;
    const over = pause(drainSeconds * 1_000, undefined, { signal: hurry.signal }).catch(() => undefined);
    await Promise.race([over, shutdown.onDrain()]);
  }

  async function close(): Promise<void> {
    setTimeout(() => end.exit(0), closeMilliseconds).unref();
    for (const closer of shutdown.closers.splice(0).toReversed()) await closer();
  }

  const stop = (signal: NodeJS.Signals): void => {
    if (begun || signal === "SIGINT") hurry.abort();
    if (begun) return;
    begun = true;
    void (async () => {
      if (!hurry.signal.aborted) await drain();
      await close();
      end.exit(0);
    })().catch((error: unknown) => {
      end.complain(error);
      end.exit(1);
    });
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return shutdown;
}
