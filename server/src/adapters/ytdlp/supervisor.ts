import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { programIsMissing } from "./run-program.ts";

/**
 * Runs a program and ends it when its service is gone, however that ended: standard input is a pipe from the service, which
 * breaks then. The folder is removed first, because it may contain cookies.
 */
const [folder, program, ...args] = process.argv.slice(2);
if (folder === undefined || program === undefined) process.exit(2);
process.chdir(folder);

const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
child.once("error", () => process.exit(programIsMissing));
child.once("exit", (code) => process.exit(code ?? 1));

const endAll = (): void => {
  child.kill("SIGKILL");
  try {
    rmSync(folder, { recursive: true, force: true });
  } finally {
    // This process leads the group, so killing the group leaves nobody.
    process.kill(0, "SIGKILL");
  }
};
process.stdin.once("end", endAll).once("error", endAll).resume();
