import type { SubtitleCue } from "./subtitle-cues.ts";
import { directed } from "./subtitles.ts";
import { subtitleUnits } from "./subtitle-units.ts";

/** The picture that the sizes below belong to, in pixels; players scale it. */
const picture = { width: 1_080, height: 1_920 };
const side = 60;
/** Above the captions and buttons that platforms draw over the lower part of a reel. */
const bottom = 480;
const largest = 110;
const smallest = 20;
/** How wide a letter of a bold font is for its size. */
const letterShare = 0.6;

const styleFields =
  "Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding";

/**
 * An Advanced SubStation Alpha file (v4.00+): white, bold letters with a black outline, centered in the lower third of an
 * upright picture, as large as the widest line allows.
 */
export function subStationAlpha(cues: readonly SubtitleCue[]): string {
  const widest = cues.reduce((most, { lines }) => Math.max(most, ...lines.map(columnsOf)), 1);
  const size = Math.floor((picture.width - 2 * side) / (letterShare * widest));
  const style = [
    "Default,Arial",
    Math.min(largest, Math.max(smallest, size)),
    `&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,-1,0,0,0,100,100,0,0,1,4,0,2,${side},${side},${bottom},1`,
  ].join(",");
  return [
    "[Script Info]",
    "ScriptType: v4.00+",
    `PlayResX: ${picture.width}`,
    `PlayResY: ${picture.height}`,
    // Only a line that leaves the picture is broken again.
    "WrapStyle: 0",
    "ScaledBorderAndShadow: yes",
    "",
    "[V4+ Styles]",
    `Format: ${styleFields}`,
    `Style: ${style}`,
    "",
    "[Events]",
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    ...cues.map(
      ({ from, to, lines }) =>
        `Dialogue: 0,${time(from)},${time(to)},Default,,0,0,0,,${lines.map(plain).map(directed).join("\\N")}`,
    ),
    "",
  ].join("\n");
}

/** Added up from short units, because segmenting a long line takes time that grows with the square of its length. */
const columnsOf = (line: string): number =>
  subtitleUnits(line).reduce((columns, { width, spaced }) => columns + width + (spaced ? 1 : 0), 0);

/** Hundredths of a second, which is all that the format has. */
function time(milliseconds: number): string {
  const hundredths = Math.round(milliseconds / 10);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const minutes = hundredths / 6_000;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}

/** The format has no escapes that every player reads: braces become parentheses, and a backslash begins no override. */
const plain = (text: string): string => text.replaceAll("{", "(").replaceAll("}", ")").replaceAll("\\", "\\\u2060");
