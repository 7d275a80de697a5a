import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { GuideCategory } from "@reelscript/contract";
import * as z from "zod";
import type { StoredGuide } from "../../ports.ts";

/** The guides that come with the service; the path works from the sources and from the build. */
export const guidesDirectory: string = fileURLToPath(new URL("../../../guides", import.meta.url));

const wordsPerMinute = 220;

const list = z.string().transform((text) => text.split(",").map((item) => item.trim()));
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "must be a slug" });

const FrontMatter = z.strictObject({
  slug,
  title: z.string().min(1).max(80),
  summary: z.string().min(1).max(240),
  category: GuideCategory,
  tags: list.pipe(z.array(z.string().min(1)).min(1).max(12)),
  updatedAt: z.iso.date().transform((day) => `${day}T00:00:00.000Z`),
  related: list.pipe(z.array(slug).min(1).max(6)),
});

/** Reads all guides of a folder, in the order of their slugs. Throws an error that names the file and what is wrong in it. */
export async function loadGuides(directory: string): Promise<StoredGuide[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".md")).toSorted();
  const guides = await Promise.all(
    names.map(async (name) => readGuide(name, await readFile(path.join(directory, name), "utf8"))),
  );
  const slugs = new Set(guides.map((guide) => guide.slug));
  for (const guide of guides)
    for (const related of guide.related)
      if (!slugs.has(related) || related === guide.slug)
        throw new Error(`guide ${guide.slug}.md: related: there is no other guide "${related}"`);
  return guides;
}

function readGuide(name: string, text: string): StoredGuide {
  const parts = /^---\n(.*?)\n---\n+(.*)$/s.exec(text.replaceAll("\r\n", "\n"));
  if (!parts) throw new Error(`guide ${name}: it must begin with front matter between lines of ---`);
  const [, front = "", body = ""] = parts;
  const given = Object.fromEntries(front.split("\n").map((line) => frontMatterLine(name, line)));
  const read = FrontMatter.safeParse({ ...given, slug: name.replace(/\.md$/, "") });
  if (!read.success) throw new Error(`guide ${name}: ${z.prettifyError(read.error)}`);
  const { title } = read.data;
  const words = body.split(/\s+/).filter(Boolean).length;
  return {
    ...read.data,
    language: "en",
    readingMinutes: Math.max(1, Math.round(words / wordsPerMinute)),
    sections: sectionsOf(body),
    bodyMarkdown: `# ${title}\n\n${linked(body).trimEnd()}\n`,
  };
}

function frontMatterLine(name: string, line: string): [string, string] {
  const colon = line.indexOf(": ");
  if (colon === -1) throw new Error(`guide ${name}: a line of the front matter is not "name: value": ${line}`);
  return [line.slice(0, colon), line.slice(colon + 2).trim()];
}

/** In the repository guides link to files; at a guide's own address the next one is just its slug. */
const linked = (body: string): string => body.replace(/\]\(([a-z0-9-]+)\.md(#[^)\s]*)?\)/g, "]($1$2)");

function sectionsOf(body: string): StoredGuide["sections"] {
  const prose = body.replace(/^```.*?^```$/gms, "");
  return Array.from(prose.matchAll(/^## (.+)$/gm), ([, title = ""]) => ({
    id: title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, "")
      .trim()
      .replace(/\s+/g, "-"),
    title,
  }));
}
