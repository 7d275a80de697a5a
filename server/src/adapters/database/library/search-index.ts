import { scriptLengthOf, type ScriptLength } from "@reelscript/contract";
import { eachWordOf, withoutArticle } from "../../../search/search-tokens.ts";

/** What the database can number; later words are not found. */
const lastPosition = 16_383;
const positionsPerWord = 255;
/** The database takes one mebibyte of words and positions per text. */
const mostBytes = 900_000;
/** Keeps a phrase from running over from the caption into the transcript. */
const gap = 10;

/** One entry of an index or a query, as the database writes it. */
export const lexeme = (text: string): string => `'${text.replaceAll("\0", "").replace(/['\\]/gu, "$&$&")}'`;

/** Marks all scripts of a handle; no word can spell it. Undefined when the handle is empty. */
export const handleLexeme = (handle: string): string | undefined => {
  const name = handle.replaceAll("\0", "").trim().replace(/^@/u, "").toLowerCase();
  return name === "" ? undefined : lexeme(`@${Array.from(name).slice(0, 200).join("")}`);
};

/**
 * Marks all scripts of a platform; no word and no handle can spell it. It begins as the mark of a handle does, because what is
 * corrected keeps only such marks.
 */
export const platformLexeme = (platform: string): string => lexeme(`@ ${platform}`);

/** Marks all scripts in a language; no word can spell it. */
export const languageLexeme = (language: string): string => lexeme(`~${language}`);

/** Marks all scripts of about that length; no word can spell it. */
export const lengthLexeme = (length: ScriptLength): string => lexeme(`%${length}`);

/**
 * A tsvector literal: the words of caption (weight A) and transcript (B) with their positions, and the marks of handle,
 * platform, language and length.
 */
export function searchIndexOf(texts: {
  readonly caption: string | null;
  readonly transcript: string;
  readonly handle: string | null;
  readonly platform: string | null;
  readonly language: string;
  /** Of sound. */
  readonly seconds: number;
}): string {
  const positions = new Map<string, string[]>();
  let bytes = 0;
  const add = (token: string, position: string) => {
    const known = positions.get(token);
    const cost = 4 + (known ? 0 : Buffer.byteLength(token) + 4);
    if (bytes + cost > mostBytes || (known && known.length >= positionsPerWord)) return;
    bytes += cost;
    if (known) known.push(position);
    else positions.set(token, [position]);
  };
  let position = 0;
  for (const [weight, text] of [
    ["A", texts.caption ?? ""],
    ["B", texts.transcript],
  ] as const) {
    for (const token of eachWordOf(text)) {
      position += 1;
      if (position > lastPosition) break;
      add(token, `${position}${weight}`);
      const bare = withoutArticle(token);
      if (bare !== token) add(bare, `${position}${weight}`);
    }
    position += gap;
  }
  const entries = Array.from(positions, ([token, places]) => `${lexeme(token)}:${places.join(",")}`);
  const handle = texts.handle === null ? undefined : handleLexeme(texts.handle);
  const platform = texts.platform === null ? [] : [platformLexeme(texts.platform)];
  const marks = [...platform, languageLexeme(texts.language), lengthLexeme(scriptLengthOf(texts.seconds))];
  return [...(handle ? [handle] : []), ...marks, ...entries].join(" ");
}
