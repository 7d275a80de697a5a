/** What a line may end at: a word with what clings to it, or a part of a text that has no spaces. */
export interface SubtitleUnit {
  readonly text: string;
  /** In columns of a line. */
  readonly width: number;
  /** A space stands before it, unless it begins a line. */
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

let graphemes: Intl.Segmenter | undefined;
let words: Intl.Segmenter | undefined;

function widthOf(text: string): number {
  graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? wideLetter : 1;
  return width;
}

/** `text` is one line without spaces at its ends. The units, with the spaces between them, are the text again. */
export function subtitleUnits(text: string): SubtitleUnit[] {
  const units: SubtitleUnit[] = [];
  for (const word of text.split(" "))
    for (const [index, part] of partsOf(word).entries()) {
      const unit = { text: part, width: widthOf(part), spaced: index === 0 && units.length > 0, ends: endOf(part) };
      const before = units.at(-1);
      const joined = before && clings(before.text, part) ? join(before, unit) : undefined;
      if (joined && joined.width <= lineWidth) units.splice(-1, 1, joined);
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

function partsOf(word: string): string[] {
  if (!unspaced.test(word)) return [word];
  words ??= new Intl.Segmenter("und", { granularity: "word" });
  const parts: string[] = [];
  for (const { segment } of words.segment(word)) {
    const before = parts.at(-1);
    if (before === undefined || unspaced.test(before) || unspaced.test(segment)) parts.push(segment);
    else parts.splice(-1, 1, before + segment);
  }
  return parts;
}

/** Initials and titles end with a point that ends no sentence. */
const abbreviation = /^[\p{Ps}\p{Pi}"'¿¡]*(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|Sr|Sra|Jr|Prof)\.$/u;

/** What a line that ends with this word ends at. */
export function endOf(part: string): SubtitleUnit["ends"] {
  const bare = part.replace(/[\p{Pe}\p{Pf}\p{Pi}"']+$/u, "");
  if (/[.!?…。．！？।॥؟۔]$/u.test(bare)) return abbreviation.test(bare) ? "word" : "sentence";
  if (/[,;:，、；：،؛–—]$/u.test(bare)) return "clause";
  return /^[\p{sc=Latn}'’]{1,3}$/u.test(part) ? "smallWord" : "word";
}
