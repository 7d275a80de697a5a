import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { directoryOfTests } from "./harness/temporary-directory.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const directory = directoryOfTests();

type RuleName = "named-values" | "nouns" | "separate-statements" | "written-types";

/** The code that one rule refuses in each source, by the source's name. */
function refusedBy(rule: RuleName, sources: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(directory, "sources-"));
  const config = path.join(directory, "lint.json");
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [path.join(root, "scripts/lint/rules.mjs")],
      plugins: [],
      categories: { correctness: "off" },
      rules: { [`reelscript/${rule}`]: "error" },
    }),
  );
  for (const [name, source] of Object.entries(sources)) writeFileSync(path.join(folder, `${name}.ts`), source);
  const lint = [path.join(root, "node_modules/oxlint/bin/oxlint"), "--config", config, "--format", "json", folder];
  const { stdout } = spawnSync(process.execPath, lint, { encoding: "utf8" });
  const { number_of_files: files, diagnostics } = JSON.parse(stdout) as Report;
  expect(files).toBe(Object.keys(sources).length);
  const refused: Record<string, string[]> = Object.fromEntries(Object.keys(sources).map((name) => [name, []]));
  for (const { filename, labels } of diagnostics) {
    const name = path.basename(filename, ".ts");
    for (const { span } of labels) refused[name]!.push(sources[name]!.slice(span.offset, span.offset + span.length));
  }
  return refused;
}

interface Report {
  readonly number_of_files: number;
  readonly diagnostics: readonly {
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly offset: number; readonly length: number } }[];
  }[];
}

/** The code that a rule refuses in each case, with the lines around it, beside the code that the case names. */
function refusedAndExpected(
  rule: RuleName,
  around: (lines: string) => string,
  cases: Readonly<Record<string, readonly [lines: string, refused?: string]>>,
) {
  const all = Object.entries(cases);
  const sources = Object.fromEntries(all.map(([name, [lines]]) => [name, around(lines)]));
  const expected = Object.fromEntries(all.map(([name, [, refused]]) => [name, refused === undefined ? [] : [refused]]));
  return { refused: refusedBy(rule, sources), expected };
}

test("lint refuses spreads in the values of a statement", () => {
  const { refused, expected } = refusedAndExpected(
    "named-values",
    (lines) => `export async function keep(statement, on, id, reel, given) {\n${lines}\n}\n`,
    {
      run: ["await statement.run(on, { id, ...reel });", "...reel"],
      row: ["await statement.row(on, { ...reel, id });", "...reel"],
      rows: ["const values = { ...reel }; await statement.rows(on, values);", "...reel"],
      onlyRow: ["await statement.onlyRow(on, id ? { id } : { ...given });", "...given"],
      listOfArguments: ["await statement.run(...given);", "...given"],
      assign: ["await statement.run(on, Object.assign({}, reel, { id }));", "Object.assign({}, reel, { id })"],
      listedByName: [
        `const values = { id, ids: [...given], reel: JSON.stringify({ ...reel }) };
         await statement.run(on, values);
         await statement.row(on, reel);
         return { ...reel, row: await statement.onlyRow(on, { id }) };`,
      ],
    },
  );
  expect(refused).toEqual(expected);
});

test("the rules hold everywhere; only the engine may spread values", () => {
  interface Override {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }
  const { rules, overrides } = JSON.parse(readFileSync(path.join(root, ".oxlintrc.json"), "utf8")) as {
    readonly rules: Override["rules"];
    readonly overrides: readonly Override[];
  };
  const zones = overrides.filter(({ rules }) => "reelscript/named-values" in rules);
  expect(zones).toEqual([
    { files: ["server/src/**"], rules: { "reelscript/named-values": "error" } },
    { files: ["server/src/adapters/database/engine/statement.ts"], rules: { "reelscript/named-values": "off" } },
  ]);
  expect(rules).toMatchObject({
    "reelscript/nouns": "error",
    "reelscript/separate-statements": "error",
    "reelscript/written-types": "error",
    "import/no-cycle": ["error", { ignoreTypes: false }],
  });
  const everywhere = [
    "reelscript/nouns",
    "reelscript/separate-statements",
    "reelscript/written-types",
    "import/no-cycle",
  ];
  expect(overrides.filter((zone) => everywhere.some((rule) => rule in zone.rules))).toEqual([]);
});

