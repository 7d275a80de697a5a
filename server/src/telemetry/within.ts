import { setTimeout as pause } from "node:timers/promises";

/** The value of a promise, or `late` if it takes longer. */
export async function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value | "late"> {
  const over = new AbortController();
  try {
    return await Promise.race([value, pause(milliseconds, "late" as const, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
