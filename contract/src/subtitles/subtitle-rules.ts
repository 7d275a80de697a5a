import { lineWidth } from "./subtitle-units.ts";

/** The rules that subtitles keep. Only a word that is longer than a line, or is spoken for longer than a cue lasts, breaks one. */
export interface SubtitleRules {
  /** Widths of letters in a line; a letter of a wide script is 2.6 wide. */
  readonly lineLength: number;
  /** Most lines of a cue, 1 to 3. */
  readonly lines: number;
  /** Most words of a cue. */
  readonly words: number;
  /** Milliseconds that a cue is shown at least, as long as speech and gaps leave them. */
  readonly shortest: number;
  /** Milliseconds that a cue is shown at most. */
  readonly longest: number;
}

/** The rules of broadcasters. */
export const usualRules: SubtitleRules = {
  lineLength: lineWidth,
  lines: 2,
  words: Infinity,
  shortest: 1_000,
  longest: Infinity,
};
