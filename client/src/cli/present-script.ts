import { clock } from "@reelscript/contract/values";
import type { Output } from "../operation-types.ts";
import type { Page } from "./surroundings.ts";
import { shortenText, wrapText } from "./text.ts";

type FullScript = Output<"getScript">;

/** Shows the text, each line after its time, or each word after its own if word times were requested. */
export function scriptPage({ transcript, segments, words, gaps }: FullScript, page: Page): string {
  const pieces = words?.map(({ start, text }) => ({ start, text: text.trim() })) ?? segments;
  if (pieces.length === 0) return wrapText(transcript, page.width).join("\n");
  const missing = gaps.map(({ start, end }) => ({
    start,
    text: page.dim(`(${Math.max(1, Math.round(end - start))} s we couldn't make out)`),
  }));
  const lines = [...pieces, ...missing].toSorted((left, right) => left.start - right.start);
  const times = lines.map(({ start }) => (words === undefined ? clock(start) : exactClock(start)));
  const column = Math.max(...times.map((time) => time.length)) + 2;
  return lines
    .flatMap(({ text }, index) =>
      wrapText(text, Math.max(20, page.width - column)).map(
        (line, row) => `${page.dim((row === 0 ? times[index]! : "").padEnd(column))}${line}`,
      ),
    )
    .join("\n");
}

/** Says whether the new transcript replaced the old one, and if not, why. */
export function retranscriptionNote({ replaced, reason }: Output<"retranscribeScript">): string {
  if (replaced) return "The new transcript replaced the old one.";
  const because = {
    empty: "the new one has no words",
    shorterAudio: "less of the reel was recognized this time",
    notFewerGaps: "no less speech is missing in the new one",
    fewerWords: "the new one has fewer words",
  };
  return `The old transcript was kept${reason === undefined ? "" : `: ${because[reason]}`}.`;
}

/** Shows a search's snippet after its time, or else the beginning of the transcript or caption. */
export function scriptLine(
  { snippet, at, transcript, caption }: Output<"searchMyScripts">["scripts"][number],
  width: number,
): string {
  const excerpt = snippet?.map(({ text }) => text).join("");
  const time = at === undefined ? "" : `${clock(at)}  `;
  return `${time}${shortenText(excerpt ?? (transcript || caption || "(nothing is said)"), width - time.length)}`;
}

/** Minutes, seconds and hundredths: 1:05.27. */
function exactClock(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  return `${clock(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
}
