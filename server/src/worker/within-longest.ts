import { correctionLimits, cutText } from "@reelscript/contract/values";
import type { NewTranscript } from "../ports.ts";

const longest = correctionLimits.characters;

type Said = Pick<NewTranscript, "text" | "segments" | "words" | "truncated">;

/**
 * Cuts a transcript to the maximum length of a corrected script. Nobody says more in a reel, and all work on a text grows with
 * its length.
 */
export function withinLongest<Speech extends Said>(speech: Speech): Speech {
  if (speech.text.length <= longest) return speech;
  const segments: Said["segments"][number][] = [];
  let left = longest;
  for (const segment of speech.segments) {
    const text = beginningOf(segment.text, left);
    if (text === "") break;
    segments.push({ ...segment, text });
    left -= segment.text.length + 1;
  }
  return { ...speech, text: beginningOf(speech.text, longest), segments, words: null, truncated: true };
}

const beginningOf = (text: string, length: number): string => cutText(text, Math.max(0, length)).trimEnd();
