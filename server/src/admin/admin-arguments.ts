import { parseArgs, type ParseArgsConfig } from "node:util";
import { plans } from "@reelscript/contract";
import type { AdminCommandName } from "./admin-commands.ts";
import { AdminError } from "./admin-error.ts";
import type { ModelCommandName } from "./model-commands.ts";
import { type PlatformCommandName, platformSyntaxes } from "./platform-commands.ts";
import { type Flag, modelSyntaxes, moderationSyntaxes, type Syntax } from "./syntaxes.ts";
import { wordsSyntax } from "./words-command.ts";
import { type YtDlpCommandName, ytDlpSyntaxes } from "./ytdlp-commands.ts";

type CommandSyntax = Syntax<AdminCommandName | ModelCommandName | YtDlpCommandName | PlatformCommandName | "words">;

type Options = NonNullable<ParseArgsConfig["options"]>;

const account = { name: "account", value: "id", required: true, description: "The account's id" };

const revision = {
  name: "revision",
  value: "number",
  required: false,
  description: "Only transcripts of this recognizer revision (all old ones unless given)",
};

const syntaxes: readonly CommandSyntax[] = [
  {
    words: ["account", "create"],
    command: "accountCreate",
    summary: "Create an account; its id is alone on the last line",
    flags: [
      { name: "email", value: "address", required: true, description: "Email address of its owner" },
      {
        name: "plan",
        value: Object.keys(plans).join("|"),
        required: false,
        description: "Its plan (free unless given)",
      },
    ],
    example: "account create --email ada@example.org --plan hobby",
  },
  {
    words: ["account", "list"],
    command: "accountList",
    summary: "List the accounts",
    flags: [],
    example: "account list",
  },
  {
    words: ["key", "create"],
    command: "keyCreate",
    summary: "Create an API key; it is shown once, alone on the last line",
    flags: [
      account,
      { name: "name", value: "text", required: false, description: "What it is for (key unless given)" },
      { name: "read-only", required: false, description: "It can list, read and search, but change nothing" },
      {
        name: "expires",
        value: "day",
        required: false,
        description: "Day on which it stops working, in UTC (never unless given)",
      },
    ],
    example: "key create --account acc_… --name laptop --expires 2027-01-31",
  },
  {
    words: ["key", "list"],
    command: "keyList",
    summary: "List the keys of an account",
    flags: [account],
    example: "key list --account acc_…",
  },
  {
    words: ["key", "revoke"],
    command: "keyRevoke",
    summary: "Revoke a key immediately",
    operand: { name: "key", value: "key id", description: "The key's id, as key list shows it" },
    flags: [],
    example: "key revoke key_…",
  },
  {
    words: ["report", "import"],
    command: "reportImport",
    summary: "Create a competitor report from collected reels; its id is alone on the last line",
    operand: {
      name: "file",
      value: "file",
      description: "JSON file with the collected reels, or - for standard input",
    },
    flags: [account],
    example: "report import --account acc_… collected.json",
  },
  ...moderationSyntaxes,
  {
    words: ["retranscription", "count"],
    command: "retranscribeCount",
    summary: "Count the transcripts that retranscription start would transcribe again; nothing is changed",
    flags: [revision],
    example: "retranscription count",
  },
  {
    words: ["retranscription", "start"],
    command: "retranscribeStart",
    summary: "Transcribe old transcripts again while the queue is empty, or continue after retranscription stop",
    flags: [revision],
    example: "retranscription start --revision 1",
  },
  {
    words: ["retranscription", "status"],
    command: "retranscribeStatus",
    summary: "Show the progress of the last retranscription",
    flags: [],
    example: "retranscription status",
  },
  {
    words: ["retranscription", "stop"],
    command: "retranscribeStop",
    summary: "Stop after the reel in hand; retranscription start continues it",
    flags: [],
    example: "retranscription stop",
  },
  {
    words: ["backup", "create"],
    command: "backupCreate",
    summary: "Back up the embedded database; the file's path is alone on the last line",
    flags: [],
    example: "backup create",
  },
  {
    words: ["backup", "restore"],
    command: "backupRestore",
    summary: "Put a backup in the place of the embedded database, while the service is stopped; the old one is kept",
    operand: { name: "file", value: "file", description: "The backup, as backup create printed it" },
    flags: [],
    example: "backup restore data/backups/2026-11-20T10-00-00.000Z.tar.gz",
  },
  ...modelSyntaxes,
  ...ytDlpSyntaxes,
  ...platformSyntaxes,
  wordsSyntax,
];

