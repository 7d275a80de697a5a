import { restBasePath, wholeAddress } from "@reelscript/contract/values";
import { CallError } from "../call-error.ts";
import { createClient, type Client } from "../create-client.ts";
import type { OperationName, Transcription } from "../operation-types.ts";
import type { Command } from "./command.ts";
import { explainWait, UsageError } from "./explain-error.ts";
import { createPage, type Surroundings } from "./surroundings.ts";
import type { CommonValues } from "./parse-arguments.ts";
import { createProxiedFetch, findProxy } from "./proxy.ts";

const defaultUrl = "http://127.0.0.1:8787";

/** These take the address of a reel too. */
const operationsOfScripts: ReadonlySet<OperationName> = new Set([
  "getScript",
  "getScriptText",
  "getScriptSubtitles",
  "retranscribeScript",
  "translateScript",
]);

/**
 * Records what is being waited for, in case the user interrupts: a transcription, or batches by the command that follows them.
 */
export interface Following {
  id?: string;
  batches?: string;
}

/** Makes the call of a command, and optionally waits for the work that it started. */
export async function callService(
  { operationName, needsKey, name }: Pick<Command, "needsKey" | "name"> & { readonly operationName: OperationName },
  input: Readonly<Record<string, unknown>>,
  common: CommonValues,
  surroundings: Surroundings,
  following: Following,
): Promise<unknown> {
  const { client, ticker } = connect(name, needsKey, common, surroundings);
  const { signal } = surroundings;
  const onProgress = (transcription: Transcription): void => {
    following.id = transcription.id;
    ticker.show(transcription);
  };
  // The service checks the input.
  const methods = client as unknown as Readonly<
    Record<OperationName, (input: unknown, options: { signal: AbortSignal; respondAsync: boolean }) => Promise<unknown>>
  >;
  const isWaiting = !common.async && !common["no-wait"];
  ticker.start();
  try {
    const address = wholeAddress(String(input["id"]));
    if (operationsOfScripts.has(operationName) && /^https?:/i.test(address)) {
      const { scripts } = await client.searchMyScripts({ url: address }, { signal });
      if (scripts[0] === undefined)
        throw new CallError("notFound", `This reel isn't in your library. Run: reelscript transcribe ${address}`);
      input = { ...input, id: scripts[0].id };
    }
    if (isWaiting && operationName === "getTranscription") {
      following.id = String(input["id"]);
      return await client.followTranscription({ id: following.id }, { signal, onProgress });
    }
    if (isWaiting && operationName === "transcribeReel")
      return await client.transcribeAndFollow(input as { url: string }, { signal, onProgress });
    return await methods[operationName](input, { signal, respondAsync: common.async === true });
  } finally {
    ticker.stop();
  }
}

/** True if a call with `--async` was answered with started work. */
export const isAccepted = (common: CommonValues, answer: unknown): answer is { readonly id: string } =>
  common.async === true && "status" in (answer as object);

/** Creates a client from the flags and the environment, and a ticker that shows its waits. Throws `UsageError`. */
export function connect(
  commandName: string,
  needsKey: boolean,
  common: CommonValues,
  { environment, stderr }: Surroundings,
  explain = explainWait,
): { readonly client: Client; readonly ticker: Ticker } {
  const apiKey = common.key ?? (environment["REELSCRIPT_API_KEY"] || undefined);
  const baseUrl = common.url ?? (environment["REELSCRIPT_URL"] || defaultUrl);
  if (needsKey && apiKey === undefined)
    throw new UsageError(
      `${commandName} needs an API key. Create one in the dashboard, ${baseUrl.replace(/\/+$/, "")}/app, under API keys; then set REELSCRIPT_API_KEY, or use --key. On the server, "reelscript key create" also creates one.`,
    );
  const withPath = /^(.+?)\/api\/v1\/*$/.exec(baseUrl);
  if (withPath !== null) throw new UsageError(`Use the service's address without ${restBasePath}: ${withPath[1]}`);
  const page = createPage(stderr, environment);
  const ticker = createTicker(stderr);
  try {
    const proxy = URL.canParse(baseUrl) ? findProxy(new URL(baseUrl), environment) : undefined;
    const client = createClient({
      baseUrl,
      ...(proxy !== undefined && { fetch: createProxiedFetch(proxy) }),
      ...(apiKey !== undefined && { apiKey }),
      ...(common["no-wait"] && { retry: false as const }),
      onWait: (wait) => {
        ticker.stop();
        stderr.write(`${page.yellow(explain(wait))}\n`);
        ticker.start();
      },
    });
    return { client, ticker };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** A line on a terminal that shows that work is running. */
interface Ticker {
  start(): void;
  /** Shows the progress and what the work waits for, as soon as there is a line. */
  show(work: Pick<Transcription, "progress" | "waitingFor">): void;
  stop(): void;
}

const dependencies = { platform: "the platform", recognizer: "speech recognition", storage: "the storage" } as const;

/** Shows the elapsed seconds, from the second one on, if somebody watches. */
function createTicker(stream: Surroundings["stderr"]): Ticker {
  let seconds = 0;
  let share = 0;
  let activity = "Working";
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (stream.isTTY !== true || timer !== undefined) return;
      timer = setInterval(() => {
        seconds += 1;
        const percent = share > 0 ? `${Math.round(share * 100)} %, ` : "";
        stream.write(`\r\u001b[2K${activity}… ${percent}${seconds} s`);
      }, 1000);
    },
    show({ progress, waitingFor }) {
      share = progress;
      activity = waitingFor ? `Waiting for ${dependencies[waitingFor]}` : "Working";
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      if (seconds > 0) stream.write("\r\u001b[2K");
      seconds = 0;
    },
  };
}
