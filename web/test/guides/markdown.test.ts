import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  linkTarget,
  type Block,
  type Inline,
  parseMarkdown,
  parseInline,
} from "../../src/pages/guides/markdown/parse-markdown.ts";
import { neighborsOf } from "../../src/pages/guides/guide-categories.ts";

const text = (words: string): Inline => ({ kind: "text", text: words });

describe("words", () => {
  test("are code, strong, emphasis and links, inside each other too", () => {
    expect(parseInline("**Say `a_b`** and _show_, see\n  [the _guide_](write-a-hook).")).toEqual([
      { kind: "strong", children: [text("Say "), { kind: "code", text: "a_b" }] },
      text(" and "),
      { kind: "emphasis", children: [text("show")] },
      text(", see "),
      {
        kind: "link",
        target: "write-a-hook",
        children: [text("the "), { kind: "emphasis", children: [text("guide")] }],
      },
      text("."),
    ]);
  });

  test.each(["<img src=x onerror=alert(1)>", "2 * 3 * 4", "snake_case_name", "a [bracket] alone", "100 % **", "`open"])(
    "are words when they are nothing else: %s",
    (words) => expect(parseInline(words)).toEqual([text(words)]),
  );
});

test("blocks are titles, sections, paragraphs, lists, quotes, code and tables", () => {
  const blocks = [
    "# Title",
    "## Section",
    "One line\nand its second.",
    "- first\n  continued\n- second",
    "1. counted",
    "> Said.",
    "```sh\n# no heading\n\n> no quote\n```",
    "| a | b |\n| --- | --: |\n| x | 2 |",
  ];
  expect(parseMarkdown(`${blocks.join("\n\n")}\n`)).toEqual<Block[]>([
    { kind: "title", children: [text("Title")] },
    { kind: "section", children: [text("Section")] },
    { kind: "paragraph", children: [text("One line and its second.")] },
    { kind: "list", ordered: false, items: [[text("first continued")], [text("second")]] },
    { kind: "list", ordered: true, items: [[text("counted")]] },
    { kind: "quote", children: [text("Said.")] },
    { kind: "code", text: "# no heading\n\n> no quote" },
    {
      kind: "table",
      figures: [false, true],
      rows: [
        [[text("a")], [text("b")]],
        [[text("x")], [text("2")]],
      ],
    },
  ]);
});

test.each([
  ["write-a-hook", { kind: "guide", slug: "write-a-hook" }],
  ["write-a-hook.md#learn", { kind: "guide", slug: "write-a-hook", section: "learn" }],
  ["#learn", { kind: "section", section: "learn" }],
  ["https://www.w3.org/TR/WCAG22/", { kind: "outside", url: "https://www.w3.org/TR/WCAG22/" }],
  ["javascript:alert(1)", undefined],
  ["JAVASCRIPT:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["//evil.example", undefined],
  ["../../auth/logout", undefined],
])("a link to %s leads where a guide may lead", (target, link) => expect(linkTarget(target)).toEqual(link));

test("guides leave no mark unparsed, and every link leads somewhere", async () => {
  const folder = new URL("../../../server/guides/", import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const body = (await readFile(new URL(name, folder), "utf8")).replace(/^---\n.*?\n---\n/s, "");
    const words = parseMarkdown(body).flatMap(inlinesOf).flatMap(flat);
    const left = words.filter((part) => part.kind === "text" && /\*\*|`|\]\(|^#|^\||(^| )[>-] /.test(part.text));
    expect(left, name).toEqual([]);
    for (const part of words) if (part.kind === "link") expect(linkTarget(part.target), part.target).toBeDefined();
  }
});

function inlinesOf(block: Block): readonly Inline[] {
  if ("children" in block) return block.children;
  return block.kind === "list" ? block.items.flat() : block.kind === "table" ? block.rows.flat(2) : [];
}

const flat = (part: Inline): readonly Inline[] =>
  "children" in part ? [part, ...part.children.flatMap(flat)] : [part];

test("next and previous follow a category by title, then the next", () => {
  const guides = [
    { slug: "z", title: "Zeal", category: "making" },
    { slug: "m", title: "Measure", category: "measuring" },
    { slug: "a", title: "Act", category: "making" },
  ] as const;
  const around = (slug: string) => {
    const { before, after } = neighborsOf(guides, slug);
    return [before?.slug, after?.slug];
  };
  expect([around("a"), around("z"), around("m"), around("?")]).toEqual([
    [undefined, "z"],
    ["a", "m"],
    ["z", undefined],
    [undefined, undefined],
  ]);
});
