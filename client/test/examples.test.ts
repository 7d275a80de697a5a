import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildClient, clientFolder } from "./build-client.ts";

const root = path.join(clientFolder, "..");
const examples = Array.from(
  readFileSync(path.join(root, "docs/client-examples.md"), "utf8").matchAll(/^## ([^\n]+)\n+```ts\n([^]*?)^```/gm),
  ([, title = "", code = ""]) => ({ title, code }),
);
const [, setUp = ""] =
  /```ts\n(.*?)^```/ms.exec(readFileSync(path.join(root, "docs/client-examples.md"), "utf8")) ?? [];

let folder: string;
beforeAll(() => {
  buildClient();
  folder = mkdtempSync(path.join(root, "client/.examples-"));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "dir");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the errors that the compiler finds in programs of this folder. */
function compile(programs: Readonly<Record<string, string>>): string {
  for (const [name, code] of Object.entries(programs)) writeFileSync(path.join(folder, name), code);
  const { stdout } = spawnSync(
    process.execPath,
    [
      path.join(root, "node_modules/typescript/bin/tsc"),
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--skipLibCheck",
      "--types",
      "node",
      "--module",
      "nodenext",
      "--allowImportingTsExtensions",
      "--target",
      "es2023",
      "--noUnusedLocals",
      ...Object.keys(programs),
    ],
    { cwd: folder, encoding: "utf8" },
  );
  return stdout;
}

it("compiles, each example by itself", () => {
  expect(examples.length).toBeGreaterThan(8);
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  const programs = examples.map(({ code }, index) => [
    `example-${index}.ts`,
    `import { reelscript } from "./client.ts";\n${code}\nexport {};\n`,
  ]);
  expect(compile({ "client.ts": setUp, ...Object.fromEntries(programs) })).toBe("");
  expect(
    compile({
      "client.ts": setUp,
      "wrong.ts": 'import { reelscript } from "./client.ts";\nawait reelscript.vanish();',
    }),
  ).toContain("vanish");
});
