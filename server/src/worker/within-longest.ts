import { correctionLimits, cutText } from "@reelscript/contract/values";
import type { NewTranscript } from "../ports.ts";

const longest = correctionLimits.characters;

type Said = Pick<NewTranscript, "text" | "segments" | "words" | "truncated">;

/**
 * Cuts a transcript to the maximum length of a corrected script. Nobody says more in a reel, and all work on a text grows with
 * its length.
 */
export function withinLongest<Heard extends Said>(heard: Heard): Heard {
  if (heard.text.length <= longest) return heard;
  const segments: Said["segments"][number][] = [];
  let left = longest;
  for (const segment of heard.segments) {
    const text = beginningOf(segment.text, left);
    if (text === "") break;
    segments.push({ ...segment, text });
    left -= segment.text.length + 1;
  }
  return { ...heard, text: beginningOf(heard.text, longest), segments, words: null, truncated: true };
}

const beginningOf = (text: string, length: number): string => cutText(text, Math.max(0, length)).trimEnd();
