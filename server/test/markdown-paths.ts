import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A mention of a file that should exist: a link without a scheme, or code that looks like a path from the root. */
export interface NamedPath {
  readonly text: string;
  readonly exists: boolean;
}

/** Names that Git ignores at any depth. */
export const ignoredAt = (root: string): ReadonlySet<string> =>
  new Set([...readFileSync(path.join(root, ".gitignore"), "utf8").split("\n"), ".git"]);

/** The pages, and all files, of the repository. What is built or installed is not looked into: it may change meanwhile. */
export const pagesAt = (root: string): string[] => filesAt(root).filter((file) => file.endsWith(".md"));

export function filesAt(root: string, ignored = ignoredAt(root), folder = ""): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name))
    .flatMap((entry) => {
      const entryPath = path.join(folder, entry.name);
      return entry.isDirectory() ? filesAt(root, ignored, entryPath) : [entryPath];
    });
}

const fenced = /^(`{3,}|~{3,}).*?^\1`*$/gms;
const code = /(`+)(.+?)\1/g;
const link = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g;
const scheme = /^[a-z][a-z0-9+.-]*:/i;
/** A pattern, a placeholder or a command is no path. */
const plain = /^[\w@.-]+(\/[\w@.-]+)*\/?$/;

/**
 * The paths in the Markdown file `page` of the repository at `root`. Code counts as a path when it starts with one of
 * `topLevel`, the names at the root and continues below it (`client` alone is a word).
 */
export function namedPaths(markdown: string, page: string, root: string, topLevel: readonly string[]): NamedPath[] {
  const text = markdown.replace(fenced, "");
  const prose = text.replace(code, "");
  const links = Array.from(prose.matchAll(link), ([, target]) => target!)
    .filter((target) => !scheme.test(target) && !target.startsWith("#"))
    .map((target) => {
      const targetPath = decodeURIComponent(target.split("#", 1)[0]!);
      return {
        text: target,
        files: [path.resolve(targetPath.startsWith("/") ? root : path.dirname(page), `./${targetPath}`)],
      };
    });
  const codes = Array.from(text.matchAll(code), ([, , content]) => content!.trim().replace(/^\.\//, ""))
    .filter((content) => plain.test(content) && isBelow(content, topLevel))
    .map((content) => ({ text: content, files: foldersUpTo(root, page).map((folder) => path.join(folder, content)) }));
  return [...links, ...codes].map(({ text: writtenPath, files }) => ({
    text: writtenPath,
    exists: files.some((file) => existsSync(file)),
  }));
}

function foldersUpTo(root: string, page: string): string[] {
  const steps = path.relative(root, path.dirname(page)).split(path.sep).filter(Boolean);
  return [root, ...steps.map((_, index) => path.join(root, ...steps.slice(0, index + 1)))];
}

function isBelow(content: string, topLevel: readonly string[]): boolean {
  const [first = "", ...rest] = content.split("/");
  return rest.length > 0 && topLevel.includes(first);
}
