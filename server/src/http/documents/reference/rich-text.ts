import { markup, type Markup } from "../../../markup/markup.ts";

const parts = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** A text of the contract with its code and links; everything else is escaped. */
export function richText(text: string): Markup {
  const pieces: (Markup | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(parts)) {
    const [whole, code, label, address] = match;
    pieces.push(text.slice(end, match.index));
    pieces.push(code === undefined ? markup`<a href="${address}">${label}</a>` : markup`<code>${code}</code>`);
    end = match.index + whole.length;
  }
  pieces.push(text.slice(end));
  return markup`${pieces}`;
}

export const paragraphs = (text: string): Markup =>
  markup`${text.split("\n\n").map((paragraph) => markup`<p>${richText(paragraph)}</p>`)}`;
