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
  if (links === 0) {
    if (others > 0)
      return "No reel link found. A reel link looks like instagram.com/reel/…, tiktok.com/@…/video/… or youtube.com/shorts/…";
    return left === undefined
      ? ""
      : `${counted(left, "transcription", "transcriptions")} left. Reels already transcribed are free.`;
  }
  const found = foundSentence(links, others);
  const most = links - free;
  if (most === 0) return `${found} Free: already transcribed.`;
  if (left !== undefined && left < most)
    return `${found} You have ${counted(left, "transcription", "transcriptions")} left. Reels someone already transcribed are free.`;
  const rest = left === undefined ? "" : ` of your ${exactNumber(left)}`;
  const some = free > 0 ? `${exactNumber(free)} free. The rest uses` : "Uses";
  return `${found} ${some} at most ${exactNumber(most)}${rest} ${(left ?? most) === 1 ? "transcription" : "transcriptions"}.`;
}

function foundSentence(links: number, others: number): string {
  if (others === 0) return `${counted(links, "link", "links")} found.`;
  const wrong = others === 1 ? "1 link isn’t a reel" : `${exactNumber(others)} links aren’t reels`;
  return `${counted(links + others, "link", "links")} found, ${wrong}.`;
}
