/** Loaded before the service: notes its statements and how long it holds its main thread, and answers the bench about both. */
import { openSync, readSync } from "node:fs";
import pg from "pg";

/** A statement in the form that `pg` takes. */
export interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}
type Query = (this: pg.Client, config: Partial<Statement> | string, ...others: unknown[]) => unknown;

let statements: Statement[] | undefined;
let isWatching = false;
let longest = 0;
let last = 0;

const methods = {
  noteStatements: () => void (statements = []),
  takeStatements(): Statement[] {
    const taken = statements ?? [];
    statements = undefined;
    return taken;
  },
  watchHolds() {
    isWatching = true;
    longest = 0;
    last = processorTime();
    setImmediate(turn);
  },
  /** The longest since `watchHolds`, in milliseconds. */
  longestHold() {
    isWatching = false;
    return longest;
  },
};
export type ProbeMethods = typeof methods;
export type ProbeMethod = keyof ProbeMethods;

// The service's own children have another environment.
if (process.env.BENCH_PROBE) {
  process.on("message", (method: ProbeMethod) => process.send!({ answer: methods[method]() }));
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function noted(config, ...others) {
    const { name, text = "", values = others[0] } = typeof config === "string" ? { text: config } : config;
    statements?.push({ name, text, values: Array.isArray(values) ? [...(values as unknown[])] : [] });
    return query.call(this, config, ...others);
  };
}

function turn(): void {
  const now = processorTime();
  longest = Math.max(longest, now - last);
  last = now;
  if (isWatching) setImmediate(turn);
}

/**
 * Milliseconds of the main thread, so that what other programs take of the machine makes no hold; elsewhere than on Linux those
 * of the clock on the wall.
 */
function processorTime(): number {
  if (process.platform !== "linux") return performance.now();
  times ??= { file: openSync(`/proc/self/task/${process.pid}/schedstat`, "r"), buffer: Buffer.alloc(64) };
  const length = readSync(times.file, times.buffer, 0, times.buffer.length, 0);
  return Number(times.buffer.toString("latin1", 0, length).split(" ", 1)[0]) / 1e6;
}
let times: { readonly file: number; readonly buffer: Buffer } | undefined;
