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
    const wanted = corrected ? 0 : bare(text).length;
    for (let length = 0; length < wanted && next < words.length; next += 1) {
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
  const wanted = query.trim().toLowerCase();
  if (wanted !== "") return foundIn(line.text, wanted);
  if (at === undefined) return [{ text: line.text, kind: "plain" }];
  if (line.words.length === 0) return [{ text: line.text, kind: "now" }];
  const spoken = line.words.findLastIndex(({ start }) => start <= at);
  return line.words.flatMap(({ text }, index): Piece[] => {
    const shown = index === 0 ? text.trimStart() : text;
    if (index !== spoken) return [{ text: shown, kind: "plain" }];
    const word = shown.trimStart();
    return [
      { text: shown.slice(0, shown.length - word.length), kind: "plain" },
      { text: word, kind: "now" },
    ];
  });
}

function foundIn(text: string, wanted: string): readonly Piece[] {
  const pieces: Piece[] = [];
  // Some letters change their length in lower case; then positions would not match, and nothing is marked.
  const lower = text.toLowerCase();
  let from = 0;
  if (lower.length === text.length)
    for (let place = lower.indexOf(wanted); place !== -1; place = lower.indexOf(wanted, from)) {
      if (place > from) pieces.push({ text: text.slice(from, place), kind: "plain" });
      from = place + wanted.length;
      pieces.push({ text: text.slice(place, from), kind: "hit" });
    }
  if (from < text.length) pieces.push({ text: text.slice(from), kind: "plain" });
  return pieces;
}
