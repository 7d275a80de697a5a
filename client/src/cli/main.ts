import { explainError } from "./explain-error.ts";
import { runCommandLine } from "./run-command-line.ts";
import { exit } from "./surroundings.ts";

const interruption = new AbortController();
// Only once, because a second Ctrl-C ends the process in any case. A program that was given the terminal receives the signal
// itself.
process.once("SIGINT", () => interruption.abort());
process.once("SIGTERM", () => interruption.abort());

// A reader such as `head` may leave before the end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`error: ${explainError(error)}\n`);
  process.exit(exit.failed);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  // oxlint-disable-next-line node/no-process-env -- the command line is the client's one program
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interruption.signal,
});
