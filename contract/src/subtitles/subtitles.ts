import type { SubtitleCue } from "./subtitle-cues.ts";

/**
 * A SubRip file. The format has no escapes, so characters that players would read as markup are replaced by look-alikes.
 * Players lay out lines from left to right, which puts the full stop of an Arabic sentence before it, so right-to-left lines
 * have a right-to-left mark at both ends.
 */
export const subRip = (cues: readonly SubtitleCue[]): string =>
  cues
    .map(
      ({ from, to, lines }, index) =>
        `${index + 1}\n${time(from, ",")} --> ${time(to, ",")}\n${lines.map(plain).map(directed).join("\n")}\n`,
    )
    .join("\n");

/** A WebVTT file; with `inlineTimes`, each word with a known time has it before the word: `<00:00:01.200>`. */
export const webVtt = (cues: readonly SubtitleCue[], { inlineTimes = false } = {}): string =>
  [
    "WEBVTT\n",
    ...cues.map(({ from, to, lines, times = [] }) => {
      const payload = lines.map((line, index) => timed(line, inlineTimes ? (times[index] ?? []) : []));
      return `${time(from, ".")} --> ${time(to, ".")}\n${payload.join("\n")}\n`;
    }),
  ].join("\n");

function timed(line: string, times: NonNullable<SubtitleCue["times"]>[number]): string {
  const pieces = [escaped(line.slice(0, times[0]?.offset))];
  for (const [index, { offset, at }] of times.entries())
    pieces.push(`<${time(at, ".")}>`, escaped(line.slice(offset, times[index + 1]?.offset)));
  return pieces.join("");
}

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

/** Characters before it, such as digits and quotation marks, follow its direction. */
const firstStrong = /[\p{L}\u200E\u200F\u061C]/u;
const rightToLeft =
  /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}\p{sc=Samr}\p{sc=Mand}\u200F\u061C]/u;
const rightToLeftMark = "\u200F";

/** A right-to-left line between marks of its direction. */
export const directed = (line: string): string =>
  rightToLeft.test(firstStrong.exec(line)?.[0] ?? "") ? `${rightToLeftMark}${line}${rightToLeftMark}` : line;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
