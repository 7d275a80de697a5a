import type { Inline } from "./markdown-tree.ts";

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
