import type { Align, Block } from "./markdown-tree.ts";
import { parseInline } from "./parse-inline.ts";

/** What is left of the text, line by line. */
interface Lines {
  readonly peek: () => string | undefined;
  readonly take: () => string;
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
  const text: string[] = [];
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    lines.take();
    if (line.startsWith(fence) && isBlank(line.slice(fence.length))) break;
    text.push(line);
  }
  return { kind: "code", text: text.join("\n") };
}

function quoteOf(lines: Lines): Block {
  const paragraphs: string[] = [""];
  for (let line = lines.peek(); line?.startsWith(">"); line = lines.peek()) {
    const text = lines.take().replace(/^> ?/, "");
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
  const rows: string[][] = [];
  for (let line = lines.peek(); line?.includes("|"); line = lines.peek()) rows.push(cellsOf(lines.take()));
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
  const text = [lines.take()];
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    if (isBlank(line) || /^(#{1,6} |>|`{3,}|~{3,})/.test(line) || item.test(line)) break;
    text.push(lines.take());
  }
  return text.map((line) => line.trim()).join(" ");
}