test("lint refuses exported types that are read off our functions", () => {
  const { refused, expected } = refusedAndExpected(
    "written-types",
    (lines) => `
      import { open, Box } from "./open.ts";
      import { type Scripts } from "@reelscript/contract";
      import { ask } from "#server/ask.ts";
      import type { NodeFS } from "a-package";
      const maker = { make: () => open() };
      ${lines}`,
    {
      result: ["export type Queue = ReturnType<typeof open>;", "ReturnType<typeof open>"],
      parameters: ["export interface Needs { first: Parameters<typeof open>[0] }", "Parameters<typeof open>"],
      awaited: ["export type Page = Awaited<ReturnType<typeof ask>>;", "ReturnType<typeof ask>"],
      method: ['export type Search = Parameters<Scripts["search"]>[1];', 'Parameters<Scripts["search"]>'],
      methodOfObject: ["export type Made = ReturnType<typeof maker.make>;", "ReturnType<typeof maker.make>"],
      constructor_: ["export type Given = ConstructorParameters<typeof Box>;", "ConstructorParameters<typeof Box>"],
      parameterOfFunction: ["export function use(queue: ReturnType<typeof open>) {}", "ReturnType<typeof open>"],
      resultOfFunction: [
        "export const use = (): Promise<ReturnType<typeof open>> => open();",
        "ReturnType<typeof open>",
      ],
      constant: ["export const all: Record<string, ReturnType<typeof open>> = {};", "ReturnType<typeof open>"],
      throughAnother: [
        "type Made = ReturnType<typeof open>; export interface Needs { made: Made }",
        "ReturnType<typeof open>",
      ],
      listOfExports: ["type Queue = ReturnType<typeof open>; export type { Queue };", "ReturnType<typeof open>"],
      extended: ["export interface Needs extends Omit<Parameters<typeof open>[0], 'a'> {}", "Parameters<typeof open>"],
      ofTheRuntime: ["export type Timer = ReturnType<typeof setTimeout>;"],
      ofAPackage: ['export type Options = Parameters<NodeFS["init"]>[1];'],
      typeParameter: ["export type Found<Scripts> = Exclude<Awaited<Scripts>, undefined>;"],
      typeParameterOfFunction: [
        "export function all<Box extends unknown[]>(parts: Box): Awaited<Box[0]> { return parts[0]; }",
      ],
      unexported: [
        "type Made = ReturnType<typeof open>; export function use() { const made: Made = open(); return 1; }",
      ],
    },
  );
  expect(refused).toEqual(expected);
});

test("lint refuses names that are bare participles or adjectives", () => {
  const { refused, expected } = refusedAndExpected("nouns", (lines) => `${lines}\nexport {};\n`, {
    constant: ["const known = open();", "known"],
    variable: ["let told = 0;", "told"],
    parameter: ["export const ask = (asked: string) => open(asked.length);", "asked: string"],
    parameterOfMethod: ["export interface Port { ask(own: string): void }", "own: string"],
    parameterOfType: ["export type Listen = (waits: boolean) => void;", "waits: boolean"],
    property: ["export const read = ({ sent }: Row) => open(sent);", "sent"],
    alias: ["export const read = ({ id: made }: Row) => open(made);", "made"],
    item: ["const [kept, ...others] = list;", "kept"],
    loop: ["for (const perhaps of list) open(perhaps);", "perhaps"],
    caught: ["try { open(); } catch (known) { close(known); }", "known"],
    function_: ["export function made() {}", "made"],
    imported: ['import { known } from "./averages.ts";', "known"],
    class_: ["export class Sent {}", "Sent"],
    interface_: ["interface Asked { readonly id: string }", "Asked"],
    alias_: ["export type Told = string | number;", "Told"],
    typeParameter: ["export type Values<Own> = readonly Own[];", "Own"],
    longerNames: [
      "const knownHosts = open(); export const readSent = (sentBytes: number, ownAddress: Known) => sentBytes;",
    ],
    properties: [
      `
      export interface Row { readonly sent: string; readonly kept?: number }
      export const row = { sent: list.own, kept: open().known };`,
    ],
    renamed: ["export const read = ({ sent: sentBytes, 'own': ownHeads }: Row) => sentBytes + ownHeads;"],
    texts: ["export const text = `told ${open({ asked: 'known' })} made`;"],
  });
  expect(refused).toEqual(expected);
});

test("lint refuses lists that declare several variables in one statement", () => {
  const { refused, expected } = refusedAndExpected("separate-statements", (lines) => `${lines}\nexport {};\n`, {
    constants: ["const [width, height] = [270, 480];", "[width, height] = [270, 480]"],
    variables: ["let [left, right] = [0, 0];", "[left, right] = [0, 0]"],
    awaited: ["const [one, other] = [await open(), await open()];", "[one, other] = [await open(), await open()]"],
    defaults: ["const [start = 0, end = 0] = [row[0], row[1]];", "[start = 0, end = 0] = [row[0], row[1]]"],
    patterns: ["const [{ id }, [first]] = [row, rows];", "[{ id }, [first]] = [row, rows]"],
    typed: ["const [one, other]: [string[], string[]] = [[], []];", "[one, other]: [string[], string[]] = [[], []]"],
    rest: ["const [program, ...parameters] = [...before, file];"],
    spread: ["const [oldest] = [...pages.values()];"],
    swap: ["[letters[left], letters[right]] = [letters[right], letters[left]];"],
    concurrent: ["const [rows, total] = await Promise.all([list(), count()]);"],
    choice: ["const [noun, remedy] = isKey ? ['key', 'Create one.'] : ['program', 'Connect it.'];"],
  });
  expect(refused).toEqual(expected);
});
