import { wholeCharacters } from "../values/text/whole-characters.ts";

/** The smallest piece between line breaks: a word with attached signs, or a part of a text without spaces. */
export interface SubtitleUnit {
  readonly text: string;
  /** In columns of a line. */
  readonly width: number;
  /** True if a space comes before it, unless it begins a line. */
  readonly spaced: boolean;
  /** A line that ends with an article or the like is hard to read. */
  readonly ends: "sentence" | "clause" | "word" | "smallWord";
}

/** Columns of a line: letters of most scripts take one each, of wide scripts so many that 16 fill a line. */
export const lineWidth = 42;
const wideLetter = lineWidth / 16;

const wide =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303F\u30FB\u30FC\uFF01-\uFF60]|\p{Emoji_Presentation}/u;
const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u3000-\u303F\u30FB\u30FC\uFF01-\uFF60]/u;

/** Letters that readers see as one character, whatever is next to them. */
const plainLetters =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u052F\u0621-\u064A\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30A1-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF60]*$/;
const widePlainLetters = /[\u3001-\uFF60]/g;

/** Longer runs aren't words, so lines may break within them. Segmenting takes time that grows with the square of the length. */
const longestWord = 200;
/** Nobody says more without a pause, so the words of a longer text are simply cut where a line is full. */
const longestText = 20_000;
const wideLine = 16;
/** Letters this close to a piece's end may be divided differently if the word continues. */
const unsureLength = 40;

let graphemes: Intl.Segmenter | undefined;
let words: Intl.Segmenter | undefined;

function widthOf(text: string): number {
  if (plainLetters.test(text)) return text.length + (wideLetter - 1) * (text.match(widePlainLetters)?.length ?? 0);
  graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? wideLetter : 1;
  return width;
}

/** `text` is one line without spaces at its ends. The units, joined with the spaces between them, are the text. */
export function subtitleUnits(text: string, longest: number = lineWidth): SubtitleUnit[] {
  const units: SubtitleUnit[] = [];
  for (const word of text.split(" "))
    for (const [index, part] of wordPartsOf(word, text.length <= longestText).entries()) {
      const unit = { text: part, width: widthOf(part), spaced: index === 0 && units.length > 0, ends: endOf(part) };
      const before = units.at(-1);
      const joined = before && clings(before.text, part) ? join(before, unit) : undefined;
      if (joined && joined.width <= longest) units.splice(-1, 1, joined);
      else units.push(unit);
    }
  return units;
}

function join(left: SubtitleUnit, right: SubtitleUnit): SubtitleUnit {
  return {
    text: left.text + (right.spaced ? " " : "") + right.text,
    width: left.width + (right.spaced ? 1 : 0) + right.width,
    spaced: left.spaced,
    ends: right.ends,
  };
}

/** A closing mark never begins a line, and an opening one never ends it. */
const clings = (left: string, right: string): boolean =>
  /^[\p{Pe}\p{Pf}!?:;%.,…·。、，．！？：；・।॥؟،؛۔]+$/u.test(right) || /^[\p{Ps}\p{Pi}¿¡]+$/u.test(left);

function wordPartsOf(word: string, isCareful: boolean): string[] {
  const parts: string[] = [];
  for (let from = 0; ;) {
    const piece = pieceAt(word, from, isCareful ? longestWord : wideLine);
    const isLast = from + piece.length === word.length;
    const sure = isLast ? piece.length : piece.length - unsureLength;
    let length = 0;
    for (const part of isCareful && unspaced.test(piece) ? segmentsOf(piece) : [piece]) {
      if (length > 0 && length + part.length > sure) break;
      parts.push(part);
      length += part.length;
    }
    if (isLast) return parts;
    from += length;
  }
}

/** The rest of a word, or about `longest` letters of it; it ends between letters if it can. */
function pieceAt(word: string, from: number, longest: number): string {
  if (word.length - from <= longest) return word.slice(from);
  if (plainLetters.test(word.slice(from, from + longest + 1))) return word.slice(from, from + longest);
  graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const margin = Math.min(longest, unsureLength);
  const around = word.slice(from + longest - margin, from + longest + margin);
  const cut = graphemes.segment(around).containing(margin)?.index ?? 0;
  if (cut > 0) return word.slice(from, from + longest - margin + cut);
  return wholeCharacters(word.slice(from), longest);
}

/** The words of a text in a script without spaces. */
function segmentsOf(text: string): string[] {
  words ??= new Intl.Segmenter("und", { granularity: "word" });
  const parts: string[] = [];
  for (const { segment } of words.segment(text)) {
    const before = parts.at(-1);
    if (before === undefined || unspaced.test(before) || unspaced.test(segment)) parts.push(segment);
    else parts.splice(-1, 1, before + segment);
  }
  return parts;
}

/** Strips the white space and control characters, which a line break may drop. */
export const bare = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, "");

const closing = /^[\p{Pe}\p{Pf}\p{Pi}"']$/u;

/** Initials and titles end with a period that doesn't end a sentence. */
const abbreviation = /^[\p{Ps}\p{Pi}"'¿¡]*(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|Sr|Sra|Jr|Prof)\.$/u;

/** The kind of break after this word, if it is the last of a line. */
export function endOf(part: string): SubtitleUnit["ends"] {
  let end = part.length;
  while (closing.test(part[end - 1] ?? "")) end -= 1;
  const bare = part.slice(0, end);
  if (/[.!?…。．！？।॥؟۔]$/u.test(bare)) return abbreviation.test(bare) ? "word" : "sentence";
  if (/[,;:，、；：،؛–—]$/u.test(bare)) return "clause";
  return /^[\p{sc=Latn}'’]{1,3}$/u.test(part) ? "smallWord" : "word";
}
