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
