import { type Command, commands, type Field } from "./command.ts";
import type { Page } from "./surroundings.ts";
import { asyncFlag, commonFlags, fieldLabel } from "./parse-arguments.ts";
import { serviceCommandNames } from "./service-program.ts";
import { padEnd, textWidth, wrapText } from "./text.ts";

/** `operatorCommands` are lines of the service's own program, where it is installed. */
export function helpOverview(page: Page, operatorCommands: readonly string[]): string {
  return [
    `${page.bold("reelscript")}: the speech of public short videos as text`,
    "",
    "Usage: reelscript <command> [options]",
    "",
    page.bold("Commands"),
    ...pairs(
      commands.map(({ name, fields, summary }): [string, string] => [
        [name, ...fields.filter((field) => field.required).map(fieldLabel)].join(" "),
        summary,
      ]),
      page,
    ),
    "",
    page.bold("On the machine of the service"),
    ...(operatorCommands.length > 0
      ? operatorCommands
      : [`  ${serviceCommandNames.join(", ")}: where the service is installed`]),
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

export function helpCommand(command: Command, page: Page): string {
  const { summary, description, needsKey, isFollowable, fields } = command;
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
    `${page.bold(summary)}${needsKey ? page.dim(" (needs an API key)") : ""}`,
    "",
    `Usage: reelscript ${[command.name, ...required.map(fieldLabel), ...(optional.length > 0 ? ["[options]"] : [])].join(" ")}`,
    "",
    ...(description === "" ? [] : [...wrapText(description, textColumns(page)), ""]),
    ...section("Arguments", required),
    ...section("Options", optional),
    ...(isFollowable ? [...pairs([["--async", asyncFlag.description]], page), ""] : []),
    ...commonHelp(page),
    "",
    page.bold("Example"),
    `  ${command.example}`,
  ].join("\n");
}

function fieldUsage(field: Field): string {
  if (field.required || field.kind === "boolean") return fieldLabel(field);
  const value = { string: "<text>", integer: "<number>", number: "<number>", json: "<json>" }[field.kind];
  return `--${field.flag} ${field.choices?.join("|") ?? value}`;
}

function fieldHelp({ description, default: usual, minimum = -Infinity, maximum = Infinity }: Field): string {
  const hints = [
    ...(maximum < Number.MAX_SAFE_INTEGER ? [`${minimum} to ${maximum}`] : []),
    ...(usual === undefined ? [] : [`${usual} unless given`]),
  ].join(", ");
  return hints === "" ? description : `${description} (${hints})`.trimStart();
}

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
