import { checkCommand } from "./check-command.ts";
import { databaseCommands } from "./database-commands.ts";
import { modelCommands } from "./model-commands.ts";
import { platformCheck } from "./platform-command.ts";
import { storeCommands } from "./store-commands.ts";
import { words } from "./words-command.ts";
import { ytDlpCommands } from "./ytdlp-commands.ts";

/** The operator's commands, in the order of the help. */
export const commands = [
  checkCommand,
  ...storeCommands,
  ...databaseCommands,
  ...modelCommands,
  ...ytDlpCommands,
  platformCheck,
  words,
];

export type Command = (typeof commands)[number];
