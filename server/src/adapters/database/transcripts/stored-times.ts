import type { Segment } from "../../../ports.ts";
import { unpackBeginning, unpackSegments, unpackTimes } from "./transcript-times.ts";

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
