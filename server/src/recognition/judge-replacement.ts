import { countWords } from "@reelscript/contract/values";
import type { NewTranscript, RetranscriptionOutcome, Transcript } from "../ports.ts";

/** Engines cut the end of a reel to slightly different lengths. */
const sameLength = 1;
/** Two recognitions of the same speech may differ by this share of the words. */
const tolerance = 0.05;

/** Decides whether a new transcript may replace the old one, which it may only if nothing is lost. */
export function judgeReplacement(
  old: Pick<Transcript, "text" | "gaps" | "seconds">,
  replacement: Pick<NewTranscript, "text" | "gaps" | "seconds">,
): RetranscriptionOutcome {
  if (replacement.text.trim() === "") return "empty";
  if (old.text.trim() === "") return "replaced";
  if (replacement.seconds < old.seconds - sameLength) return "shorterAudio";
  if (secondsOf(replacement.gaps) >= secondsOf(old.gaps)) return "notFewerGaps";
  const before = countWords(old.text);
  return countWords(replacement.text) < before - Math.max(1, before * tolerance) ? "fewerWords" : "replaced";
}

const secondsOf = (gaps: Transcript["gaps"]): number =>
  gaps.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