export type AdminRequest =
  | { readonly kind: "help"; readonly syntax: CommandSyntax | undefined }
  | {
      readonly kind: "command";
      readonly syntax: CommandSyntax;
      readonly input: Readonly<Record<string, string>>;
      readonly json: boolean;
    };

/** Throws `AdminError` of kind `usage`. */
export function parseAdminArguments(args: readonly string[]): AdminRequest {
  const words = read(args, {}, false).positionals.filter((word) => word !== "help");
  const helpAsked = args.some((word) => word === "--help" || word === "-h" || word === "help");
  const syntax = syntaxes.find(({ words: own }) => own.every((word, index) => word === words[index]));
  if (helpAsked) return { kind: "help", syntax };
  if (syntax === undefined)
    throw new AdminError(
      "usage",
      words.length === 0 ? "a command is missing" : `unknown command "${words.slice(0, 2).join(" ")}"`,
    );

  const { values, positionals } = read(
    args,
    Object.fromEntries(
      syntax.flags.map(({ name, value }) => [
        name,
        { type: value === undefined ? ("boolean" as const) : ("string" as const) },
      ]),
    ),
    true,
  );
  const input: Record<string, string> = {};
  for (const { name, required } of syntax.flags) {
    const value = values[name];
    if (value !== undefined) input[name] = String(value);
    else if (required) throw new AdminError("usage", `--${name} is missing`);
  }
  const given = positionals.slice(syntax.words.length);
  const [operand, ...surplus] = syntax.operand?.repeated && given.length > 0 ? [given.join(" ")] : given;
  if (syntax.operand !== undefined)
    if (operand !== undefined) input[syntax.operand.name] = operand;
    else if (syntax.operand.required !== false) throw new AdminError("usage", `<${syntax.operand.value}> is missing`);

  const unexpected = syntax.operand === undefined ? operand : surplus[0];
  if (unexpected !== undefined) throw new AdminError("usage", `unexpected argument "${unexpected}"`);
  return { kind: "command", syntax, input, json: values["json"] === true };
}

function read(args: readonly string[], flags: Options, strict: boolean) {
  const options: Options = { ...flags, json: { type: "boolean" }, help: { type: "boolean", short: "h" } };
  try {
    return parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict,
    });
  } catch (error) {
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
      throw new AdminError("usage", error.message.split(/\. |\n/, 1)[0]!.replace(/\.$/, ""));
    throw error;
  }
}

/** The command line that shows help for whoever wrote `args`. */
export function adminHelpCall(args: readonly string[]): string {
  const known = syntaxes.find(({ words: [noun] }) => noun === args[0]) ?? syntaxes[0]!;
  return `reelscript ${known.words[0]} --help`;
}

export function adminHelp(syntax: CommandSyntax | undefined): string {
  return syntax === undefined ? helpOverview() : helpCommand(syntax);
}

function helpOverview(): string {
  return [
    `reelscript ${[...new Set(syntaxes.map(({ words: [noun] }) => noun))].join(", ")}: what the operator of the service on this machine may do`,
    "",
    "Usage: reelscript <command> [options]",
    "",
    "Commands",
    ...pairs(syntaxes.map(({ words, summary }) => [words.join(" "), summary])),
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

function helpCommand({ words, summary, operand, flags, example }: CommandSyntax): string {
  const usage = [
    ...words,
    ...(operand === undefined
      ? []
      : [operand.required === false ? `[<${operand.value}>${operand.repeated ? " …" : ""}]` : `<${operand.value}>`]),
    ...flags.map((flag) => (flag.required ? flagLabel(flag) : `[${flagLabel(flag)}]`)),
  ];
  const rows: [string, string][] = [
    ...(operand === undefined ? [] : [[`<${operand.value}>`, operand.description] as [string, string]]),
    ...flags.map((flag): [string, string] => [flagLabel(flag), flag.description]),
    ["--json", "Print the answer as JSON"],
  ];
  return [
    summary,
    "",
    `Usage: reelscript ${usage.join(" ")}`,
    "",
    "Options",
    ...pairs(rows),
    "",
    "Example",
    `  reelscript ${example}`,
  ].join("\n");
}

const flagLabel = ({ name, value }: Flag): string => `--${name}${value === undefined ? "" : ` <${value}>`}`;

function pairs(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}
