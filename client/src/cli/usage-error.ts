import type { Command } from "./command.ts";

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command whose help is worth reading, if one was recognized. */
  readonly command: Pick<Command, "name"> | undefined;

  constructor(message: string, command?: Pick<Command, "name">) {
    super(message);
    this.command = command;
  }
}
