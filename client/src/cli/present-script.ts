import type { Output } from "../create-client.ts";
import type { Page } from "./page.ts";
import { shortenText, wrapText } from "./text.ts";

/** What is said, each line after the time at which it is said. */
export function scriptPage({ transcript, segments }: Output<"getScript">, page: Page): string {
  if (segments.length === 0) return wrapText(transcript, page.width).join("\n");
  const times = segments.map(({ start }) => clock(start));
  const column = Math.max(...times.map((time) => time.length)) + 2;
  return segments
    .flatMap(({ text }, index) =>
      wrapText(text, Math.max(20, page.width - column)).map(
        (line, row) => `${page.dim((row === 0 ? times[index]! : "").padEnd(column))}${line}`,
      ),
    )
    .join("\n");
}

/** What a search found, after the time at which it is said; else how the transcript or caption begins. */
export function scriptLine(
  { snippet, at, transcript, caption }: Output<"searchMyScripts">["scripts"][number],
  width: number,
): string {
  const found = snippet?.map(({ text }) => text).join("");
  const time = at === undefined ? "" : `${clock(at)}  `;
  return `${time}${shortenText(found ?? (transcript || caption || "(nothing is said)"), width - time.length)}`;
}

/** Minutes and seconds: 1:05. */
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
