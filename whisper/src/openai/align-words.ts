import { type HeardWord, placeWords } from "../recognition/words/place-words.ts";
import { splitWords } from "../recognition/words/split-words.ts";
import type { Segment, Word } from "../transcriber.ts";

/** A word as an endpoint reports it, often without punctuation and spaces. */
export interface ReportedWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Gives the words of each segment's text the times of the reported words, letter by letter. The first word of each segment
 * begins with a space. `null` when the reported words aren't those of the segments.
 */
export function alignWords(
  segments: readonly Segment[],
  reported: readonly ReportedWord[],
): readonly (readonly Word[])[] | null {
  const wordOfLetter: ReportedWord[] = [];
  const letters: string[] = [];
  for (const word of reported)
    for (const letter of lettersOf(word.text)) {
      letters.push(letter);
      wordOfLetter.push(word);
    }

  let next = 0;
  const aligned: Word[][] = [];
  for (const { start, end, text: untrimmed } of segments) {
    const text = untrimmed.trim();
    const words: HeardWord[] = [];
    for (const { from, to } of splitWords(text)) {
      const first = next;
      for (const letter of lettersOf(text.slice(from, to))) {
        if (letters[next] !== letter) return null;
        next += 1;
      }
      const times = first === next ? { start, end } : timesOf(wordOfLetter[first], wordOfLetter[next - 1]);
      const spaced = `${from === 0 ? " " : ""}${text.slice(from, to)}`;
      words.push({ ...times, text: spaced, earliest: start, latest: end });
    }
    aligned.push(placeWords(words, []));
  }
  return next === letters.length ? aligned : null;
}

function timesOf(first: ReportedWord | undefined, last: ReportedWord | undefined) {
  return { start: first?.start ?? 0, end: last?.end ?? 0 };
}

/** Reduces a word to its letters and digits, so that case, punctuation and the composition of accents don't matter. */
function lettersOf(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]/gu) ?? []
  );
}
