import { subtitleCues, type Speech, type Stretch, type SubtitleCue } from "./subtitle-cues.ts";
import type { SubtitleRules } from "./subtitle-rules.ts";
import { wordCues } from "./word-cues.ts";

/** The parts of a script that subtitles are made of; times are in seconds. */
export interface TimedScript {
  readonly transcript: string;
  readonly segments: readonly Speech[];
  readonly gaps: readonly Stretch[];
  readonly words?: readonly Speech[] | undefined;
  readonly receipt: { readonly audioSeconds: number };
}

/** The cues of a script. A transcript without times is shown throughout. */
export function cuesOf(
  { segments, words, gaps, transcript, receipt }: TimedScript,
  rules?: SubtitleRules,
): SubtitleCue[] {
  if (words !== undefined && words.length > 0) return wordCues(words, gaps, rules);
  return subtitleCues(
    segments.length > 0 ? segments : [{ start: 0, end: receipt.audioSeconds, text: transcript }],
    gaps,
    rules,
  );
}
