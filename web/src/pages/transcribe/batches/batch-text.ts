import type { Output } from "@reelscript/client/core";
import { exactNumber } from "../../../format.ts";

type ListedBatch = Output<"listBatches">["batches"][number];

/** Batch of 15: 6 done, 2 failed, 7 waiting, about 2 min. */
export function batchSentence({ counts, secondsLeft }: Pick<ListedBatch, "counts" | "secondsLeft">): string {
  const left = counts.waiting + counts.underWay;
  const parts = [
    `${exactNumber(counts.done)} done`,
    ...(counts.failed > 0 ? [`${exactNumber(counts.failed)} failed`] : []),
    ...(counts.canceled > 0 ? [`${exactNumber(counts.canceled)} canceled`] : []),
    ...(left > 0 ? [`${exactNumber(left)} waiting`] : []),
    ...(secondsLeft === undefined || left === 0 ? [] : [about(secondsLeft)]),
  ];
  return `Batch of ${exactNumber(counts.total)}: ${parts.join(", ")}.`;
}

const about = (seconds: number): string =>
  seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;

/** Says what the next links are waiting for; nothing if they aren't waiting. */
export function waitSentence({ waitingFor, continuesAt, counts }: ListedBatch): string | undefined {
  if (waitingFor === undefined || counts.waiting === 0) return undefined;
  if (waitingFor === "rateLimit") {
    const minutes = Math.ceil((Date.parse(continuesAt ?? "") - Date.now()) / 60_000);
    return `You’ve reached the hour’s limit. The next reels begin ${minutes > 0 ? `in ${exactNumber(minutes)} min` : "soon"}.`;
  }
  if (waitingFor === "quota") return "The rest waits for reels that hold your last transcriptions.";
  if (waitingFor === "queue") return "The rest waits for a free place in the queue.";
  return "The platform isn’t answering. We’ll ask again.";
}
