import { adminHelp, adminHelpCall, parseAdminArguments } from "./admin-arguments.ts";
import { AdminError } from "./admin-error.ts";
import { isModelCommand, type ModelAccess, runModelCommand } from "./model-commands.ts";
import { modelText } from "./model-text.ts";
import { adminText } from "./admin-text.ts";
import { readCollection } from "./read-collection.ts";
import { reachStore, type StoreAccess } from "./reach-store.ts";
import { checkPlatform, isPlatformCommand, platformText } from "./platform-commands.ts";
import { hearFile, wordsText } from "./words-command.ts";
import { isYtDlpCommand, runYtDlpCommand, type YtDlpAccess, ytDlpText } from "./ytdlp-commands.ts";

interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly stdin: AsyncIterable<Uint8Array>;
}

/** Runs one command line of the operator and returns its exit code: 0 done, 1 refused or failed, 2 wrong command line. `readAccess` may throw. */
export async function runAdmin(
  args: readonly string[],
  readAccess: () => StoreAccess & Omit<ModelAccess & YtDlpAccess, "say">,
  { stdout, stderr, stdin }: Streams,
): Promise<number> {
  try {
    const request = parseAdminArguments(args);
    if (request.kind === "help") {
      stdout.write(`${adminHelp(request.syntax)}\n`);
      return 0;
    }
    const { command } = request.syntax;
    const say = (message: string): unknown => stderr.write(`${message}\n`);
    const access = readAccess();
    const print = (answer: unknown, text: () => string): unknown =>
      stdout.write(`${request.json ? JSON.stringify(answer, undefined, 2) : text()}\n`);
    if (isModelCommand(command)) {
      const answer = await runModelCommand(command, request.input, { ...access, say });
      print(answer, () => modelText(command, answer));
      return 0;
    }
    if (isYtDlpCommand(command)) {
      const answer = await runYtDlpCommand(command, request.input, { ...access, say });
      print(answer, () => ytDlpText(command, answer));
      return 0;
    }
    if (isPlatformCommand(command)) {
      const answer = await checkPlatform(request.input, { ...access, say });
      print(answer, () => platformText(answer));
      return answer.hasData ? 0 : 1;
    }
    if (command === "words") {
      const answer = await hearFile(request.input, access);
      print(answer, () => wordsText(answer));
      return answer.refusal === null ? 0 : 1;
    }
    const { file = "-", ...rest } = request.input;
    const input =
      command === "reportImport"
        ? { ...rest, collection: await readCollection(file, { ...access, stdin }) }
        : request.input;
    const answer = await reachStore(access, say)(command, input);
    print(answer, () => adminText(command, answer));
    return 0;
  } catch (error) {
    const usage = error instanceof AdminError && error.kind === "usage";
    const isFull = error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(`error: ${isFull ? "The disk is full. Free some space, and run the command again." : message}\n`);
    if (usage) stderr.write(`See ${adminHelpCall(args)}\n`);
    return usage ? 2 : 1;
  }
}
