import { scriptLengthOf, type ScriptLength } from "@reelscript/contract";
import { compoundsOf, eachSpelledWordOf, signSpansOf, withoutArticle } from "../../../search/search-tokens.ts";
import { stemIn } from "../../../search/search-terms.ts";

/** The highest position that PostgreSQL stores; later words aren't found. */
const lastPosition = 16_383;
const positionsPerWord = 255;
/** The database takes one mebibyte of words and positions per text. */
const mostBytes = 900_000;
/** Signs indexed per text; beyond that they mean nothing. */
const mostSigns = 2_000;
/** Characters of a handle or a name that are searched. */
const longestName = 200;
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
 * Marks all scripts of a platform; no word and no handle can spell it. It begins like the mark of a handle, because a
 * correction keeps only marks that begin so.
 */
export const platformLexeme = (platform: string): string => lexeme(`@ ${platform}`);

/** Marks all scripts in a language; no word can spell it. */
export const languageLexeme = (language: string): string => lexeme(`~${language}`);

/** Marks all scripts of about that length; no word can spell it. */
export const lengthLexeme = (length: ScriptLength): string => lexeme(`%${length}`);

/**
 * The version of the rules for tokens. It rises with each change of them, and older tokens are made again
 * (`renewSearchTokens`).
 */
export const tokensRevision = 3;

/** Marks tokens made by these rules; no word can spell it. */
export const revisionLexeme = lexeme(`!${tokensRevision}`);

/** A stem that its text has only in other forms. It ends in a dot, as no word does. */
export const stemLexeme = (stem: string): string => lexeme(`${stem}.`);

/**
 * A tsvector literal: the words and signs of names and caption (weight A) and transcript (B) with their positions, compounds
 * as one word, stems at the first word that has them, and the marks of handle, platform, language, length and revision.
 */
export function searchIndexOf(texts: {
  readonly caption: string | null;
  readonly transcript: string;
  readonly handle: string | null;
  /** The name that an account shows; it is searched like the handle. */
  readonly displayName: string | null;
  readonly platform: string | null;
  readonly language: string;
  /** Length of the audio. */
  readonly seconds: number;
}): string {
  const { positions, add } = createPositions();
  const stems = new Map<string, string>();
  let position = 0;
  const spelledOtherwise = new Map<string, string>();
  const addWords = (text: string, weight: "A" | "B") => {
    let from = 0;
    for (const { start, end, joined } of compoundsOf(text)) {
      addPlainWords(text.slice(from, start), weight);
      if (!spelledOtherwise.has(joined))
        spelledOtherwise.set(joined, `${Math.min(lastPosition, position + 1)}${weight}`);
      addPlainWords(text.slice(start, end), weight);
      from = end;
    }
    addPlainWords(text.slice(from), weight);
  };
  const addPlainWords = (text: string, weight: "A" | "B") => {
    for (const { token, spelledOut } of eachSpelledWordOf(text)) {
      position += 1;
      if (position > lastPosition) return;
      const weightedPosition = `${position}${weight}`;
      const bare = withoutArticle(token);
      const stem = positions.has(bare) ? undefined : stemIn(texts.language, bare);
      if (stem !== undefined && !stems.has(stem)) stems.set(stem, weightedPosition);
      add(token, weightedPosition);
      if (spelledOut !== undefined && !spelledOtherwise.has(spelledOut))
        spelledOtherwise.set(spelledOut, weightedPosition);
      if (bare !== token) add(bare, weightedPosition);
    }
  };
  for (const [weight, text] of [
    ["A", (texts.handle ?? "").slice(0, longestName)],
    ["A", (texts.displayName ?? "").slice(0, longestName)],
    ["A", texts.caption ?? ""],
    ["B", texts.transcript],
  ] as const) {
    let from = 0;
    for (const { token, plain, kind, start } of signSpansOf(text).slice(0, mostSigns)) {
      addWords(text.slice(from, start), weight);
      from = Math.max(from, start);
      // A word with signs has the position of the word; any other sign has that of the word before it.
      const weightedPosition = `${Math.min(lastPosition, kind === "word" ? position + 1 : Math.max(1, position))}${weight}`;
      add(token, weightedPosition);
      if (plain !== undefined) add(plain, weightedPosition);
    }
    addWords(text.slice(from), weight);
    position += gap;
  }
  // Other spellings and stems come last, so that none takes the room of a word.
  for (const [spelling, weightedPosition] of spelledOtherwise)
    if (!positions.has(spelling)) add(spelling, weightedPosition);
  for (const [stem, weightedPosition] of stems) add(`${stem}.`, weightedPosition);
  const entries = Array.from(
    positions,
    ([token, weightedPositions]) => `${lexeme(token)}:${weightedPositions.join(",")}`,
  );
  const handle = texts.handle === null ? undefined : handleLexeme(texts.handle);
  const platform = texts.platform === null ? [] : [platformLexeme(texts.platform)];
  const marks = [
    revisionLexeme,
    ...platform,
    languageLexeme(texts.language),
    lengthLexeme(scriptLengthOf(texts.seconds)),
  ];
  return [...(handle ? [handle] : []), ...marks, ...entries].join(" ");
}

/** The positions of each token, as many as the index has room for. */
function createPositions() {
  const positions = new Map<string, string[]>();
  let bytes = 0;
  const add = (token: string, position: string): void => {
    const tokenPositions = positions.get(token);
    const cost = 4 + (tokenPositions ? 0 : Buffer.byteLength(token) + 4);
    if (bytes + cost > mostBytes || (tokenPositions && tokenPositions.length >= positionsPerWord)) return;
    bytes += cost;
    if (tokenPositions) tokenPositions.push(position);
    else positions.set(token, [position]);
  };
  return { positions, add };
}

interface CorrectedText {
  readonly text: string;
  readonly language: string;
  readonly seconds: number;
}

/** The same for a corrected text: caption, handle and platform come from the transcript. */
export const indexOfCorrection = ({ text, language, seconds }: CorrectedText): string =>
  searchIndexOf({
    caption: null,
    handle: null,
    displayName: null,
    platform: null,
    transcript: text,
    language,
    seconds,
  });
