import { type Speech, subtitleCues } from "./subtitle-cues.ts";

/** A SubRip file. The format knows no escapes, so what players would take for its marks is spelt with look-alikes. */
export const subRip = (speech: readonly Speech[]): string =>
  subtitleCues(speech)
    .map(
      ({ from, to, lines }, index) =>
        `${index + 1}\n${time(from, ",")} --> ${time(to, ",")}\n${lines.map(plain).join("\n")}\n`,
    )
    .join("\n");

/** A WebVTT file. */
export const webVtt = (speech: readonly Speech[]): string =>
  [
    "WEBVTT\n",
    ...subtitleCues(speech).map(
      ({ from, to, lines }) => `${time(from, ".")} --> ${time(to, ".")}\n${lines.map(escaped).join("\n")}\n`,
    ),
  ].join("\n");

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
