import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Starts `file` (beside this one) as a process of its own and opens it with `settings`. What it answers to `open` is
 * `opened`; `call` asks for any other of its methods.
 */
export async function startChild(file, settings, { executableArguments = [] } = {}) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: executableArguments,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map();
  let last = 0;
  child.on("message", ({ id, value, failure }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) resolve(value);
    else reject(new Error(`${file}: ${failure}`));
  });
  const exited = once(child, "exit").then(([code, signal]) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended (${signal ?? code})`));
    waiting.clear();
  });
  const call = (method, argument) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.send({ id: last, method, argument });
    });
  const stop = async () => {
    if (child.connected) await call("close").catch(() => undefined);
    if (child.connected) child.disconnect();
    await exited;
  };
  try {
    return { processId: child.pid, opened: await call("open", settings), call, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The other end: answers the parent's calls by `methods`, which has `open` and `close`; ends with the parent. */
export function answerParent(methods) {
  process.on("message", ({ id, method, argument }) => {
    Promise.resolve()
      .then(() => methods[method](argument))
      .then(
        (value) => process.send({ id, value }),
        (error) => process.send({ id, failure: error instanceof Error ? error.stack : String(error) }),
      );
  });
  process.on("disconnect", () => process.exit());
  // A terminal's Ctrl-C reaches the whole group; the parent ends its children.
  process.on("SIGINT", () => undefined);
}
