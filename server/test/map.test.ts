import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const server = fileURLToPath(new URL("../", import.meta.url));
const foldersOf = (place: string): string[] =>
  readdirSync(path.join(server, place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const folders = foldersOf("src");

interface Pattern {
  readonly regex: string;
  readonly allowTypeImports?: boolean;
}
interface Override {
  readonly files: readonly string[];
  readonly rules: { readonly "no-restricted-imports"?: readonly [string, { readonly patterns: readonly Pattern[] }] };
}
const lint = JSON.parse(readFileSync(path.join(server, "../.oxlintrc.json"), "utf8")) as { overrides: Override[] };

const inGlob = (file: string, glob: string): boolean =>
  new RegExp(
    `^${glob.replaceAll(/[*]{1,2}|[{},.]/g, (mark) => ({ "**": ".*", "*": "[^/]*", "{": "(", "}": ")", ",": "|", ".": "\\." })[mark]!)}$`,
  ).test(file);

/** Says if lint allows an import in a file, only for types, or not at all. The last zone with the file decides. */
function verdictOn(file: string, imported: string): "yes" | "types" | "no" {
  const zone = lint.overrides.findLast(
    ({ files, rules }) => rules["no-restricted-imports"] && files.some((glob) => inGlob(file, glob)),
  );
  const hits = (zone?.rules["no-restricted-imports"]?.[1].patterns ?? []).filter(({ regex }) =>
    new RegExp(regex).test(imported),
  );
  if (hits.length === 0) return "yes";
  return hits.every(({ allowTypeImports }) => allowTypeImports) ? "types" : "no";
}

/** The rows of the map of `server/src/`: folders, and what the map lets them import. */
const rows = Array.from(
  readFileSync(path.join(server, "AGENTS.md"), "utf8").matchAll(/^\| (`[^|]+\/`) +\|[^|]+\| ([^|]+?) +\|$/gm),
  ([, places, may]) => ({ names: Array.from(places!.matchAll(/`([\w-]+)\/`/g), ([, name]) => name!), may: may! }),
);

function mapped(may: string, folder: string): "yes" | "types" | "no" {
  const terms = may.split(", ");
  if (terms.includes("everything") || terms.includes(folder)) return "yes";
  return terms.includes(`types of ${folder}`) ? "types" : "no";
}

describe("the map of the server", () => {
  test("has every folder, and no other", () =>
    expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(folders.toSorted()));

  test.each(rows.flatMap(({ names, may }) => names.map((name) => ({ name, may }))))(
    "says of $name what lint checks",
    ({ name, may }) => {
      const others = folders.filter((folder) => folder !== name && folder !== "ports" && folder !== "markup");
      const says = (judge: (folder: string) => string): string[] =>
        others.map((folder) => `${folder}: ${judge(folder)}`);
      const places = name === "features" ? ["", "noun/"] : [""];
      for (const place of places)
        expect(
          says((folder) => verdictOn(`server/src/${name}/${place}file.ts`, `${place && "../"}../${folder}/file.ts`)),
        ).toEqual(says((folder) => mapped(may, folder)));
    },
  );
});

describe("zones inside folders", () => {
  test("a feature imports no other", () => {
    const nouns = [
      ...foldersOf("src/features").map((noun) => `${noun}/file.ts`),
      ...readdirSync(path.join(server, "src/features")).filter((name) => name.endsWith(".ts")),
    ];
    const features = "server/src/features";
    const allowed = nouns.filter(
      (noun) =>
        verdictOn(`${features}/a/file.ts`, `../${noun}`) !== "no" ||
        verdictOn(`${features}/a/b/file.ts`, `../../${noun}`) !== "no" ||
        verdictOn(`${features}/file.ts`, `./${noun}`) !== "no",
    );
    expect(allowed).toEqual([]);
  });

  test("the engine of the database knows no noun, but its own backups", () => {
    const nouns = foldersOf("src/adapters/database").filter((name) => name !== "engine");
    const engine = "server/src/adapters/database/engine";
    const allowed = nouns.filter((noun) => verdictOn(`${engine}/file.ts`, `../${noun}/file.ts`) !== "no");
    expect(allowed).toEqual(["backups"]);
  });

  test("folders of the database import one another in one direction, but for two pairs", () => {
    const database = new URL("../src/adapters/database/", import.meta.url);
    const imports = new Set<string>();
    for (const folder of foldersOf("src/adapters/database"))
      for (const file of readdirSync(new URL(`${folder}/`, database), { recursive: true, encoding: "utf8" }))
        if (file.endsWith(".ts"))
          for (const [, other] of readFileSync(new URL(`${folder}/${file}`, database), "utf8").matchAll(
            /from "(?:\.\.\/)+([a-z-]+)\/[^"]+"/g,
          ))
            imports.add(`${folder} ${other}`);
    const circles = [...imports]
      .map((pair) => pair.split(" "))
      .filter(([one = "", other = ""]) => one < other && imports.has(`${other} ${one}`));
    expect(circles).toEqual([
      ["accounts", "bio"],
      ["backups", "engine"],
    ]);
  });
});
