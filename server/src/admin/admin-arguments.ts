import { parseArgs, type ParseArgsConfig } from "node:util";
import { AdminError } from "./admin-error.ts";
import type { Field } from "./command.ts";
import { commands, type Command } from "./commands.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

export type AdminRequest =
  | { readonly kind: "help"; readonly command: Command | undefined }
  | {
      readonly kind: "command";
      readonly command: Command;
      readonly input: Record<string, unknown>;
      readonly json: boolean;
    };

const isOptional = ({ type }: Field): boolean => type.safeParse(undefined).success;

/** The fields of a command that have a flag. */
const flagsOf = ({ fields, operand }: Command): [string, Field][] =>
  Object.entries(fields).filter(([name]) => name !== operand);

/** Throws `AdminError` of kind `usage`. */
export function parseAdminArguments(args: readonly string[]): AdminRequest {
  const words = read(args, {}, false).positionals.filter((word) => word !== "help");
  const helpAsked = args.some((word) => word === "--help" || word === "-h" || word === "help");
  const command = commands.find((one) => one.words.split(" ").every((word, index) => word === words[index]));
  if (helpAsked) return { kind: "help", command };
  if (command === undefined)
    throw new AdminError(
      "usage",
      words.length === 0 ? "a command is missing" : `unknown command "${words.slice(0, 2).join(" ")}"`,
    );

  const flags = flagsOf(command);
  const { values, positionals } = read(
    args,
    Object.fromEntries(flags.map(([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" }])),
    true,
  );
  const input: Record<string, unknown> = {};
  for (const [name, flag] of flags) {
    const value = values[name];
    if (value !== undefined) input[name] = String(value);
    else if (!isOptional(flag)) throw new AdminError("usage", `--${name} is missing`);
  }
  const given = positionals.slice(command.words.split(" ").length);
  const { operand } = command;
  if (operand !== undefined) {
    const { value, type } = command.fields[operand]!;
    const operandText = command.isRepeated ? given.splice(0).join(" ") || undefined : given.shift();
    if (operandText !== undefined) input[operand] = operandText;
    else if (!type.safeParse(undefined).success) throw new AdminError("usage", `<${value}> is missing`);
  }
  if (given.length > 0) throw new AdminError("usage", `unexpected argument "${given[0]}"`);
  return { kind: "command", command, input, json: values["json"] === true };
}

function read(args: readonly string[], flags: Options, strict: boolean) {
  const options: Options = { ...flags, json: { type: "boolean" }, help: { type: "boolean", short: "h" } };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict });
  } catch (error) {
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
      throw new AdminError("usage", error.message.split(/\. |\n/, 1)[0]!.replace(/\.$/, ""));
    throw error;
  }
}

const nouns = [...new Set(commands.map(({ words }) => words.split(" ")[0]!))];

/** The command that shows help on the command in `args`. */
export const adminHelpCall = (args: readonly string[]): string =>
  `reelscript ${nouns.find((noun) => noun === args[0]) ?? nouns[0]} --help`;

export const adminHelp = (command: Command | undefined): string =>
  command === undefined ? helpOverview() : helpCommand(command);

function helpOverview(): string {
  return [
    `reelscript ${nouns.join(", ")}: what the operator of the service on this machine may do`,
    "",
    "Usage: reelscript <command> [options]",
    "",
    "Commands",
    ...pairs(commands.map(({ words, summary }) => [words, summary])),
    "",
    "Options of every command",
    ...pairs([
      ["--json", "Print the answer as JSON"],
      ["-h, --help", "Show help, also for one command"],
    ]),
    "",
    "Settings",
    ...pairs([
      ["DATA_DIR", "Where the service keeps its data (./data unless set)"],
      ["DATABASE_URL", "The PostgreSQL server that the service uses instead, if it does"],
      ["MODEL_HUB_URL", "Where models are downloaded from (the public model hub unless set)"],
    ]),
    "",
    "Exit codes: 0 done, 1 refused or failed, 2 the command line is wrong.",
  ].join("\n");
}

function helpCommand(command: Command): string {
  const { words, summary, fields, operand, isRepeated, example, notes = [] } = command;
  const operandField = operand === undefined ? undefined : fields[operand];
  const flags = flagsOf(command).map(([name, flag]) => ({
    label: `--${name}${flag.value === undefined ? "" : ` <${flag.value}>`}`,
    flag,
  }));
  const usage = [
    words,
    ...(operandField === undefined
      ? []
      : [isOptional(operandField) ? `[<${operandField.value}>${isRepeated ? " …" : ""}]` : `<${operandField.value}>`]),
    ...flags.map(({ label, flag }) => (isOptional(flag) ? `[${label}]` : label)),
  ];
  return [
    summary,
    "",
    `Usage: reelscript ${usage.join(" ")}`,
    "",
    "Options",
    ...pairs([
      ...(operandField === undefined ? [] : [[`<${operandField.value}>`, operandField.description] as const]),
      ...flags.map(({ label, flag }) => [label, flag.description] as const),
      ["--json", "Print the answer as JSON"],
    ]),
    "",
    "Example",
    `  reelscript ${example}`,
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
}

function pairs(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}
