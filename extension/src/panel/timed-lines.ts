import type { FullScript } from "@reelscript/contract";

interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A line of a transcript, and its words where their times are known. */
export interface TimedLine extends TimedWord {
  readonly words: readonly TimedWord[];
}

/** The lines of a script. Its words, one after another, are the transcript, and so are its segments; corrected ones have none. */
export function timedLines({ segments, words = [], transcript, receipt }: FullScript): readonly TimedLine[] {
  if (segments.length === 0)
    return transcript === "" ? [] : [{ text: transcript, start: 0, end: receipt.audioSeconds, words }];
  let next = 0;
  return segments.map((segment, index) => {
    const { text, start, end, corrected } = segment;
    const mine: TimedWord[] = [];
    const letterCount = corrected ? 0 : bare(text).length;
    for (let length = 0; length < letterCount && next < words.length; next += 1) {
      const word = words[next]!;
      mine.push(word);
      length += bare(word.text).length;
    }
    // The line stays lit in the pause before the next one.
    return { text: text.trim(), start, end: Math.max(end, segments[index + 1]?.start ?? end), words: mine };
  });
}

const bare = (text: string): string => text.replace(/\s+/g, "");

interface Piece {
  readonly text: string;
  readonly kind: "plain" | "now" | "hit";
}

/** A line divided into hits, the spoken word, and the rest. */
export function piecesOf(line: TimedLine, at: number | undefined, query: string): readonly Piece[] {
  const term = query.trim().toLowerCase();
  if (term !== "") return foundIn(line.text, term);
  if (at === undefined) return [{ text: line.text, kind: "plain" }];
  if (line.words.length === 0) return [{ text: line.text, kind: "now" }];
  const spoken = line.words.findLastIndex(({ start }) => start <= at);
  return line.words.flatMap(({ text }, index): Piece[] => {
    const wordText = index === 0 ? text.trimStart() : text;
    if (index !== spoken) return [{ text: wordText, kind: "plain" }];
    const word = wordText.trimStart();
    return [
      { text: wordText.slice(0, wordText.length - word.length), kind: "plain" },
      { text: word, kind: "now" },
    ];
  });
}

function foundIn(text: string, term: string): readonly Piece[] {
  const pieces: Piece[] = [];
  // Some letters change their length in lower case; then positions would not match, and nothing is marked.
  const lower = text.toLowerCase();
  let from = 0;
  if (lower.length === text.length)
    for (let offset = lower.indexOf(term); offset !== -1; offset = lower.indexOf(term, from)) {
      if (offset > from) pieces.push({ text: text.slice(from, offset), kind: "plain" });
      from = offset + term.length;
      pieces.push({ text: text.slice(offset, from), kind: "hit" });
    }
  if (from < text.length) pieces.push({ text: text.slice(from), kind: "plain" });
  return pieces;
}
