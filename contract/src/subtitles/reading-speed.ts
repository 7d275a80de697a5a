import type { SubtitleCue } from "./subtitle-cues.ts";

/** Characters that are read in a second, with spaces; marks on letters aren't counted. */
export interface ReadingSpeed {
  readonly average: number;
  /** The speed of the fastest cue. */
  readonly fastest: number;
}

/** `undefined` if there is nothing to read. */
export function readingSpeed(cues: readonly SubtitleCue[]): ReadingSpeed | undefined {
  let characters = 0;
  let seconds = 0;
  let fastest = 0;
  for (const { from, to, lines } of cues) {
    const letters = Array.from(lines.join(" ").replace(/\p{M}/gu, "")).length;
    const lasting = Math.max(1, to - from) / 1_000;
    characters += letters;
    seconds += lasting;
    fastest = Math.max(fastest, letters / lasting);
  }
  return cues.length === 0 ? undefined : { average: rounded(characters / seconds), fastest: rounded(fastest) };
}

const rounded = (speed: number): number => Math.round(speed * 10) / 10;
