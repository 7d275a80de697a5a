import { parseArgs, type ParseArgsConfig } from "node:util";
import { type Command, commands, type Field } from "./command.ts";
import { areFiles } from "./are-files.ts";
import { UsageError } from "./explain-error.ts";
import { askForNearest } from "@reelscript/contract/values";

type Flags = Readonly<
  Record<string, NonNullable<ParseArgsConfig["options"]>[string] & { readonly description: string }>
>;

/** Flags of every command. No flag of an operation's field may have one of these names. */
export const commonFlags = {
  json: { type: "boolean", description: "Print the answer as JSON" },
  "no-wait": {
    type: "boolean",
    description: "Fail immediately instead of waiting when the service asks to try again later",
  },
  key: { type: "string", description: "API key (or REELSCRIPT_API_KEY, which other users of the machine cannot see)" },
  url: { type: "string", description: "Address of the service (or REELSCRIPT_URL; http://127.0.0.1:8787 unless set)" },
  version: { type: "boolean", description: "Show the version of this program" },
  help: { type: "boolean", short: "h", description: "Show help, also for one command" },
} as const satisfies Flags;

/** Only commands whose work can be followed take this flag. */
export const asyncFlag = {
  type: "boolean",
  description: "Don't wait: print how to follow the work, and end",
} as const;

type AllFlags = typeof commonFlags & { readonly async: typeof asyncFlag };

/** Values of the common flags that were given. */
export type CommonValues = {
  readonly [Name in keyof AllFlags]?: AllFlags[Name]["type"] extends "boolean" ? boolean : string;
};

/** The command's name, at any position among the flags; throws `UsageError` if it is unknown. */
export function findCommandName(args: readonly string[]): string | undefined {
  return parseArgs({
    args: [...args],
    options: commonFlags,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
  }).positionals[0];
}

/** Flags that work without a command; throws `UsageError` for an unknown one. */
export function parseCommonFlags(args: readonly string[]): CommonValues {
  return parseStrictly(args, commonFlags, undefined).values;
}

/** The input of a command, as the operation takes it; throws `UsageError` naming the field. */
export function parseCommand(
  command: Command,
  args: readonly string[],
): { readonly input: Readonly<Record<string, unknown>>; readonly common: CommonValues } {
  const flags = command.fields.filter(({ required }) => !required);
  const { values, positionals } = parseStrictly(args, flagsOfCommand(command), command);
  const common: CommonValues = values;
  if (common.help) return { input: {}, common };

  const required = command.fields.filter((field) => field.required);
  const given = positionals.slice(1);
  const missing = required[given.length];
  if (missing !== undefined)
    throw new UsageError(
      missing.flag in common
        ? `<${missing.flag}> is missing: it has no dashes, and --${missing.flag} is the ${missing.flag} of the service`
        : `<${missing.flag}> is missing`,
      command,
    );
  const surplus = given[required.length];
  const isList = command.takesFiles === true && areFiles(given);
  if (surplus !== undefined && !isList) throw new UsageError(`unexpected argument "${surplus}"`, command);

  const input: Record<string, unknown> = {};
  if (isList) input["files"] = given;
  else required.forEach((field, index) => (input[field.name] = readValue(command, field, given[index])));
  for (const field of flags)
    if (values[field.flag] !== undefined) input[field.name] = readValue(command, field, values[field.flag]);
  return { input, common };
}

/** All flags that a command takes, by their names without dashes. */
export function flagsOfCommand({ fields, isFollowable }: Pick<Command, "fields" | "isFollowable">): Flags {
  const ownFlags = fields
    .filter(({ required }) => !required)
    .map(({ flag, kind, description }): [string, Flags[string]] => [
      flag,
      { type: kind === "boolean" ? "boolean" : "string", description },
    ]);
  return { ...commonFlags, ...(isFollowable && { async: asyncFlag }), ...Object.fromEntries(ownFlags) };
}

export const fieldLabel = (field: Field): string => (field.required ? `<${field.flag}>` : `--${field.flag}`);

export const findCommand = (name: string): Command | undefined => commands.find((command) => command.name === name);

function parseStrictly<Options extends Flags>(
  args: readonly string[],
  options: Options,
  command: Pick<Command, "name"> | undefined,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
      const message = error.message.split(/\. |\n/, 1)[0]!.replace(/\.$/, "");
      const unknown = /^Unknown option '--([^'=]+)/.exec(message)?.[1] ?? "";
      const flags = Object.keys(options).map((flag) => `--${flag}`);
      throw new UsageError(message + (unknown === "" ? "" : askForNearest(`--${unknown}`, flags)), command);
    }
    throw error;
  }
}

function readValue(command: Command, field: Field, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const { kind, choices, minimum = -Infinity, maximum = Infinity } = field;
  const wrong = (must: string, proposal = "") =>
    new UsageError(`${fieldLabel(field)} must be ${must}, not "${value}"${proposal}`, command);
  if (choices?.includes(value) === false) throw wrong(`one of ${choices.join(", ")}`, askForNearest(value, choices));
  if (kind === "string" || kind === "boolean") return value;
  if (kind === "json")
    try {
      return JSON.parse(value);
    } catch {
      throw wrong("JSON");
    }
  const number = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  const isRight = number >= minimum && number <= maximum && (kind === "number" || Number.isSafeInteger(number));
  if (!isRight) throw wrong(`a ${kind === "integer" ? "whole " : ""}number${boundsOf(minimum, maximum)}`);
  return number;
}

/** Bounds of whole numbers that a schema doesn't set are those of exact numbers. */
function boundsOf(minimum: number, maximum: number): string {
  const isOpen = maximum >= Number.MAX_SAFE_INTEGER;
  if (minimum <= Number.MIN_SAFE_INTEGER) return isOpen ? "" : ` of at most ${maximum}`;
  return isOpen ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}
