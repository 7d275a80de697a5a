import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { GuideCategory, operations, type Operation } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { guidesDirectory, loadGuides } from "../../src/adapters/guides/load-guides.ts";
import { createGuideSearch } from "../../src/features/guides.ts";
import type { StoredGuide } from "../../src/ports.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const guides = await loadGuides(guidesDirectory);
const toolNames = (Object.values(operations) as Operation[]).flatMap(({ tools = [] }) => tools.map(({ name }) => name));
const slugs = new Set(guides.map(({ slug }) => slug));

describe("the guides that come along", () => {
  test("are at least twelve, with different titles and summaries, in every category", () => {
    expect(guides.length).toBeGreaterThanOrEqual(12);
    for (const field of ["title", "summary", "bodyMarkdown"] as const)
      expect(new Set(guides.map((guide) => guide[field])).size, field).toBe(guides.length);
    expect(new Set(guides.map(({ category }) => category))).toEqual(new Set(GuideCategory.options));
  });

  test("include the one that the documentation names", () => expect(slugs).toContain(operations.getGuide.example.slug));

  describe.each(guides)("$slug", ({ slug, bodyMarkdown, sections, related, tags, readingMinutes }) => {
    test("has 600 to 1,200 words", async () => {
      const file = await readFile(path.join(guidesDirectory, `${slug}.md`), "utf8");
      const words = file.replace(/^---\n.*?\n---\n/s, "").match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
      expect(words.length).toBeGreaterThanOrEqual(600);
      expect(words.length).toBeLessThanOrEqual(1_200);
      expect(readingMinutes).toBe(Math.max(1, Math.round(bodyWords(file) / 220)));
    });

    test("has sections with names of their own, and one title", () => {
      expect(sections.length).toBeGreaterThanOrEqual(4);
      expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
      expect(bodyMarkdown.match(/^# /gm), "one title outside code").toHaveLength(1);
    });

    test("links to existing guides, and to web pages by https", () => {
      const targets = Array.from(bodyMarkdown.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!);
      const inside = targets.filter((target) => !target.startsWith("https://"));
      expect(inside.filter((target) => !slugs.has(target))).toEqual([]);
      expect(inside).not.toContain(slug);
      expect(inside.length, "it stands in a net of guides").toBeGreaterThan(0);
      expect(related.filter((other) => !slugs.has(other) || other === slug)).toEqual([]);
      expect(new Set(related).size).toBe(related.length);
      expect(new Set(tags).size).toBe(tags.length);
    });

    test("names tools and paths that there are", () => {
      const tools = Array.from(
        bodyMarkdown.matchAll(/`((?:get|list|search|find|update|transcribe)_\w+)`/g),
        ([, name]) => name!,
      );
      expect(tools.filter((name) => !toolNames.includes(name))).toEqual([]);
      const paths = Array.from(bodyMarkdown.matchAll(/\/api\/v1(\/[\w/-]+(?:\.json)?)/g), ([, name]) => name!);
      const knownPaths = [...Object.values(operations).map(({ http }): string => http.path), "/openapi.json"];
      expect(paths.filter((name) => !knownPaths.includes(name))).toEqual([]);
    });
  });
});

const bodyWords = (file: string): number =>
  file
    .replace(/^---\n.*?\n---\n+/s, "")
    .split(/\s+/)
    .filter(Boolean).length;

describe("a folder of guides", () => {
  const good =
    "---\ntitle: A\nsummary: B: c\ncategory: making\ntags: one, two\nupdatedAt: 2026-01-31\nrelated: other\n---\n\nText [on](other.md#part).\n\n## Half & half\n\n```\n## no heading\n```\n";
  const other = good.replace("related: other", "related: one");

  test("is read whole", async () => {
    const [one] = await loaded({ "one.md": good, "other.md": other, "notes.txt": "" });
    expect(one).toEqual({
      slug: "one",
      title: "A",
      summary: "B: c",
      category: "making",
      tags: ["one", "two"],
      updatedAt: "2026-01-31T00:00:00.000Z",
      related: ["other"],
      language: "en",
      readingMinutes: 1,
      sections: [{ id: "half-half", title: "Half & half" }],
      bodyMarkdown: "# A\n\nText [on](other#part).\n\n## Half & half\n\n```\n## no heading\n```\n",
    });
    expect((await loaded({ "one.md": good.replaceAll("\n", "\r\n"), "other.md": other }))[0]).toEqual(one);
  });

  test.each([
    ["front matter", { "one.md": "Text" }, "one.md: it must begin with front matter"],
    ["a category", { "one.md": good.replace("making", "cooking") }, "category"],
    ["a day", { "one.md": good.replace("2026-01-31", "2026-02-31") }, "updatedAt"],
    ["a known field only", { "one.md": good.replace("title:", "author: X\ntitle:") }, "author"],
    ["all fields", { "one.md": good.replace(/^summary:.*\n/m, "") }, "summary"],
    ["name: value", { "one.md": good.replace("title: A", "title") }, 'not "name: value": title'],
    ["a file name that is a slug", { "One guide.md": good }, "slug"],
    ["related guides that exist", { "one.md": good }, 'one.md: related: there is no other guide "other"'],
    ["related guides that are others", { "other.md": good }, 'other.md: related: there is no other guide "other"'],
  ])("must have %s", async (_what, files, message) => {
    await expect(loaded(files)).rejects.toThrow(message);
  });
});

describe("the search", () => {
  const guide = (slug: string, texts: Partial<StoredGuide>): StoredGuide => ({
    ...guides[0]!,
    slug,
    title: "x",
    tags: [],
    summary: "x",
    bodyMarkdown: "x",
    ...texts,
  });
  const fillers = Array.from({ length: 5 }, (_, index) => guide(`filler-${index}`, { bodyMarkdown: "common ground" }));
  const search = createGuideSearch([
    guide("body", { bodyMarkdown: "garlic, and more garlic, common, onion" }),
    guide("summary", { summary: "Garlic" }),
    guide("tags", { tags: ["garlic"], bodyMarkdown: "common" }),
    guide("title", { title: "Garlic" }),
    guide("all-but-title", { tags: ["garlic"], summary: "garlic", bodyMarkdown: "garlic" }),
    ...fillers,
  ]);
  const slugsFor = (query: string): string[] => search(query).map(({ slug }) => slug);

  test("ranks title over tags over summary over body", () =>
    expect(slugsFor("garlic")).toEqual(["title", "all-but-title", "tags", "summary", "body"]));

  test("finds guides with all significant words, otherwise those with some", () => {
    expect(slugsFor("garlic onion")).toEqual(["body"]);
    expect(slugsFor("onion saffron")).toEqual(["body"]);
    expect(slugsFor("saffron")).toEqual([]);
  });

  test("doesn't require words that most guides contain, unless it has no others", () => {
    expect(slugsFor("common onion")).toEqual(["body"]);
    expect(slugsFor("common garlic")[0]).toBe("title");
    expect(slugsFor("common")).toHaveLength(7);
  });

  test("treats the last word as a prefix only while it is unfinished", () => {
    expect(slugsFor("garl")).toHaveLength(5);
    expect(slugsFor("garl ")).toEqual([]);
    expect(slugsFor('"garl"')).toEqual([]);
    expect(slugsFor("garl onion")).toEqual(["body"]);
    expect(slugsFor("g"), "one letter is no beginning").toEqual([]);
  });

  test("gives everything in the given order for no words, nothing for signs", () => {
    expect(search(undefined)).toHaveLength(10);
    expect(slugsFor("  ")[0]).toBe("body");
    expect(slugsFor("?!")).toEqual([]);
    expect(createGuideSearch([])("x")).toEqual([]);
  });
});

async function loaded(files: Readonly<Record<string, string>>): Promise<StoredGuide[]> {
  const folder = directoryOfTest();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  expect(await readdir(folder)).toHaveLength(Object.keys(files).length);
  return await loadGuides(folder);
}
