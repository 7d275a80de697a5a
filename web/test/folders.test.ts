import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../src/", import.meta.url));

/** The folder that a file belongs to, such as `shell`, or the area of pages, such as `pages/bio`. Files outside of folders are each their own. */
function folderOf(file: string): string {
  const [first = "", second = ""] = path.relative(source, file).split(path.sep);
  return first === "pages" ? path.join(first, second) : first;
}

function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, "utf8").matchAll(/(?:from\s+|import\(\s*)"(\.[^"]+)"/g);
  return Array.from(specifiers, ([, specifier]) => path.join(path.dirname(file), specifier!));
}

function arrows(): Map<string, Set<string>> {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const imported = new Map<string, Set<string>>();
  for (const name of files) {
    const file = path.join(source, name);
    const folder = folderOf(file);
    const others = importsOf(file)
      .map(folderOf)
      .filter((other) => other !== folder);
    imported.set(folder, new Set([...(imported.get(folder) ?? []), ...others]));
  }
  return imported;
}

function reachFrom(start: string, imported: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reachedFolders = new Set<string>();
  const waiting = [...(imported.get(start) ?? [])];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (reachedFolders.has(folder)) continue;
    reachedFolders.add(folder);
    waiting.push(...(imported.get(folder) ?? []));
  }
  return reachedFolders;
}

test("no folder or area of pages reaches itself through its imports", () => {
  const imported = arrows();
  expect(imported.get("router")).toContain("pages/library");
  expect([...imported.keys()].filter((folder) => reachFrom(folder, imported).has(folder))).toEqual([]);
});
