import { adminHelp, adminHelpCall, parseAdminArguments } from "./admin-arguments.ts";
import { AdminError } from "./admin-error.ts";
import type { CommandAccess, OperatorAccess } from "./command.ts";
import { reachStore } from "./reach-store.ts";

interface Streams extends Pick<CommandAccess, "stdin"> {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Runs one command line of the operator and returns its exit code: 0 done, 1 refused or failed, 2 wrong command line. `readAccess` may throw. */
export async function runAdmin(
  args: readonly string[],
  readAccess: () => OperatorAccess,
  { stdout, stderr, stdin }: Streams,
): Promise<number> {
  try {
    const request = parseAdminArguments(args);
    if (request.kind === "help") {
      stdout.write(`${adminHelp(request.command)}\n`);
      return 0;
    }
    const { command, input } = request;
    const access = { ...readAccess(), stdin, say: (message: string) => void stderr.write(`${message}\n`) };
    const { answer, text, failed } =
      command.kind === "store" ? await reachStore(command, input, access) : await command.carryOut(input, access);
    stdout.write(`${request.json ? JSON.stringify(answer, undefined, 2) : text}\n`);
    return failed ? 1 : 0;
  } catch (error) {
    const usage = error instanceof AdminError && error.kind === "usage";
    const isFull = error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(`error: ${isFull ? "The disk is full. Free some space, and run the command again." : message}\n`);
    if (usage) stderr.write(`See ${adminHelpCall(args)}\n`);
    return usage ? 2 : 1;
  }
}
