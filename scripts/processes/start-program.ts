import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type OpenedStore, openStore } from "#server/adapters/database/open-store.ts";
import { createApiKey } from "#server/callers/authenticate.ts";
import { createNewId } from "#server/rules/new-id.ts";
import { root } from "../root.ts";

const elsewhere = new URL("use-standin-elsewhere.js", import.meta.url).href;
const mostPrinted = 200_000;
/** A busy machine is slow. */
const startSeconds = 180;
const raised = "1000000";

/** They end with this process, however it ends. */
const running = new Set<ChildProcess>();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Raised limits that affect neither measurements nor faults. */
export const raisedLimits = {
  RATE_LIMIT_DEFAULT: raised,
  RATE_LIMIT_TRANSCRIBE: raised,
  RATE_LIMIT_ADDRESS: raised,
  RATE_LIMIT_SESSION: raised,
  RATE_LIMIT_SIGN_IN: raised,
  RATE_LIMIT_PLATFORM: raised,
  RATE_LIMIT_MCP_MESSAGES: raised,
  RATE_LIMIT_FOLLOWING: raised,
  CALLS_WAITING: "100000",
};

/** Addresses of the pages and the media of a stand-in that runs in another process. */
export interface Origins {
  readonly page: string;
  readonly media: string;
}

export interface Program {
  readonly child: ChildProcess;
  readonly processId: number;
  /** Undefined for a process that only works on the queue. */
  readonly url: string | undefined;
  printed(): string;
  /** Resolves with its exit code, or with nothing if a signal ended it. */
  readonly ended: Promise<number | null>;
}

interface Given {
  readonly environment: Readonly<Record<string, string>>;
  /** Otherwise it starts a stand-in of its own. */
  readonly standin?: Origins;
  /** The service as it was built, unless given. */
  readonly file?: string;
  /** Modules that are loaded before it. */
  readonly preload?: readonly string[];
  /** A command line that the program is appended to. */
  readonly wrap?: readonly string[];
  /** In a session of its own, so that its children are known even when it is dead. */
  readonly detached?: boolean;
  /** True if it exchanges messages with its parent. */
  readonly talks?: boolean;
}

/** Starts the service and waits until it is ready for calls. If it ends before, throws its output. */
export async function startProgram({
  environment,
  standin,
  file = "server/dist/main.js",
  preload = [],
  wrap = [],
  detached = false,
  talks = false,
}: Given): Promise<Program> {
  const loaded = [...(standin ? [elsewhere] : []), ...preload].flatMap((one) => ["--import", one]);
  const [command, ...parameters] = [...wrap, process.execPath, ...loaded, file];
  const child = spawn(command, parameters, {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      STANDIN: "1",
      STANDIN_PORT: "0",
      ...(standin && { STANDIN_PAGES: standin.page, STANDIN_MEDIA: standin.media }),
      ...environment,
    },
    detached,
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", ...(talks ? ["ipc" as const] : [])],
  });
  running.add(child);
  const ended = once(child, "exit").then(([code]: unknown[]) => {
    running.delete(child);
    return code as number | null;
  });
  let printed = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => {
      if (printed.length < mostPrinted) printed += chunk.toString();
    });
  const until = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = performance.now() + startSeconds * 1_000; !(await isSo()); await pause(20)) {
      if (child.exitCode === null && child.signalCode === null && performance.now() < end) continue;
      child.kill("SIGKILL");
      throw new Error(`the program did not become ${what}: ${printed}`);
    }
  };
  await until("up", () => printed.includes("Ctrl-C stops."));
  const url = /REST\s+(\S+)\/api\/v1/.exec(printed)?.[1];
  if (url !== undefined) await until("ready", () => isReady({ url }));
  return { child, processId: child.pid!, url, printed: () => printed, ended };
}

export const isReady = ({ url }: { readonly url?: string | undefined }): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

export interface Caller {
  readonly accountId: string;
  readonly key: string;
}

/** The store of a service: that of a server at any time, the embedded one while no process has it. */
export async function withStore<Result>(
  place: { readonly dataDirectory: string } | { readonly databaseUrl: string },
  work: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ dataDirectory: "unused", ...place, newId: createNewId() });
  return await work(store).finally(() => store.close());
}

/** A key of a new account, or of an existing one, whose other keys are revoked. */
export async function createCaller(
  { accounts, keys }: Pick<OpenedStore, "accounts" | "keys">,
  { email = "bench@example.com", accountId }: { readonly email?: string; readonly accountId?: string } = {},
): Promise<Caller> {
  const now = new Date();
  const id = accountId ?? (await accounts.create({ email, plan: "creator", now })).id;
  if (accountId !== undefined) for (const old of await keys.list(id)) await keys.revoke(old.id, now);
  const { key, hash, lastFour } = createApiKey();
  await keys.create({ accountId: id, name: "bench", hash, lastFour, now });
  return { key, accountId: id };
}

export async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder, program);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
