/** One word of a text; all in order make up the text. */
export interface TextWord {
  /** Characters from the beginning of the text; the space before the word belongs to it. */
  readonly from: number;
  readonly to: number;
  /** Position of its first letter, digit or spoken sign. */
  readonly spokenFrom: number;
}

const spokenCharacter = /[\p{L}\p{N}\p{M}\p{Sc}\p{Sm}&%@#]/u;
const openingMarks = /^[\p{Ps}\p{Pi}¿¡]+$/u;
const writtenWithoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Cuts a text into words: at spaces, and by dictionary where a script has none. Punctuation stays with its word. */
export function splitWords(text: string): readonly TextWord[] {
  const pieces = text.match(/\s*\S+|\s+$/gu)?.flatMap(piecesOf) ?? [];
  const words: string[] = [];
  let held = "";
  for (const piece of pieces)
    if (spokenCharacter.test(piece)) {
      words.push(held + piece);
      held = "";
    } else if (held !== "" || words.length === 0 || openingMarks.test(piece.trim())) held += piece;
    else words.push(`${String(words.pop())}${piece}`);

  if (held !== "") words.push(`${words.pop() ?? ""}${held}`);
  let from = 0;
  return words.map((word) => {
    const start = from;
    from += word.length;
    return { from: start, to: from, spokenFrom: start + Math.max(0, word.search(spokenCharacter), word.search(/\S/u)) };
  });
}

function piecesOf(chunk: string): string[] {
  if (!writtenWithoutSpaces.test(chunk)) return [chunk];
  const segmenter = new Intl.Segmenter("und", { granularity: "word" });
  const pieces: string[] = [];
  let space = "";
  for (const { segment } of segmenter.segment(chunk)) {
    if (segment.trim() === "") {
      space += segment;
      continue;
    }
    pieces.push(space + segment);
    space = "";
  }
  return space === "" ? pieces : [...pieces, space];
}
