import { operations, restBasePath, type OperationName } from "@reelscript/contract";
import { UnexpectedAnswer } from "../client-errors.ts";
import { createClient, type Client } from "../create-client.ts";
import type { Transcription } from "../operation-types.ts";
import type { Command } from "./command.ts";
import { explainWait } from "./explain-error.ts";
import { createPage } from "./page.ts";
import type { CommonValues } from "./parse-arguments.ts";
import type { Surroundings } from "./surroundings.ts";
import { createTicker, type Ticker } from "./ticker.ts";
import { UsageError } from "./usage-error.ts";

const defaultUrl = "http://127.0.0.1:8787";

/** What is being waited for, should the user interrupt. */
export interface Following {
  id?: string;
}

/** Makes the call of a command and waits for what it began, if it is to. The answer is as the contract promises. */
export async function callService(
  { operationName, operation, name }: Command,
  input: Readonly<Record<string, unknown>>,
  common: CommonValues,
  surroundings: Surroundings,
  following: Following,
): Promise<unknown> {
  const { client, ticker } = connect(name, operation.access === "key", common, surroundings);
  const { signal } = surroundings;
  const onProgress = ({ id, progress }: Transcription): void => {
    following.id = id;
    ticker.show(progress);
  };
  // The command's input was checked against the operation's own schema.
  const methods = client as unknown as Readonly<
    Record<OperationName, (input: unknown, options: { signal: AbortSignal; respondAsync: boolean }) => Promise<unknown>>
  >;
  const waits = !common.async && !common["no-wait"];
  ticker.start();
  try {
    if (waits && operationName === "getTranscription") {
      following.id = String(input["id"]);
      return checked(operationName, await client.followTranscription({ id: following.id }, { signal, onProgress }));
    }
    if (waits && operationName === "transcribeReel") {
      const answer = await client.transcribeAndFollow(input as { url: string }, { signal, onProgress });
      return checked(operationName, answer);
    }
    const answer = await methods[operationName](input, { signal, respondAsync: common.async === true });
    return checked(isAccepted(common, answer) ? "getTranscription" : operationName, answer);
  } finally {
    ticker.stop();
  }
}

/** Whether a call with `--async` was answered with work that has begun. */
export const isAccepted = (common: CommonValues, answer: unknown): answer is { readonly id: string } =>
  common.async === true && "status" in (answer as object);

/** A client as the flags and the environment say, and what shows that it waits. Throws `UsageError`. */
export function connect(
  commandName: string,
  needsKey: boolean,
  common: CommonValues,
  { environment, stderr }: Surroundings,
  explain = explainWait,
): { readonly client: Client; readonly ticker: Ticker } {
  const apiKey = common.key ?? (environment["REELSCRIPT_API_KEY"] || undefined);
  if (needsKey && apiKey === undefined)
    throw new UsageError(
      `${commandName} needs an API key: set REELSCRIPT_API_KEY, or give --key. "reelscript key create --help" shows how to create one.`,
    );
  const baseUrl = common.url ?? (environment["REELSCRIPT_URL"] || defaultUrl);
  const withPath = /^(.+?)\/api\/v1\/*$/.exec(baseUrl);
  if (withPath !== null)
    throw new UsageError(`The address is that of the service, without ${restBasePath}: use ${withPath[1]}`);
  const page = createPage(stderr, environment);
  const ticker = createTicker(stderr);
  try {
    const client = createClient({
      baseUrl,
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

function checked(name: OperationName, answer: unknown): unknown {
  const { data } = operations[name].output.safeParse(answer);
  if (data !== undefined) return data;
  const message =
    "The answer is not what the contract promises; are the command line and the service of the same version?";
  throw new UnexpectedAnswer(message, { status: 200 });
}
