export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly target: string; readonly children: readonly Inline[] };

type Align = "start" | "center" | "end";

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "quote"; readonly paragraphs: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly align: readonly Align[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

interface Lines {
  readonly peek: () => string | undefined;
  readonly take: () => string;
  readonly takeWhile: (isMore: (line: string) => boolean) => string[];
}

const isBlank = (line: string): boolean => line.trim() === "";
const item = /^( {0,3})([-*]|\d{1,9}\.) +(.*)$/;
const tableRule = /^\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$/;

/** The part of Markdown that guides are written in: headings, paragraphs, lists, quotes, code in fences, tables. HTML is text. */
export function parseMarkdown(markdown: string): readonly Block[] {
  const all = markdown.replaceAll("\r\n", "\n").split("\n");
  let at = 0;
  const lines: Lines = {
    peek: () => all[at],
    take: () => {
      at += 1;
      return all[at - 1] ?? "";
    },
    takeWhile(isMore) {
      const from = at;
      while (at < all.length && isMore(all[at]!)) at += 1;
      return all.slice(from, at);
    },
  };
  const blocks: Block[] = [];
  for (let line = lines.peek(); line !== undefined; line = lines.peek())
    if (isBlank(line)) lines.take();
    else blocks.push(blockOf(line, all[at + 1], lines));

  return blocks;
}

function blockOf(line: string, next: string | undefined, lines: Lines): Block {
  if (/^(`{3,}|~{3,})/.test(line)) return codeOf(lines);
  const heading = /^(#{1,6}) +(.*?)(?: +#+)?$/.exec(line);
  if (heading) {
    lines.take();
    return { kind: "heading", level: heading[1]!.length, children: parseInline(heading[2]!) }; // safe: both groups are in every match
  }
  if (line.startsWith(">")) return quoteOf(lines);
  if (item.test(line)) return listOf(lines);
  if (line.includes("|") && next !== undefined && tableRule.test(next.trim())) return tableOf(lines);
  return { kind: "paragraph", children: parseInline(proseOf(lines)) };
}

function codeOf(lines: Lines): Block {
  const fence = /^(`{3,}|~{3,})/.exec(lines.take())![1]!; // safe: the caller saw it
  const text = lines.takeWhile((line) => !line.startsWith(fence) || !isBlank(line.slice(fence.length)));
  lines.take();
  return { kind: "code", text: text.join("\n") };
}

function quoteOf(lines: Lines): Block {
  const paragraphs: string[] = [""];
  for (const line of lines.takeWhile((next) => next.startsWith(">"))) {
    const text = line.replace(/^> ?/, "");
    if (isBlank(text)) paragraphs.push("");
    else paragraphs[paragraphs.length - 1] += ` ${text}`;
  }
  return {
    kind: "quote",
    paragraphs: paragraphs.filter((text) => text !== "").map((text) => parseInline(text.trim())),
  };
}

function listOf(lines: Lines): Block {
  const items: string[] = [];
  const ordered = /^\s*\d/.test(lines.peek() ?? "");
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    const found = item.exec(line);
    if (found && /^\d/.test(found[2]!) === ordered) items.push(found[3]!);
    else if (!found && !isBlank(line) && /^\s/.test(line)) items[items.length - 1] += ` ${line.trim()}`;
    else break;
    lines.take();
  }
  return { kind: "list", ordered, items: items.map((text) => parseInline(text)) };
}

function tableOf(lines: Lines): Block {
  const head = cellsOf(lines.take());
  const align = cellsOf(lines.take()).map((rule): Align =>
    rule.endsWith(":") ? (rule.startsWith(":") ? "center" : "end") : "start",
  );
  const rows = lines.takeWhile((line) => line.includes("|")).map(cellsOf);
  return {
    kind: "table",
    head: head.map((cell) => parseInline(cell)),
    align,
    rows: rows.map((row) => head.map((_, index) => parseInline(row[index] ?? ""))),
  };
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

function proseOf(lines: Lines): string {
  const isMore = (line: string): boolean =>
    !isBlank(line) && !/^(#{1,6} |>|`{3,}|~{3,})/.test(line) && !item.test(line);
  return [lines.take(), ...lines.takeWhile(isMore)].map((line) => line.trim()).join(" ");
}

/** Deeper marks are shown as they are written. */
const deepest = 4;
const marks =
  /(?<ticks>`+)(?<code>.+?)(?<!`)\k<ticks>(?!`)|\*\*(?<strong>\S(?:.*?\S)?)\*\*|(?<![\p{L}\p{N}_])_(?<emphasis>[^\s_](?:[^_]*[^\s_])?)_(?![\p{L}\p{N}_])|\*(?<star>[^\s*](?:[^*]*[^\s*])?)\*|\[(?<label>[^\]]+)\]\((?<target>[^()\s]+)\)|\\(?<escaped>[\\`*_[\]()#|>-])/gsu;

/** Code, strong, emphasis and links; all else is text, `<` too. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  if (depth > deepest) return [{ kind: "text", text }];
  const parts: Inline[] = [];
  let end = 0;
  const say = (words: string): void => {
    const last = parts.at(-1);
    if (words === "") return;
    if (last?.kind === "text") parts[parts.length - 1] = { kind: "text", text: last.text + words };
    else parts.push({ kind: "text", text: words });
  };
  for (const match of text.matchAll(marks)) {
    say(text.slice(end, match.index));
    end = match.index + match[0].length;
    const { code, strong, emphasis, star, label, target, escaped } = match.groups ?? {};
    const inside = (words: string): readonly Inline[] => parseInline(words, depth + 1);
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", children: inside(strong) });
    else if (label !== undefined && target !== undefined) parts.push({ kind: "link", target, children: inside(label) });
    else if (escaped !== undefined) say(escaped);
    else parts.push({ kind: "emphasis", children: inside(emphasis ?? star ?? "") });
  }
  say(text.slice(end));
  return parts;
}

type LinkTarget =
  | { readonly kind: "guide"; readonly slug: string; readonly section?: string }
  | { readonly kind: "section"; readonly section: string }
  | { readonly kind: "outside"; readonly url: string };

/** Where a link of a guide leads; `undefined` where a guide has no business to lead, such as `javascript:`. */
export function linkTarget(target: string): LinkTarget | undefined {
  const [, slug, section] = /^([a-z0-9-]*)(?:\.md)?(?:#([\p{L}\p{N}-]+))?$/u.exec(target) ?? [];
  if (slug) return { kind: "guide", slug, ...(section && { section }) };
  if (section) return { kind: "section", section };
  return /^https?:\/\/\S+$/.test(target) ? { kind: "outside", url: target } : undefined;
}
