import { shareInScript } from "../recognition/languages.ts";
import { compressionRatio, endsInLoop } from "../recognition/repetition.ts";
import type { Gap, GapReason } from "../transcriber.ts";
import type { ReportedSegment } from "./verbose-transcription.ts";

export interface JudgedSegments {
  readonly accepted: readonly ReportedSegment[];
  /** Stretches whose text was left out. */
  readonly gaps: readonly Gap[];
  /** Seconds in which somebody spoke, whether or not the text is kept. */
  readonly speechSeconds: number;
  readonly keptSeconds: number;
}

const highestCompression = 2.4;
const lowestConfidence = -1;
const silenceIfDoubtful = 0.6;
const silenceForSure = 0.85;
const lowestShareInScript = 0.5;

/** Leaves out text over silence, loops, doubtful text and text in letters that the language is not written in. */
export function judgeSegments(segments: readonly ReportedSegment[], language: string | null): JudgedSegments {
  const spoken = segments.filter((segment) => segment.text.trim() !== "" && !isSilence(segment));
  const accepted: ReportedSegment[] = [];
  const gaps: Gap[] = [];
  for (const window of windowsOf(spoken)) {
    const reason = faultOf(window, language);
    if (reason === undefined) accepted.push(...window);
    else gaps.push({ start: window[0]?.start ?? 0, end: window.at(-1)?.end ?? 0, reason });
  }
  return { accepted, gaps, speechSeconds: secondsOf(spoken), keptSeconds: secondsOf(accepted) };
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

function faultOf(window: readonly ReportedSegment[], language: string | null): GapReason | undefined {
  const text = window.map((segment) => segment.text).join(" ");
  if (compressionRatio(text) > highestCompression) return "repetition";
  if (endsInLoop(window.flatMap((segment) => segment.tokens))) return "repetition";
  if (language !== null && shareInScriptsOf(text, language) < lowestShareInScript) return "wrongScript";
  return (window[0]?.confidence ?? 0) < lowestConfidence ? "lowConfidence" : undefined;
}

/** Hindi and Urdu are one spoken language in two scripts. */
function shareInScriptsOf(text: string, language: string): number {
  const share = shareInScript(text, language);
  return language === "hi" ? Math.max(share, shareInScript(text, "ar")) : share;
}

function isSilence({ noSpeech, confidence }: ReportedSegment): boolean {
  if (noSpeech === null) return false;
  return noSpeech > silenceForSure || (noSpeech > silenceIfDoubtful && (confidence ?? 0) < lowestConfidence);
}

function secondsOf(segments: readonly ReportedSegment[]): number {
  return segments.reduce((sum, { start, end }) => sum + end - start, 0);
}
