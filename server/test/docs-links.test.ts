import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ignoredAt, namedPaths, pagesAt } from "./markdown-paths.ts";
import { directoryOfTest } from "./harness/temporary-directory.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const ignored = ignoredAt(root);
const topLevel = readdirSync(root).filter((name) => !ignored.has(name));

describe("the check of the documentation", () => {
  test("finds links and paths that lead nowhere, and nothing else", () => {
    const folder = directoryOfTest();
    writeFileSync(path.join(folder, "there.md"), "");
    const page = [
      "[a](there.md) [b](there.md#part) [c](gone.md) [d](https://example.com/gone) [e](#here) `[f](gone.md)`",
      "`src/gone.ts` `src/<name>.ts` `src/*.ts` `other/gone.ts` `npm run src/gone.ts` `src`",
      "```sh\n[g](gone.md) `src/gone.ts`\n```",
    ];
    const missing = namedPaths(page.join("\n\n"), path.join(folder, "page.md"), folder, ["src"])
      .filter(({ exists }) => !exists)
      .map(({ text }) => text);
    expect(missing).toEqual(["gone.md", "src/gone.ts"]);
  });
});

describe("every path that a page names exists", () => {
  const pages = pagesAt(root);

  test("there are pages", () => expect(pages).toEqual(expect.arrayContaining(["README.md", "AGENTS.md"])));

  test.each(pages)("%s", (page) => {
    const file = path.join(root, page);
    const paths = namedPaths(readFileSync(file, "utf8"), file, root, topLevel);
    expect(paths.filter(({ exists }) => !exists).map(({ text }) => text)).toEqual([]);
  });
});

describe("decisions", () => {
  const pages = readdirSync(path.join(root, "docs/decisions")).filter((name) => name !== "README.md");

  test("are all in their index", () => {
    const index = readFileSync(path.join(root, "docs/decisions/README.md"), "utf8");
    expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([]);
  });

  test("are named by code only where there is one", () => {
    const output = execFileSync(
      "git",
      ["grep", "-ohE", String.raw`docs/decisions/[a-z0-9-]+\.md`, "--", "*.ts", "*.tsx", "*.mjs"],
      { cwd: root, encoding: "utf8" },
    );
    const fileNames = output
      .trim()
      .split("\n")
      .map((name) => path.basename(name));
    expect(fileNames).toContain("queue.md");
    expect(fileNames.filter((name) => !pages.includes(name))).toEqual([]);
  });
});
