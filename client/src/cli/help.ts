import { type Command, commands, type Field } from "./command.ts";
import type { Page } from "./page.ts";
import { asyncFlag, batchFlags, commonFlags, fieldLabel } from "./parse-arguments.ts";
import { padEnd, textWidth, wrapText } from "./text.ts";

/** What the service's own program does; shown here because it is started from here. */
const serviceCommands: readonly (readonly [string, string])[] = [
  ["account create", "Make an account on this machine's service"],
  ["account list", "List its accounts"],
  ["account suspend", "Refuse an account's keys and sessions"],
  ["account unsuspend", "Let it work again"],
  ["key create", "Create an API key; it is shown once"],
  ["key list", "List the keys of an account"],
  ["key revoke", "Revoke a key immediately"],
  ["takedown add", "Remove a reel everywhere and keep it away"],
  ["takedown lift", "Let it be transcribed again"],
  ["page take-down", "Take a bio page offline"],
  ["page restore", "Put it back online"],
  ["audit list", "List who decided what, and why"],
  ["report import", "Make a competitor report of collected reels"],
  ["repair count", "Count old transcripts that can be transcribed again"],
  ["repair start", "Transcribe them again while the queue is empty"],
  ["repair status", "Show how far it is"],
  ["repair stop", "Stop it; repair start continues"],
  ["backup create", "Back up its embedded database"],
  ["backup restore", "Put a backup in its place while the service is stopped"],
  ["model list", "List its speech models, and which it uses"],
  ["model add", "Download a larger speech model"],
  ["model use", "Use a speech model, for all languages or for one"],
  ["model test", "Measure a speech model on this machine"],
  ["ytdlp install", "Install yt-dlp for it"],
  ["ytdlp update", "Replace that yt-dlp by a newer one"],
  ["ytdlp status", "Show which yt-dlp it uses"],
  ["platform check", "Ask for reels by each way alone, and show what came"],
];

export function helpOverview(page: Page): string {
  return [
    `${page.bold("reelscript")}: the speech of public short videos as text`,
    "",
    "Usage: reelscript <command> [options]",
    "",
    page.bold("Commands"),
    ...pairs(
      [
        ...commands.map(({ name, fields, operation }): [string, string] => [
          [name, ...fields.filter((field) => field.required).map(fieldLabel)].join(" "),
          operation.summary,
        ]),
        ["batch <file>", batchSummary],
      ],
      page,
    ),
    "",
    page.bold("On the machine of the service"),
    ...pairs(serviceCommands, page),
    "",
    ...commonHelp(page),
    "",
    page.bold("Exit codes"),
    ...pairs(
      [
        ["0", "Done"],
        ["1", "The service refused, could not be reached, or something failed"],
        ["2", "The command line is wrong"],
        ["130", "Interrupted"],
      ],
      page,
    ),
    "",
    "reelscript <command> --help shows the options of a command.",
  ].join("\n");
}

const batchSummary = "Transcribe a list of reels";

export function helpBatch(page: Page): string {
  const description =
    "Transcribes the reels of a file, one address on each line, one after another, and waits where the service asks to. Empty lines and lines that begin with # are left out; - reads standard input. Each result is one line of JSON. With --output, an interrupted batch continues when the same command runs again. A reel that fails doesn't stop the rest; a used-up quota does.";
  return [
    `${page.bold(batchSummary)}${page.dim(" (needs an API key)")}`,
    "",
    "Usage: reelscript batch <file> [options]",
    "",
    ...wrapText(description, textColumns(page)),
    "",
    page.bold("Options"),
    ...pairs(
      Object.entries(batchFlags).map(([name, flag]) => [
        `--${name}${flag.type === "string" ? " <text>" : ""}`,
        flag.description,
      ]),
      page,
    ),
    "",
    ...commonHelp(page),
    "",
    page.bold("Example"),
    "  reelscript batch reels.txt --output results.jsonl",
  ].join("\n");
}

export function helpCommand(command: Command, page: Page): string {
  const { operation, fields } = command;
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const section = (title: string, of: readonly Field[]) =>
    of.length === 0
      ? []
      : [
          page.bold(title),
          ...pairs(
            of.map((field) => [fieldUsage(field), fieldHelp(field)]),
            page,
          ),
          "",
        ];
  return [
    `${page.bold(operation.summary)}${operation.access === "key" ? page.dim(" (needs an API key)") : ""}`,
    "",
    `Usage: reelscript ${[command.name, ...required.map(fieldLabel), ...(optional.length > 0 ? ["[options]"] : [])].join(" ")}`,
    "",
    ...wrapText(operation.description, textColumns(page)),
    "",
    ...section("Arguments", required),
    ...section("Options", optional),
    ...(operation.http.respondAsync ? [...pairs([["--async", asyncFlag.description]], page), ""] : []),
    ...commonHelp(page),
    "",
    page.bold("Example"),
    `  ${exampleLine(command)}`,
  ].join("\n");
}

function exampleLine({ name, operation, fields }: Command): string {
  const example: Readonly<Record<string, unknown>> = operation.example;
  const words = fields.flatMap((field) => {
    const value = example[field.name];
    if (value === undefined) return [];
    const text = shellWord(typeof value === "string" ? value : JSON.stringify(value));
    return field.required ? [text] : [`--${field.flag}`, ...(field.kind === "boolean" ? [] : [text])];
  });
  return ["reelscript", name, ...words].join(" ");
}

const shellWord = (text: string): string => (/^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function fieldUsage(field: Field): string {
  if (field.required || field.kind === "boolean") return fieldLabel(field);
  const value = { string: "<text>", number: "<number>", json: "<json>" }[field.kind];
  return `--${field.flag} ${field.choices.length > 0 ? field.choices.join("|") : value}`;
}

const fieldHelp = (field: Field): string =>
  field.default === undefined ? field.description : `${field.description} (${field.default} unless given)`;

function commonHelp(page: Page): string[] {
  const rows = Object.entries(commonFlags).map(([name, flag]): [string, string] => [
    `${"short" in flag ? `-${flag.short}, ` : ""}--${name}${flag.type === "string" ? ` <${name}>` : ""}`,
    flag.description,
  ]);
  return [page.bold("Options of every command"), ...pairs(rows, page)];
}

const textColumns = (page: Page): number => Math.min(page.width, 100);

function pairs(rows: readonly (readonly [string, string])[], page: Page): string[] {
  const left = Math.min(34, Math.max(...rows.map(([name]) => textWidth(name))));
  return rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrapText(text, Math.max(30, textColumns(page) - left - 4));
    const lines = rest.map((line) => " ".repeat(left + 4) + line);
    return textWidth(name) > left
      ? [`  ${name}`, " ".repeat(left + 4) + first, ...lines]
      : [`  ${padEnd(name, left)}  ${first}`.trimEnd(), ...lines];
  });
}
