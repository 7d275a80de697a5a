import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a process answers; `open` comes first, `close` last. */
interface Methods {
  open(settings: never): unknown;
  close(): unknown;
}
type Name<M> = Extract<keyof M, string>;
type Parameter<Method> = Method extends (...parameters: infer All) => unknown ? All : never;
type Answer<Method> = Method extends (...parameters: never) => infer Result ? Awaited<Result> : never;

export interface Child<M extends Methods> {
  readonly processId: number;
  /** What it answered to `open`. */
  readonly opened: Answer<M["open"]>;
  /** Asks for any other of its methods. */
  call<const Method extends Name<M>>(method: Method, ...parameters: Parameter<M[Method]>): Promise<Answer<M[Method]>>;
  stop(): Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: string;
}

/** Starts `file` (beside this one) as a process of its own and opens it with `settings`. */
export async function startChild<M extends Methods>(
  file: string,
  ...settings: Parameter<M["open"]>
): Promise<Child<M>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<number, Pick<PromiseWithResolvers<unknown>, "resolve" | "reject">>();
  let last = 0;
  child.on("message", (message) => {
    const { id, value, failure } = message as Reply;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) asked?.resolve(value);
    else asked?.reject(new Error(`${file}: ${failure}`));
  });
  const exited = once(child, "exit").then(([code, signal]) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended (${signal ?? code})`));
    waiting.clear();
  });
  const call = (method: string, argument?: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.send({ id: last, method, argument });
    });
  const stop = async (): Promise<void> => {
    if (child.connected) await call("close").catch(() => undefined);
    if (child.connected) child.disconnect();
    await exited;
  };
  try {
    const opened = await call("open", settings[0]);
    return { processId: child.pid!, opened, call, stop } as unknown as Child<M>;
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Started = <One extends { stop(): unknown }>(one: One | Promise<One>) => Promise<One>;

/** Runs `work` and afterward stops everything that it had started, the last first. */
export async function withStarted<Result>(work: (started: Started) => Promise<Result>): Promise<Result> {
  const all: { stop(): unknown }[] = [];
  try {
    return await work(async (promise) => {
      const one = await promise;
      all.push(one);
      return one;
    });
  } finally {
    for (const one of all.toReversed()) await one.stop();
  }
}

/** The other end: answers the parent's calls by `methods` and ends with the parent. */
export function answerParent(methods: Methods): void {
  const byName = methods as unknown as Record<string, (argument: unknown) => unknown>;
  process.on("message", (message) => {
    const { id, method, argument } = message as { id: number; method: string; argument: unknown };
    Promise.resolve()
      .then(() => byName[method]!(argument))
      .then(
        (value) => process.send!({ id, value }),
        (error: unknown) => process.send!({ id, failure: error instanceof Error ? error.stack : String(error) }),
      );
  });
  process.on("disconnect", () => process.exit());
  // A terminal's Ctrl-C reaches the whole group; the parent ends its children.
  process.on("SIGINT", () => undefined);
}
