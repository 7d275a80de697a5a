import type { Output } from "../../../api/operation-types.ts";
import { findMatches } from "./find-matches.ts";

/** When the word at a place of a text is said; `undefined` where that isn't known. Texts are numbered as segments are. */
export type MomentOf = (place: { readonly text: number; readonly start: number }) => number | undefined;

/** Looks words up in the transcript, which is the text of the segments in order, and the words concatenated. */
export function wordMoments({
  segments,
  transcript,
  words = [],
}: Pick<Output<"getScript">, "segments" | "transcript" | "words">): MomentOf {
  if (words.length === 0) return () => undefined;
  const ends: number[] = [];
  for (const { text } of words) ends.push((ends.at(-1) ?? 0) + text.length);
  const begins: (number | undefined)[] = [];
  let from = 0;
  for (const segment of segments) {
    const text = segment.text.trim();
    const begin = transcript.indexOf(text, from);
    begins.push(begin === -1 ? undefined : begin);
    if (begin !== -1) from = begin + text.length;
  }
  if (segments.length === 0) begins.push(0);
  return ({ text, start }) => {
    const begin = begins[text];
    if (begin === undefined) return undefined;
    const word = ends.findIndex((end) => end > begin + start);
    return words[word]?.start;
  };
}

/**
 * The second to show: one within the segment as it is, the beginning of the segment, or what led here, at which its word is said.
 * Searches name the beginning of a segment.
 */
export function momentAt(
  { segments }: Pick<Output<"getScript">, "segments">,
  asked: {
    readonly current: number;
    readonly t: number;
    readonly query: string | undefined;
    readonly momentOf: MomentOf;
  },
): number | undefined {
  const segment = segments[asked.current];
  if (segment === undefined) return undefined;
  if (asked.t > segment.start && asked.t < segment.end) return asked.t;
  const [found] = asked.query === undefined ? [] : findMatches([segment.text.trim()], asked.query);
  return (found && asked.momentOf({ ...found, text: asked.current })) ?? segment.start;
}
