import { createRequire } from "node:module";
import type { OperationName, Output, Transcription } from "../operation-types.ts";
import { type BatchInput, runBatch } from "./batch.ts";
import { commands } from "./command.ts";
import { callService, type Following, isAccepted } from "./call-service.ts";
import { errorFields, explainError, UsageError } from "./explain-error.ts";
import { completionLines, completionScript } from "./completion.ts";
import { askForNearest } from "@reelscript/contract/values";
import { helpCommand, helpOverview } from "./help.ts";
import { createPage, type Page, exit, type Surroundings } from "./surroundings.ts";
import { makeVideo, type VideoInput } from "./make-video.ts";
import { findCommand, findCommandName, parseCommand, parseCommonFlags } from "./parse-arguments.ts";
import { present } from "./present.ts";
import { findServiceProgram, operatorCommands, runServiceProgram, serviceCommandNames } from "./service-program.ts";
import { plainAnswer, plainText } from "./text.ts";
import { type FilesInput, transcribeFiles } from "./transcribe-files.ts";

const allNames: readonly string[] = [...commands.map(({ name }) => name), ...serviceCommandNames, "help"];

/** Runs one command line and returns its exit code. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { environment, stderr, signal } = surroundings;
  const errorPage = createPage(stderr, environment);
  const say = (text: string) => stderr.write(`${text}\n`);
  const following: Following = {};
  try {
    return await run(args, surroundings, following, say);
  } catch (error) {
    if (signal.aborted) {
      say(interruption(args, following));
      return exit.interrupted;
    }
    if (args.includes("--json")) say(printableJson({ error: errorFields(error) }));
    else say(`${errorPage.red("error:")} ${plainText(explainError(error))}`);
    return error instanceof UsageError ? exit.usage : exit.failed;
  }
}

async function run(
  args: readonly string[],
  surroundings: Surroundings,
  following: Following,
  say: (text: string) => void,
): Promise<number> {
  const { environment, stdout, stderr } = surroundings;
  const page = createPage(stdout, environment);
  const show = (text: string) => stdout.write(`${text}\n`);
  const name = findCommandName(args);
  if (name === undefined) {
    const { help, version } = parseCommonFlags(args);
    if (version) {
      show(programVersion());
      return exit.done;
    }
    if (!help && args.length > 0) throw new UsageError("a command is missing");
    show(helpOverview(page, operatorCommands()));
    return help ? exit.done : exit.usage;
  }
  if (serviceCommandNames.includes(name)) return handOver(args, say);
  if (name === "completion" && args[1] === "words") {
    stdout.write(completionLines(args.slice(args.indexOf("--") + 1)));
    return exit.done;
  }
  const isHelp = name === "help";
  const commandWord = isHelp ? args[1] : name;
  if (commandWord === undefined) {
    show(helpOverview(page, operatorCommands()));
    return exit.done;
  }
  const command = findCommand(commandWord);
  if (command === undefined)
    throw new UsageError(`unknown command "${commandWord}"${askForNearest(commandWord, allNames)}`);
  const { input, common } = isHelp ? { input: {}, common: { help: true } } : parseCommand(command, args);
  if (common.help) {
    show(helpCommand(command, page));
    return exit.done;
  }
  const { name: commandName, operationName, needsKey } = command;
  if (operationName === undefined) {
    show(completionScript(String(input["shell"])));
    return exit.done;
  }
  if (commandName === "batch") return runBatch(input as unknown as BatchInput, common, surroundings, following);
  if (commandName === "make-video") return makeVideo(input as unknown as VideoInput, common, surroundings);
  if ("files" in input) return transcribeFiles(input as unknown as FilesInput, common, surroundings, following);
  const answer = await callService(
    { name: commandName, operationName, needsKey },
    input,
    common,
    surroundings,
    following,
  );
  const accepted = isAccepted(common, answer);
  if (accepted && !common.json) say(`Follow it with: reelscript transcription ${answer.id}`);
  if (common.json) show(printableJson(answer));
  else {
    const { body, note } = presentAnswer(accepted ? "getTranscription" : operationName, answer, page);
    if (body !== "") show(body);
    if (note !== undefined) say(createPage(stderr, environment).dim(note));
  }
  const hasFailed = operationName === "getTranscription" && (answer as Transcription).status === "failed";
  return hasFailed ? exit.failed : exit.done;
}

function interruption(args: readonly string[], { id, batches }: Following): string {
  if (batches !== undefined) return `Interrupted. The service continues. Follow it with: ${batches}`;
  if (id !== undefined)
    return `Interrupted. The transcription continues. Follow it with: reelscript transcription ${id}`;
  if (args.includes("transcribe"))
    return "Interrupted. The transcription continues. Run the same command again for the text; you aren't charged twice.";
  return "Interrupted.";
}

async function handOver(args: readonly string[], say: (text: string) => void): Promise<number> {
  const program = findServiceProgram();
  if (program !== undefined) return runServiceProgram(program, args);
  say(
    `Accounts, keys, takedowns, reports, retranscriptions, backups and models are managed on the machine of the service, where "reelscript ${args.join(" ")}" finds it installed.`,
  );
  return exit.failed;
}

const presentAnswer = <Name extends OperationName>(name: Name, answer: unknown, page: Page) =>
  present(name, plainAnswer(answer) as Output<Name>, page); // The client has already checked the answer against the same operation.

/** JSON in which nothing can steer a terminal: `JSON.stringify` leaves DEL and the C1 controls as they are. */
function printableJson(answer: unknown): string {
  return JSON.stringify(answer, undefined, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The package's own version; the path works from the sources, from the build and from the package. */
const programVersion = (): string =>
  (createRequire(import.meta.url)("@reelscript/client/package.json") as { readonly version: string }).version;
