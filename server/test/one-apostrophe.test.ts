import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/**
 * Files whose texts people read on pages. Messages that programs and terminals receive too have plain signs, and pages show them
 * through `typographic`.
 */
const paths = [
  "web/src",
  "extension/src",
  "contract/src/values/languages.ts",
  "contract/src/values/scripts",
  "server/src/bio-page",
  "server/src/describe",
  "server/src/http/public-pages",
  "server/src/http/serve-share-links.ts",
  "server/src/markup",
  "server/src/sign-in",
];

/** An apostrophe within a word, or a quotation mark after one. */
const plainSign = /[\p{L}\p{N}}]'\p{L}|\p{L}[,:]? ["']\p{L}[^"'=<]*["']/u;

/** Policies, styles and commands, whose quotation marks are their grammar. */
const technical = /-src|base-uri|form-action|font-family|@media|curl |--header/;

/** The texts of a file with plain signs. */
function plainTextsIn(file: string, code: string): readonly string[] {
  const texts: { readonly text: string; readonly start: number }[] = [];
  const visitor = new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === "string") texts.push({ text: value, start });
    },
    TemplateLiteral: ({ quasis, start }) =>
      void texts.push({ text: quasis.map(({ value }) => value.cooked ?? "").join("}"), start }),
    JSXText: ({ value, start }) => void texts.push({ text: value, start }),
  });
  visitor.visit(parseSync(file, code).program);
  return texts
    .filter(({ text }) => plainSign.test(text) && !technical.test(text))
    .map(({ text, start }) => `${file}:${code.slice(0, start).split("\n").length} ${text.trim().slice(0, 120)}`);
}

describe("texts for people have typographic quotation marks and apostrophes", () => {
  test.each([
    'const text = "You weren\'t charged.";',
    "const text = `${name}'s reels`;",
    "const text = 'No script says \"bread\".';",
    "const text = <p>We can't reach it.</p>;",
    'const text = <p title="The platform\'s own player" />;',
  ])("%s is found", (code) => expect(plainTextsIn("a.tsx", code)).toHaveLength(1));

  test.each([
    'const text = "You weren’t charged. No script says “bread”.";',
    "// It isn't a text.\nconst text = 1;",
    'const text = markup`<p class="hint" id="said">Said</p>`;',
    'const text = `url("/font.woff2") format("woff2")`;',
  ])("%s is left alone", (code) => expect(plainTextsIn("a.tsx", code)).toEqual([]));

  test("on all pages", () => {
    const files = execFileSync("git", ["ls-files", ...paths], { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((file) => /\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(250);
    expect(files.flatMap((file) => plainTextsIn(file, readFileSync(path.join(root, file), "utf8")))).toEqual([]);
  });

  test("and in files without code", () => {
    const files = execFileSync(
      "git",
      ["ls-files", "extension/store/*.md", "extension/src/**/*.html", "web/index.html"],
      {
        cwd: root,
        encoding: "utf8",
      },
    )
      .trim()
      .split("\n");
    expect(files).toContain("extension/store/listing.md");
    const plain = files.flatMap((file) =>
      readFileSync(path.join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (/\p{L}'\p{L}/u.test(line) ? [`${file}:${index + 1} ${line}`] : [])),
    );
    expect(plain).toEqual([]);
  });
});
