import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const directory = directoryOfTests();

/** Runs lint with this one rule; the code that it refuses. */
function refusedIn(lines: string): string[] {
  const config = path.join(directory, "lint.json");
  const file = path.join(directory, "values.ts");
  const source = `export async function keep(statement, on, id, reel, given) {\n${lines}\n}\n`;
  writeFileSync(file, source);
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [path.join(root, "scripts/lint/named-values.mjs")],
      plugins: [],
      categories: { correctness: "off" },
      rules: { "reelscript/named-values": "error" },
    }),
  );
  const lint = [path.join(root, "node_modules/oxlint/bin/oxlint"), "--config", config, "--format", "json", file];
  const { stdout } = spawnSync(process.execPath, lint, { encoding: "utf8" });
  const report = JSON.parse(stdout) as {
    readonly number_of_files: number;
    readonly diagnostics: {
      readonly labels: { readonly span: { readonly offset: number; readonly length: number } }[];
    }[];
  };
  expect(report.number_of_files).toBe(1);
  return report.diagnostics.map(({ labels: [label] }) =>
    source.slice(label!.span.offset, label!.span.offset + label!.span.length),
  );
}

test.each([
  ["run", "await statement.run(on, { id, ...reel });", "...reel"],
  ["row", "await statement.row(on, { ...reel, id });", "...reel"],
  ["rows", "const values = { ...reel }; await statement.rows(on, values);", "...reel"],
  ["onlyRow", "await statement.onlyRow(on, id ? { id } : { ...given });", "...given"],
  ["a list of arguments", "await statement.run(...given);", "...given"],
  ["Object.assign", "await statement.run(on, Object.assign({}, reel, { id }));", "Object.assign({}, reel, { id })"],
])("lint refuses a spread in the values of %s", (_, line, spread) => expect(refusedIn(line)).toEqual([spread]));

test("lint accepts values that are listed by name", () =>
  expect(
    refusedIn(`
      const values = { id, ids: [...given], reel: JSON.stringify({ ...reel }) };
      await statement.run(on, values);
      await statement.row(on, reel);
      return { ...reel, row: await statement.onlyRow(on, { id }) };`),
  ).toEqual([]));

test("the rule holds in all of the server except the engine", () => {
  interface Override {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }
  const { overrides } = JSON.parse(readFileSync(path.join(root, ".oxlintrc.json"), "utf8")) as {
    readonly overrides: readonly Override[];
  };
  const zones = overrides.filter(({ rules }) => "reelscript/named-values" in rules);
  expect(zones).toEqual([
    { files: ["server/src/**"], rules: { "reelscript/named-values": "error" } },
    { files: ["server/src/adapters/database/engine/statement.ts"], rules: { "reelscript/named-values": "off" } },
  ]);
});
