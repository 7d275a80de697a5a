import type { SubtitleCue } from "./subtitle-cues.ts";
import { directed } from "./subtitles.ts";
import { columnsOf, type VideoCue, type VideoSubtitles } from "./video-cues.ts";
import { videoPicture, videoStyles, type VideoFont, type VideoStyle, type VideoStyleName } from "./video-styles.ts";

/** The sizes below belong to this picture; players scale it. */
const { side } = videoPicture;
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
  const size = Math.floor((videoPicture.width - 2 * side) / (letterShare * widest));
  const style = [
    "Default,Arial",
    Math.min(largest, Math.max(smallest, size)),
    `&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,-1,0,0,0,100,100,0,0,1,4,0,2,${side},${side},${bottom},1`,
  ].join(",");
  return fileOf(
    style,
    cues.map(
      ({ from, to, lines }) =>
        `Dialogue: 0,${time(from)},${time(to)},Default,,0,0,0,,${lines.map(plain).map(directed).join("\\N")}`,
    ),
  );
}

/** The file with which a video is made. A style with a color for the spoken word shows each cue once for each word. */
export function videoSubtitleFile({ cues, font }: VideoSubtitles, styleName: VideoStyleName): string {
  const style = videoStyles[styleName];
  return fileOf(
    styleLine(style, font),
    cues.flatMap((cue) => (style.spoken === undefined ? [throughout(cue)] : wordByWord(style.spoken, cue))),
  );
}

const fileOf = (style: string, events: readonly string[]): string =>
  [
    "[Script Info]",
    "ScriptType: v4.00+",
    `PlayResX: ${videoPicture.width}`,
    `PlayResY: ${videoPicture.height}`,
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
    ...events,
    "",
  ].join("\n");

/** Lines find their direction themselves (the last field). */
function styleLine({ size, isBold, color, edge, shadow, bottom }: VideoStyle, { family, scale }: VideoFont): string {
  const { kind, width, opacity } = edge;
  return [
    "Default",
    family,
    Math.round(scale * size),
    colorOf(color),
    colorOf(color),
    colorOf("000000", opacity),
    colorOf("000000", opacity / 2),
    isBold ? -1 : 0,
    "0,0,0,100,100,0,0",
    kind === "box" ? 3 : 1,
    width,
    shadow,
    2,
    side,
    side,
    bottom,
    -1,
  ].join(",");
}

/** The format has blue first, and transparency in the place of opacity. */
function colorOf(color: string, opacity = 1): string {
  const [red = "", green = "", blue = ""] = color.match(/../g) ?? [];
  const transparency = Math.round(255 * (1 - opacity));
  return `&H${transparency.toString(16).padStart(2, "0").toUpperCase()}${blue}${green}${red}`;
}

const sizeTag = ({ size }: VideoCue): string => `{\\fs${size}}`;

const event = (from: number, to: number, text: string): string =>
  `Dialogue: 0,${time(from)},${time(to)},Default,,0,0,0,,${text}`;

function throughout(cue: VideoCue): string {
  const lines = cue.lines.map((parts) => plain(parts.map(({ text }) => text).join("")));
  return event(cue.from, cue.to, sizeTag(cue) + lines.join("\\N"));
}

/** Parts that begin at the same time are spoken together. */
function wordByWord(spoken: string, cue: VideoCue): string[] {
  const moments = [...new Set(cue.lines.flat().map(({ at }) => at))];
  return moments.map((moment, index) => {
    const lines = cue.lines.map((parts) =>
      parts
        .map(({ text, at }) => (at === moment ? `{\\1c${colorOf(spoken)}&}${plain(text)}{\\1c}` : plain(text)))
        .join(""),
    );
    return event(moment, moments[index + 1] ?? cue.to, sizeTag(cue) + lines.join("\\N"));
  });
}

/** Hundredths of a second, which is all that the format has. */
function time(milliseconds: number): string {
  const hundredths = Math.round(milliseconds / 10);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const minutes = hundredths / 6_000;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}

/** The format has no escapes that every player reads: braces become parentheses, and a backslash begins no override. */
const plain = (text: string): string => text.replaceAll("{", "(").replaceAll("}", ")").replaceAll("\\", "\\\u2060");
