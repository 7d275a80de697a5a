import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { type Command, commands, type Field } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** What stands on the command line, understood. */
export interface Invocation {
  readonly command: Command | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/** Flags of every command; a field of the same name would be unreachable, which a test excludes. */
export const commonFlags = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
  json: { type: "boolean" },
  server: { type: "string" },
  key: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;
