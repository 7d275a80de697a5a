import { readFileSync } from "node:fs";
import { type OperationName, restBasePath, ServiceError } from "@reelscript/contract";
import { ConnectionError, RefusedError, UnexpectedAnswer } from "../client-errors.ts";
import { createClient, type Output } from "../create-client.ts";
import type { Wait } from "../retry.ts";
import type { Command } from "./command.ts";
import { helpCommand, helpOverview } from "./help.ts";
import { createPage, type Page } from "./page.ts";
import { type CommonValues, findCommand, findCommandName, parseCommand, parseCommonFlags } from "./parse-arguments.ts";
import { present } from "./present.ts";
import { findServiceProgram, runServiceProgram, serviceCommandNames } from "./service-program.ts";
import { plainAnswer, plainText } from "./text.ts";
import { startTicker } from "./ticker.ts";
import { UsageError } from "./usage-error.ts";

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What a run of the command line has to do with the world. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Exit codes, as the help states them. */
const exit = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

const defaultUrl = "http://127.0.0.1:8787";

/** Runs one command line and returns its exit code. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { environment, stdout, stderr, signal } = surroundings;
  const page = createPage(stdout, environment);
  const errorPage = createPage(stderr, environment);
  const say = (text: string) => stderr.write(`${text}\n`);
  try {
    const name = findCommandName(args);
    if (name === undefined) {
      const { help, version } = parseCommonFlags(args);
      if (version) {
        stdout.write(`${programVersion()}\n`);
        return exit.done;
      }
      if (!help && args.length > 0) throw new UsageError("a command is missing");
      stdout.write(`${helpOverview(page)}\n`);
      return help ? exit.done : exit.usage;
    }
    if (serviceCommandNames.includes(name)) return await handOver(args, say);
    const command = findCommand(name === "help" ? (args[1] ?? "") : name);
    if (name === "help" && args[1] === undefined) {
      stdout.write(`${helpOverview(page)}\n`);
      return exit.done;
    }
    if (command === undefined) throw new UsageError(`unknown command "${name === "help" ? args[1] : name}"`);
    const { input, common } = name === "help" ? { input: {}, common: { help: true } } : parseCommand(command, args);
    if (common.help) {
      stdout.write(`${helpCommand(command, page)}\n`);
      return exit.done;
    }
    const answer = await callService(command, input, common, surroundings, errorPage);
    if (common.async && "status" in (answer as object) && !common.json)
      say(`Follow it with: reelscript transcription ${String((answer as { id: unknown }).id)}`);
    if (common.json) stdout.write(`${printableJson(answer)}\n`);
    else {
      const isAccepted = common.async === true && "status" in (answer as object);
      const { body, note } = presentAnswer(isAccepted ? "getTranscription" : command.operationName, answer, page);
      if (body !== "") stdout.write(`${body}\n`);
      if (note !== undefined) say(errorPage.dim(note));
    }
    return exit.done;
  } catch (error) {
    if (signal.aborted) {
      say(
        args.includes("transcribe")
          ? "Interrupted. The transcription continues. Run the same command again for the text; you aren't charged twice."
          : "Interrupted.",
      );
      return exit.interrupted;
    }
    if (args.includes("--json")) {
      say(printableJson({ error: errorFields(error) }));
      return error instanceof UsageError ? exit.usage : exit.failed;
    }
    say(`${errorPage.red("error:")} ${plainText(explain(error))}`);
    return error instanceof UsageError ? exit.usage : exit.failed;
  }
}

async function handOver(args: readonly string[], say: (text: string) => void): Promise<number> {
  const program = findServiceProgram();
  if (program !== undefined) return runServiceProgram(program, args);
  say(
    `Accounts, keys, reports, repairs, backups and models are managed on the machine of the service, where "reelscript ${args.join(" ")}" finds it installed.`,
  );
  return exit.failed;
}

async function callService(
  { operationName, operation, name }: Command,
  input: Readonly<Record<string, unknown>>,
  common: CommonValues,
  { environment, stderr, signal }: Surroundings,
  page: Page,
): Promise<unknown> {
  const apiKey = common.key ?? (environment["REELSCRIPT_API_KEY"] || undefined);
  if (operation.access === "key" && apiKey === undefined)
    throw new UsageError(
      `${name} needs an API key: set REELSCRIPT_API_KEY, or give --key. "reelscript key create --help" shows how to create one.`,
    );
  let stopTicker: () => void = () => undefined;
  const baseUrl = common.url ?? (environment["REELSCRIPT_URL"] || defaultUrl);
  const withPath = /^(.+?)\/api\/v1\/*$/.exec(baseUrl);
  if (withPath !== null)
    throw new UsageError(`The address is that of the service, without ${restBasePath}: use ${withPath[1]}`);
  const client = connect({
    baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    ...(common["no-wait"] && { retry: false as const }),
    onWait: (wait) => {
      stopTicker();
      stderr.write(`${page.yellow(explainWait(wait))}\n`);
      stopTicker = startTicker(stderr);
    },
  });
  // The command's input was checked against the operation's own schema.
  const call = client[operationName] as (
    input: unknown,
    options: { signal: AbortSignal; respondAsync: boolean },
  ) => Promise<unknown>;
  stopTicker = startTicker(stderr);
  try {
    return await call(input, { signal, respondAsync: common.async === true });
  } finally {
    stopTicker();
  }
}

function connect(options: Parameters<typeof createClient>[0]): ReturnType<typeof createClient> {
  try {
    return createClient(options);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

const presentAnswer = <Name extends OperationName>(name: Name, answer: unknown, page: Page) =>
  present(name, plainAnswer(answer) as Output<Name>, page); // The client checked the answer against the same operation.

/** JSON in which nothing can steer a terminal: `JSON.stringify` leaves DEL and the C1 controls as they are. */
function printableJson(answer: unknown): string {
  return JSON.stringify(answer, undefined, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function explainWait({ reason, seconds, attempt }: Wait): string {
  const because = {
    inProgress: "The reel is being transcribed",
    rateLimited: "Too many requests",
    unavailable: "The service is busy",
    network: "The connection failed",
  }[reason];
  return `${because}; trying again in ${seconds} s${attempt > 1 ? ` (wait ${attempt})` : ""}. Ctrl-C stops.`;
}

function explain(error: unknown): string {
  if (error instanceof UsageError) {
    const { message, command } = error;
    return `${message}\nSee reelscript ${command === undefined ? "" : `${command.name} `}--help`;
  }
  if (error instanceof ConnectionError)
    return error.reason === "timeout"
      ? error.message
      : `${error.message}\nIs the service running there? --url or REELSCRIPT_URL names another address.`;
  const request = error instanceof RefusedError || error instanceof UnexpectedAnswer ? error.requestId : undefined;
  const suffix = request === undefined ? "" : `\nRequest id: ${request}`;
  if (error instanceof UnexpectedAnswer)
    return `${error.message}\nThe address is that of the service, without ${restBasePath}.${suffix}`;
  if (error instanceof ServiceError) {
    const later = error.retryAfter === undefined ? "" : ` (try again in ${error.retryAfter} s)`;
    return `${error.message} [${error.code}]${later}${error.status >= 500 ? suffix : ""}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** An error for programs: its code, message and what else is known. */
function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof UsageError) return { code: "usage", message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConnectionError) return { code: error.reason, message };
  if (error instanceof UnexpectedAnswer) return { code: "unexpectedAnswer", message, requestId: error.requestId };
  if (!(error instanceof ServiceError)) return { code: "failed", message };
  const { code, reason, retryAfter } = error;
  return { code, message, reason, retryAfter, ...(error instanceof RefusedError && { requestId: error.requestId }) };
}

/** The package's own version: of the sources and of what is built alike. */
function programVersion(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
