// oxlint-disable-next-line no-restricted-imports -- lengths are those of the text as it is stored
import { storable } from "../engine/storable.ts";
import type { Segment, Word } from "../../../ports.ts";
import { isListOf, isNumber, isObjectOf, isText, orNull } from "../engine/columns.ts";
import { jsonOf } from "../engine/statement.ts";

/** Times of segments and words as columns of JSON and integers; words are packed by `packWords`. */
interface PlainTimes {
  readonly segments: readonly Segment[];
  readonly words: readonly number[] | null;
}

/** The first byte says how to read the others. */
const asJson = 0;
const asNumbers = 1;

const hasWords = 1;
const hasPercents = 2;
const hasLengths = 4;

/**
 * Encodes the times of a text in few bytes: numbers of variable length, each the difference from the likely value. A segment is
 * a range of the text, and a word usually ends before a space. Anything that doesn't fit the text is kept as JSON. Seconds are
 * rounded to milliseconds.
 */
export function packTimes(text: string, { segments, words }: PlainTimes): Uint8Array {
  const stored = storable(text);
  const stretches = stretchesOf(stored, segments);
  if (stretches === undefined) return Buffer.concat([Uint8Array.of(asJson), Buffer.from(jsonOf({ segments, words }))]);
  const bytes: number[] = [asNumbers];
  const write = (value: number): void => writeNumber(bytes, value);
  write(stretches.length);
  let offset = 0;
  let moment = 0;
  for (const { from, length, start, end } of stretches) {
    write(from - offset);
    write(length);
    write(start - moment);
    write(end - start);
    offset = from + length;
    moment = end;
  }
  writeWordTimes(bytes, stored, words === null ? null : unpackWords(words));
  return Uint8Array.from(bytes);
}

/** Decodes bytes that `packTimes` made for the same text. Throws if they are cut off or come from another release. */
export function unpackTimes(text: string, bytes: Uint8Array): { segments: Segment[]; words: number[] | null } {
  if (bytes[0] === asJson) return plainTimesIn(bytes);
  const read = readerOf(bytes);
  const segments = segmentsIn(read, text);
  return { segments, words: readWordTimes(read, text) };
}

/** Like `unpackTimes`, of bytes and a text that may be cut off: as many of the segments and words as are there. */
function unpackBeginning(text: string, bytes: Uint8Array): { segments: Segment[]; words: number[] } {
  const segments: Segment[] = [];
  const words: number[] = [];
  try {
    if (bytes[0] === asJson) {
      const plain = plainTimesIn(bytes);
      return { segments: plain.segments, words: plain.words ?? [] };
    }
    const read = readerOf(bytes);
    segmentsIn(read, text, segments);
    readWordTimes(read, text, words);
  } catch (error) {
    if (!(error instanceof CutOff || error instanceof SyntaxError)) throw error;
  }
  return { segments, words };
}

/** Like `unpackTimes`, without decoding the words, of which there are far more. */
const unpackSegments = (text: string, bytes: Uint8Array): Segment[] =>
  bytes[0] === asJson ? plainTimesIn(bytes).segments : segmentsIn(readerOf(bytes), text);

/** Finds each segment in the text, with times in milliseconds; undefined if one isn't there or has other fields. */
function stretchesOf(text: string, segments: readonly Segment[]) {
  const stretches: { from: number; length: number; start: number; end: number }[] = [];
  let offset = 0;
  for (const segment of segments) {
    const segmentText = storable(segment.text);
    const from = text.indexOf(segmentText, offset);
    if (from === -1 || Object.keys(segment).length !== 3) return undefined;
    offset = from + segmentText.length;
    stretches.push({
      from,
      length: segmentText.length,
      start: inMilliseconds(segment.start),
      end: inMilliseconds(segment.end),
    });
  }
  return stretches;
}

function writeWordTimes(bytes: number[], text: string, words: readonly StoredWord[] | null): void {
  if (words === null) return void bytes.push(0);
  const likely = likelyLengths(text);
  const lengths = placesOf(words).map(({ from, length }) => length - likely(from));
  const isAny = (differs: (word: StoredWord, index: number) => boolean, flag: number) =>
    words.some(differs) ? flag : 0;
  const flags =
    hasWords |
    isAny(({ percent }) => percent !== undefined, hasPercents) |
    isAny((_, index) => lengths[index] !== 0, hasLengths);
  bytes.push(flags);
  writeNumber(bytes, words.length);
  const unit = words.reduce((common, { start, end }) => divisor(divisor(common, start), end), 0) || 1;
  writeNumber(bytes, unit);
  let moment = 0;
  for (const [index, { start, end, percent }] of words.entries()) {
    writeNumber(bytes, (start - moment) / unit);
    writeNumber(bytes, (end - start) / unit);
    moment = end;
    if (flags & hasLengths) writeNumber(bytes, lengths[index]!);
    if (flags & hasPercents) bytes.push(percent === undefined ? 0 : percent + 1);
  }
}

function segmentsIn(read: Reader, text: string, segments: Segment[] = []): Segment[] {
  let offset = 0;
  let moment = 0;
  for (let left = read(); left > 0; left -= 1) {
    const from = offset + read();
    offset = from + read();
    const start = moment + read();
    moment = start + read();
    segments.push({ start: start / 1_000, end: moment / 1_000, text: text.slice(from, offset) });
  }
  return segments;
}

