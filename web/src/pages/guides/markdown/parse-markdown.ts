export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly target: string; readonly children: readonly Inline[] };

export type Block =
  | { readonly kind: "title" | "section" | "paragraph" | "quote"; readonly children: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "table";
      /** Which columns contain numbers. */
      readonly figures: readonly boolean[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

const chunks = /^```.*?^```$|(?:^[^\n]+(?:\n|$))+/gms;
const item = /^(?:[-*]|\d+\.) +/m;
const kinds: Readonly<Record<string, "title" | "section" | "quote">> = { "#": "title", "##": "section", ">": "quote" };

/**
 * The subset of Markdown that guides use: titles, sections, paragraphs, lists, quotes, fenced code and tables, separated by
 * empty lines. HTML is text.
 */
export const parseMarkdown = (markdown: string): readonly Block[] =>
  Array.from(markdown.matchAll(chunks), ([chunk]) => blockOf(chunk.trimEnd()));

function blockOf(chunk: string): Block {
  if (chunk.startsWith("```")) return { kind: "code", text: chunk.split("\n").slice(1, -1).join("\n") };
  if (chunk.startsWith("|")) return tableOf(chunk);
  if (chunk.search(item) === 0)
    return { kind: "list", ordered: /^\d/.test(chunk), items: chunk.split(item).slice(1).map(parseInline) };
  const [, mark = "", words = chunk] = /^(##?|>) (.+)$/s.exec(chunk) ?? [];
  return { kind: kinds[mark] ?? "paragraph", children: parseInline(words) };
}

function tableOf(chunk: string): Block {
  const [head = [], rule = [], ...rows] = chunk.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return {
    kind: "table",
    figures: rule.map((cell) => cell.endsWith(":")),
    rows: [head, ...rows].map((row) => row.map(parseInline)),
  };
}

const marks =
  /`(?<code>[^`]+)`|\*\*(?<strong>\S(?:.*?\S)?)\*\*|(?<![\p{L}\p{N}_])_(?<emphasis>[^\s_](?:[^_]*[^\s_])?)_(?![\p{L}\p{N}_])|\[(?<label>[^\]]+)\]\((?<target>[^()\s]+)\)/gu;

/** Parses code, strong, emphasis and links; everything else is text, including `<`. A line break becomes a space. */
export function parseInline(text: string): readonly Inline[] {
  const line = text.trim().replaceAll(/\s*\n\s*/g, " ");
  const parts: Inline[] = [];
  let end = 0;
  const say = (words: string): void => void (words && parts.push({ kind: "text", text: words }));
  for (const match of line.matchAll(marks)) {
    say(line.slice(end, match.index));
    end = match.index + match[0].length;
    const { code, strong, emphasis = "", label, target } = match.groups ?? {};
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", children: parseInline(strong) });
    else if (target !== undefined) parts.push({ kind: "link", target, children: parseInline(label ?? "") });
    else parts.push({ kind: "emphasis", children: parseInline(emphasis) });
  }
  say(line.slice(end));
  return parts;
}

type LinkTarget =
  | { readonly kind: "guide"; readonly slug: string; readonly section?: string }
  | { readonly kind: "section"; readonly section: string }
  | { readonly kind: "outside"; readonly url: string };

/** The target of a link in a guide; `undefined` for anything else, such as `javascript:`. */
export function linkTarget(target: string): LinkTarget | undefined {
  const [, slug, section] = /^([a-z0-9-]*)(?:\.md)?(?:#([\p{L}\p{N}-]+))?$/u.exec(target) ?? [];
  if (slug) return { kind: "guide", slug, ...(section && { section }) };
  if (section) return { kind: "section", section };
  return /^https?:\/\/\S+$/.test(target) ? { kind: "outside", url: target } : undefined;
}
