/** What is said from `start` to `end`, in seconds. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A SubRip file. The format knows no escapes, so what players would take for its marks is spelt with look-alikes. */
export const subRip = (cues: readonly Cue[]): string =>
  timed(cues)
    .map(({ from, to, text }, index) => `${index + 1}\n${time(from, ",")} --> ${time(to, ",")}\n${plain(text)}\n`)
    .join("\n");

/** A WebVTT file. */
export const webVtt = (cues: readonly Cue[]): string =>
  [
    "WEBVTT\n",
    ...timed(cues).map(({ from, to, text }) => `${time(from, ".")} --> ${time(to, ".")}\n${escaped(text)}\n`),
  ].join("\n");

interface TimedLine {
  /** Whole milliseconds. */
  readonly from: number;
  readonly to: number;
  /** One line, never empty. */
  readonly text: string;
}

/** In the order of time, as both formats want it; a cue without a length would never be shown. */
function timed(cues: readonly Cue[]): TimedLine[] {
  return cues
    .map(({ start, end, text }) => {
      const from = milliseconds(start);
      return { from, to: Math.max(milliseconds(end), from + 1), text: oneLine(text) };
    })
    .filter(({ text }) => text !== "")
    .toSorted((left, right) => left.from - right.from);
}

const milliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1_000)) || 0;

/** An empty line would end the cue. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

function time(total: number, point: string): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const rest = String(total % 1_000).padStart(3, "0");
  return `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1_000) % 60)}${point}${rest}`;
}

const plain = (text: string): string =>
  text
    .replaceAll("-->", "--\u203A")
    .replace(/<(?=[a-z/])/gi, "\u2039")
    .replace(/\{(?=\\)/g, "(");

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
