import { cleanLine, differences } from "@reelscript/contract";
import type { Segment } from "../../../ports.ts";
// oxlint-disable-next-line no-restricted-imports -- positions are those in the text as it is stored
import { storable } from "../engine/storable.ts";
import { packWords, unpackWords, type StoredWord } from "../transcripts/transcript-times.ts";

interface Original {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Packed by `writeWords`. */
  readonly words: readonly number[] | null;
}

interface Composed {
  readonly text: string;
  readonly segments: readonly (Segment & { readonly corrected?: true })[];
  readonly words: number[] | null;
}

interface HeardWord extends StoredWord {
  readonly from: number;
  readonly said: string;
}

/**
 * Gives the segments of a transcript other texts. Words that stay keep their times; new ones take the times of the
 * words that they replace.
 */
export function composeCorrection({ text, segments, words }: Original, texts: readonly string[]): Composed {
  if (segments.length === 0) return { text: texts.join(" "), segments: [], words: null };
  const ranges = rangesOf(text, segments);
  const spokenWords = ranges === undefined || words === null ? [] : wordsIn(text, words);
  const corrected: Composed["segments"][number][] = [];
  const timed: StoredWord[] = [];
  let composed = "";
  let word = 0;
  let end = 0;
  for (const [index, segment] of segments.entries()) {
    const newText = texts[index] ?? "";
    const range = ranges?.[index] ?? { start: end, end };
    const separator = composed === "" ? "" : ranges === undefined ? " " : text.slice(end, range.start);
    const mine: HeardWord[] = [];
    for (; word < spokenWords.length && spokenWords[word]!.from + spokenWords[word]!.length <= range.end; word += 1)
      mine.push(spokenWords[word]!);
    end = range.end;
    if (newText === "") continue;
    const stays = newText === cleanLine(segment.text);
    const segmentText = stays ? storable(segment.text).trim() : newText;
    corrected.push(stays ? segment : { start: segment.start, end: segment.end, text: newText, corrected: true });
    const [first, ...others] = timedWords(segmentText, mine, segment);
    if (first) timed.push({ ...first, length: first.length + separator.length }, ...others);
    composed += separator + segmentText;
  }
  return { text: composed, segments: corrected, words: spokenWords.length === 0 ? null : packWords(timed) };
}

/** Times the words of a segment's text by those that were heard in it. */
function timedWords(segmentText: string, spokenWords: readonly HeardWord[], segment: Segment): StoredWord[] {
  if (
    spokenWords
      .map((word) => word.said)
      .join("")
      .trim() === segmentText
  )
    return spokenWords.map((word, index) => ({
      ...word,
      length: index === 0 ? word.said.trimStart().length : word.length,
    }));
  const pieces = segmentText.split(/(?<=\S)(?=\s)/u).filter((piece) => piece.trim() !== "");
  const words: StoredWord[] = [];
  const stretches = differences(
    spokenWords.map((word) => word.said.trim()),
    pieces.map((piece) => piece.trim()),
  );
  for (const { same, before, after } of stretches) {
    const written = pieces.slice(...after);
    if (same) words.push(...written.map(({ length }, index) => ({ ...spokenWords[before[0] + index]!, length })));
    else
      words.push(...spread(written, stretchOf(words, spokenWords.slice(...before), spokenWords[before[1]], segment)));
  }
  return words;
}

/** The span of the heard words that new ones replace. Words that replace none fall between their neighbors. */
function stretchOf(
  words: readonly StoredWord[],
  replaced: readonly HeardWord[],
  next: HeardWord | undefined,
  segment: Segment,
): { readonly start: number; readonly end: number } {
  const start = replaced[0]?.start ?? words.at(-1)?.end ?? Math.round(segment.start * 1_000);
  const end = replaced.at(-1)?.end ?? next?.start ?? Math.round(segment.end * 1_000);
  return { start, end: Math.max(start, end) };
}

/** Divides a span among words in proportion to their letters. */
function spread(pieces: readonly string[], { start, end }: { start: number; end: number }): StoredWord[] {
  const letters = pieces.reduce((sum, piece) => sum + piece.trim().length, 0);
  let spokenLetters = 0;
  const moment = () => Math.round(start + ((end - start) * spokenLetters) / letters);
  return pieces.map((piece) => {
    const begins = moment();
    spokenLetters += piece.trim().length;
    return { length: piece.length, start: begins, end: moment() };
  });
}

/** Finds the segments' positions in the text; undefined when one isn't there. */
function rangesOf(text: string, segments: readonly Segment[]) {
  const ranges: { readonly start: number; readonly end: number }[] = [];
  let from = 0;
  for (const segment of segments) {
    const segmentText = storable(segment.text).trim();
    const start = text.indexOf(segmentText, from);
    if (start === -1) return undefined;
    from = start + segmentText.length;
    ranges.push({ start, end: from });
  }
  return ranges;
}

/** Words with their positions in the text. */
function wordsIn(text: string, stored: readonly number[]): HeardWord[] {
  let from = 0;
  return unpackWords(stored).map((word) => {
    const begins = from;
    from += word.length;
    return { ...word, from: begins, said: text.slice(begins, from) };
  });
}
