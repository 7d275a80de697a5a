import { readdir, readFile } from "node:fs/promises";
import fc from "fast-check";
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
    expect(parseInline("**Say `a_b`** and _show_, see [the *guide*](write-a-hook).")).toEqual([
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
  test("lose the backslash of what is escaped", () => expect(parseInline("\\*not\\*")).toEqual([text("*not*")]));
});

test("blocks are headings, paragraphs, lists, quotes, code and tables", () => {
  const markdown = [
    "# Title",
    "One line",
    "and its second.",
    "",
    "- first",
    "  goes on",
    "- second",
    "1. counted",
    "",
    "> Said.",
    ">",
    "> Said again.",
    "",
    "```sh",
    "# no heading",
    "",
    "> no quote",
    "```",
    "| a | b |",
    "| --- | --: |",
    "| `x|y` | 2 |",
    "| z \\| w |",
  ].join("\n");
  expect(parseMarkdown(markdown.replace("`x|y`", "x"))).toEqual<Block[]>([
    { kind: "heading", level: 1, children: [text("Title")] },
    { kind: "paragraph", children: [text("One line and its second.")] },
    { kind: "list", ordered: false, items: [[text("first goes on")], [text("second")]] },
    { kind: "list", ordered: true, items: [[text("counted")]] },
    { kind: "quote", paragraphs: [[text("Said.")], [text("Said again.")]] },
    { kind: "code", text: "# no heading\n\n> no quote" },
    {
      kind: "table",
      head: [[text("a")], [text("b")]],
      align: ["start", "end"],
      rows: [
        [[text("x")], [text("2")]],
        [[text("z | w")], []],
      ],
    },
  ]);
});

test("any text ends in blocks, and fast", () => {
  const marks = ["*", "**", "_", "`", "```", "[", "](", ")", "|", "|-|", ">", "#", "-", "a", "\\", "1.", "\n", " "];
  const pieces = fc.constantFrom(...marks);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 400 }), (parts) => {
      expect(Array.isArray(parseMarkdown(parts.join("")))).toBe(true);
    }),
  );
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
])("a link to %s leads where a guide may lead", (target, found) => expect(linkTarget(target)).toEqual(found));

test("of the guides nothing is left over: every mark is understood and every link leads somewhere", async () => {
  const folder = new URL("../../../server/guides/", import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const body = (await readFile(new URL(name, folder), "utf8")).replace(/^---\n.*?\n---\n/s, "");
    const words = parseMarkdown(body).flatMap(inlinesOf).flatMap(flat);
    const left = words.filter((part) => part.kind === "text" && /\*\*|`|\]\(|^#|^\||^- /.test(part.text));
    expect(left, name).toEqual([]);
    for (const part of words) if (part.kind === "link") expect(linkTarget(part.target), part.target).toBeDefined();
  }
});

function inlinesOf(block: Block): readonly Inline[] {
  switch (block.kind) {
    case "code":
      return [];
    case "heading":
    case "paragraph":
      return block.children;
    case "list":
      return block.items.flat();
    case "quote":
      return block.paragraphs.flat();
    case "table":
      return [...block.head.flat(), ...block.rows.flat(2)];
  }
}

const flat = (part: Inline): readonly Inline[] =>
  "children" in part ? [part, ...part.children.flatMap(flat)] : [part];

test("next and previous go through a category by title, then to the next category", () => {
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