/** Packed as by `packWords`, without an object for each word: lists of scripts and searches decode thousands. */
function readWordTimes(read: Reader, text: string, words: number[] = []): number[] | null {
  const flags = read.byte();
  if (!(flags & hasWords)) return null;
  const likely = likelyLengths(text);
  let offset = 0;
  let moment = 0;
  const count = read();
  const unit = read();
  for (let left = count; left > 0; left -= 1) {
    const start = moment + read() * unit;
    const end = start + read() * unit;
    const length = likely(offset) + (flags & hasLengths ? read() : 0);
    const percentPlusOne = flags & hasPercents ? read.byte() : 0;
    words.push(packLength(length, percentPlusOne), start, end);
    offset += length;
    moment = end;
  }
  return words;
}

function placesOf(words: readonly StoredWord[]): { readonly from: number; readonly length: number }[] {
  let offset = 0;
  return words.map(({ length }) => ({ from: (offset += length) - length, length }));
}

/** The length of the word at a position, including the space before it. The search is short, because a text may be one word. */
function likelyLengths(text: string): (offset: number) => number {
  const pattern = /\s{0,4}\S{0,60}/y;
  return (offset) => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0].length ?? 0;
  };
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

/** Seven bits in each byte, the lowest first, and the sign in the lowest of all. */
function writeNumber(bytes: number[], value: number): void {
  let left = value < 0 ? -2 * value - 1 : 2 * value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push(128 + (left % 128));
  bytes.push(left);
}

class CutOff extends Error {
  override readonly name = "CutOff";
}

interface Reader {
  (): number;
  readonly byte: () => number;
}

function readerOf(bytes: Uint8Array): Reader {
  if (bytes[0] !== asNumbers) throw new Error("The times of a transcript are of another release");
  let at = 1;
  const byte = (): number => {
    const next = bytes[at];
    if (next === undefined) throw new CutOff("The times of a transcript are cut off");
    at += 1;
    return next;
  };
  const number = (): number => {
    let value = 0;
    let weight = 1;
    for (;;) {
      const next = byte();
      value += (next % 128) * weight;
      if (next < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      weight *= 128;
    }
  };
  return Object.assign(number, { byte });
}

const arePlainTimes = isObjectOf<{ segments: Segment[]; words: number[] | null }>({
  segments: isListOf(isObjectOf<Segment>({ start: isNumber, end: isNumber, text: isText })),
  words: orNull(isListOf(isNumber)),
});

function plainTimesIn(bytes: Uint8Array): { segments: Segment[]; words: number[] | null } {
  const value: unknown = JSON.parse(Buffer.from(bytes.subarray(1)).toString());
  if (!arePlainTimes(value)) throw new Error("The times of a transcript are of another shape");
  return value;
}

const inMilliseconds = (seconds: number): number => Math.round(seconds * 1_000);

/** Columns of a transcript or of a corrected copy. */
interface StoredTimes {
  readonly text: string;
  /** Empty if they are in `times`. */
  readonly segments: readonly Segment[];
  /** Packed by `packWords`; `null` if they are in `times`, or if there are none. */
  readonly words: readonly number[] | null;
  /** Packed by `packTimes`; `null` in corrected copies, and in transcripts of the older form. */
  readonly times: Uint8Array | null;
}

/**
 * The one reader of stored times, in both forms. Only here and in `compact-transcripts.ts`, which rewrites it, is the older form
 * known; it goes with the release after next.
 */
export const readTimes = ({
  text,
  segments,
  words,
  times,
}: StoredTimes): { readonly segments: readonly Segment[]; readonly words: readonly number[] | null } =>
  times === null ? { segments, words } : unpackTimes(text, times);

/** Like `readTimes`, of a text and bytes that may be cut off: as many of the segments and words as are there. */
export const readBeginningOfTimes = ({
  text,
  segments,
  words,
  times,
}: StoredTimes): { readonly segments: readonly Segment[]; readonly words: readonly number[] | null } =>
  times === null ? { segments, words } : unpackBeginning(text, times);

/** Like `readTimes`, without decoding the words, of which there are far more. */
export const readSegments = ({ text, segments, times }: Omit<StoredTimes, "words">): readonly Segment[] =>
  times === null ? segments : unpackSegments(text, times);

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
      start: boundMilliseconds(start),
      end: boundMilliseconds(end),
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
const packLength = (length: number, percentPlusOne: number): number => length + percentPlusOne * lengthUnit;

export const packWords = (words: readonly StoredWord[]): number[] =>
  words.flatMap(({ length, start, end, percent }) => [
    packLength(length, percent === undefined ? 0 : percent + 1),
    start,
    end,
  ]);

export function unpackWords(stored: readonly number[]): StoredWord[] {
  const words: StoredWord[] = [];
  for (let at = 0; at + 2 < stored.length; at += 3) {
    const [packed = 0, start = 0, end = 0] = stored.slice(at, at + 3);
    const percentPlusOne = Math.floor(packed / lengthUnit);
    words.push({ length: packed % lengthUnit, start, end, ...(percentPlusOne > 0 && { percent: percentPlusOne - 1 }) });
  }
  return words;
}

const boundMilliseconds = (seconds: number): number => Math.min(latest, Math.max(0, Math.round(seconds * 1_000) || 0));
