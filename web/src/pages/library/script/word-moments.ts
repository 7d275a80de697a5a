import type { Output } from "../../../api/operation-types.ts";
import { findMatches } from "./find-matches.ts";

/** When the word at a place of a text is said; `undefined` where that isn't known. Texts are numbered as segments are. */
export type MomentOf = (place: { readonly text: number; readonly start: number }) => number | undefined;

/** Looks words up in the segments, whose texts they are, one after another; corrected segments have none. */
export function wordMoments({ segments, words = [] }: Pick<Output<"getScript">, "segments" | "words">): MomentOf {
  let next = 0;
  const takeWords = (said: string): readonly PlacedWord[] => {
    const placed: PlacedWord[] = [];
    let taken = "";
    for (let word = words[next]; word !== undefined && taken.length < said.length; word = words[next]) {
      taken = (taken + word.text).trimStart();
      placed.push({ end: taken.length, at: word.start });
      next += 1;
    }
    return taken.trimEnd() === said ? placed : [];
  };
  const placed =
    segments.length === 0
      ? [
          takeWords(
            words
              .map(({ text }) => text)
              .join("")
              .trim(),
          ),
        ]
      : segments.map(({ text, corrected }) => (corrected ? [] : takeWords(text.trim())));
  return ({ text, start }) => placed[text]?.find(({ end }) => end > start)?.at;
}

interface PlacedWord {
  /** Where it ends in its segment. */
  readonly end: number;
  readonly at: number;
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
