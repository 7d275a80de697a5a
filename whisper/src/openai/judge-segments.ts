import { shareInScript } from "../recognition/languages.ts";
import { compressionRatio, endsInLoop } from "../recognition/repetition.ts";
import type { ReportedSegment } from "./verbose-transcription.ts";

export interface JudgedSegments {
  readonly kept: readonly ReportedSegment[];
  /** Seconds in which somebody spoke, whether or not the text is kept. */
  readonly speechSeconds: number;
  readonly keptSeconds: number;
}

const HIGHEST_COMPRESSION = 2.4;
const LOWEST_CONFIDENCE = -1;
const SILENCE_IF_DOUBTFUL = 0.6;
const SILENCE_FOR_SURE = 0.85;
const LOWEST_SHARE_IN_SCRIPT = 0.5;

/** Leaves out what was written over silence, loops, doubtful text and text in letters the language is not written in. */
export function judgeSegments(segments: readonly ReportedSegment[], language: string | null): JudgedSegments {
  const spoken = segments.filter((segment) => segment.text.trim() !== "" && !isSilence(segment));
  const kept = windowsOf(spoken)
    .filter((window) => !isBad(window, language))
    .flat();
  return { kept, speechSeconds: secondsOf(spoken), keptSeconds: secondsOf(kept) };
}

/** Segments of one window carry the window's figures; a loop may show only in all of a window's text. */
function windowsOf(segments: readonly ReportedSegment[]): ReportedSegment[][] {
  const windows: ReportedSegment[][] = [];
  for (const segment of segments) {
    const window = windows.at(-1);
    const isSame =
      window?.[0] !== undefined &&
      segment.end - window[0].start <= 30 &&
      window[0].confidence === segment.confidence &&
      window[0].noSpeech === segment.noSpeech;
    if (isSame) window?.push(segment);
    else windows.push([segment]);
  }
  return windows;
}

function isBad(window: readonly ReportedSegment[], language: string | null): boolean {
  const text = window.map((segment) => segment.text).join(" ");
  if (compressionRatio(text) > HIGHEST_COMPRESSION) return true;
  if (endsInLoop(window.flatMap((segment) => segment.tokens))) return true;
  if (language !== null && shareInScriptsOf(text, language) < LOWEST_SHARE_IN_SCRIPT) return true;
  const [first] = window;
  return first?.confidence !== null && first?.confidence !== undefined && first.confidence < LOWEST_CONFIDENCE;
}

/** Hindi and Urdu are one spoken language in two scripts. */
function shareInScriptsOf(text: string, language: string): number {
  const share = shareInScript(text, language);
  return language === "hi" ? Math.max(share, shareInScript(text, "ar")) : share;
}

function isSilence({ noSpeech, confidence }: ReportedSegment): boolean {
  if (noSpeech === null) return false;
  return noSpeech > SILENCE_FOR_SURE || (noSpeech > SILENCE_IF_DOUBTFUL && (confidence ?? 0) < LOWEST_CONFIDENCE);
}

function secondsOf(segments: readonly ReportedSegment[]): number {
  return segments.reduce((sum, { start, end }) => sum + end - start, 0);
}
