import { counted, exactNumber } from "../../format/number.ts";

interface Known {
  readonly links: number;
  /** Links that lead to something else than reels. */
  readonly others: number;
  /** Of the links, how many are known to be in the cache. */
  readonly free: number;
  /** What is left of the quota; `undefined` while that is not known. */
  readonly left: number | undefined;
}

/** What transcribing costs, before it is asked for. */
export function costSentence({ links, others, free, left }: Known): string {
  const rest = left === undefined ? "" : ` of your ${exactNumber(left)} left`;
  if (links === 0) {
    if (others > 0) return "No reel in this text. A reel’s link looks like instagram.com/reel/…";
    return left === undefined
      ? ""
      : `${counted(left, "transcription", "transcriptions")} left. From the cache it is free.`;
  }
  const found = `${counted(links, "link", "links")} found.`;
  const most = links - free;
  if (most === 0) return `${found} Free, from the cache.`;
  if (left !== undefined && left < most)
    return `${found} You have ${exactNumber(left)} left; what is in the cache stays free.`;
  const some = free > 0 ? `${exactNumber(free)} free, from the cache; at most` : "At most";
  return `${found} ${some} ${exactNumber(most)}${rest}.`;
}
