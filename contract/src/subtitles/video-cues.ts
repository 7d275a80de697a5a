import { cuesOf, type TimedScript } from "./cues-of-script.ts";
import { subtitleUnits } from "./subtitle-units.ts";
import { fontOf, sizeOfCue, videoStyles, type VideoFont, type VideoStyleName } from "./video-styles.ts";

/** Words that are shown together in a subtitled video. */
export interface VideoCue {
  /** Whole milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Height of a line, in pixels of the picture. */
  readonly size: number;
  /** Each line in parts that are spoken one after another; `at`, in milliseconds, is when a part begins. */
  readonly lines: readonly (readonly { readonly text: string; readonly at: number }[])[];
}

export interface VideoSubtitles {
  readonly cues: readonly VideoCue[];
  readonly font: VideoFont;
}

/** The words of a subtitled video, the same for its preview and for the video itself. */
export function videoCues(script: TimedScript, styleName: VideoStyleName): VideoSubtitles {
  const style = videoStyles[styleName];
  const font = fontOf(script.transcript);
  const cues = cuesOf(script, style.rules).map(({ from, to, lines, times = [] }): VideoCue => {
    // The first word of a cue has no time of its own, nor has one that begins with the word before it.
    let last = from;
    return {
      from,
      to,
      size: sizeOfCue(style, font, Math.max(...lines.map(columnsOf))),
      lines: lines.map((line, index) => {
        const begins = [{ offset: 0, at: last }, ...(times[index] ?? [])].filter(
          ({ offset }, position, all) => position === all.length - 1 || all[position + 1]!.offset > offset,
        );
        last = begins.at(-1)!.at;
        return begins.map(({ offset, at }, position) => ({
          text: line.slice(offset, begins[position + 1]?.offset),
          at,
        }));
      }),
    };
  });
  return { cues, font };
}

/** Added up from short units, because segmenting a long line takes time that grows with the square of its length. */
export const columnsOf = (line: string): number =>
  subtitleUnits(line).reduce((columns, { width, spaced }) => columns + width + (spaced ? 1 : 0), 0);
