import type { Word } from "../../../ports.ts";
// oxlint-disable-next-line no-restricted-imports -- lengths are those of the text as it will be stored
import { storable } from "../engine/storable.ts";

/** The maximum of PostgreSQL's `integer`. */
const latest = 2_147_483_647;
/**
 * A word's length is stored with a multiple of this: the percent of its probability plus one, or 0 where that is
 * unknown.
 */
export const lengthUnit = 20_000_000;

/** A word in the text as it is stored; `start` and `end` in milliseconds. */
export interface StoredWord {
  readonly length: number;
  readonly start: number;
  readonly end: number;
  /** Whole percent. */
  readonly percent?: number | undefined;
}

/**
 * Three numbers for each word: the length of its text with its probability, and its start and end in milliseconds. `null`
 * when there are no words, or when they do not join to the text.
 */
export function writeWords(text: string, words: readonly Word[] | null): number[] | null {
  if (words === null || words.length === 0) return null;
  const texts = words.map((word) => storable(word.text));
  if (texts.join("") !== storable(text) || texts.some(({ length }) => length >= lengthUnit)) return null;
  return packWords(
    words.map(({ start, end, probability }, index) => ({
      length: texts[index]!.length,
      start: milliseconds(start),
      end: milliseconds(end),
      percent: probability === undefined ? undefined : Math.min(100, Math.max(0, Math.round(probability * 100) || 0)),
    })),
  );
}

/** The words of the same text again. */
export function readWords(text: string, stored: readonly number[] | null): Word[] | null {
  if (stored === null) return null;
  let offset = 0;
  return unpackWords(stored).map(({ length, start, end, percent }) => ({
    text: text.slice(offset, (offset += length)),
    start: start / 1_000,
    end: end / 1_000,
    ...(percent !== undefined && { probability: percent / 100 }),
  }));
}

/** The percent is one more than that of the word's probability, or 0 where that is unknown. */
export const packLength = (length: number, percentPlusOne: number): number => length + percentPlusOne * lengthUnit;

export const packWords = (words: readonly StoredWord[]): number[] =>
  words.flatMap(({ length, start, end, percent }) => [
    packLength(length, percent === undefined ? 0 : percent + 1),
    start,
    end,
  ]);

export function unpackWords(stored: readonly number[]): StoredWord[] {
  const words: StoredWord[] = [];
  for (let at = 0; at + 2 < stored.length; at += 3) {
    const [packed = 0, start = 0, end = 0] = [stored[at], stored[at + 1], stored[at + 2]];
    const percentPlusOne = Math.floor(packed / lengthUnit);
    words.push({ length: packed % lengthUnit, start, end, ...(percentPlusOne > 0 && { percent: percentPlusOne - 1 }) });
  }
  return words;
}

const milliseconds = (seconds: number): number => Math.min(latest, Math.max(0, Math.round(seconds * 1_000) || 0));
