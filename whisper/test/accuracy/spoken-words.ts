import { sampleRate } from "../recordings.ts";
import type { Span } from "../../src/recognition/signal/speech-spans.ts";

const frameLength = sampleRate / 100;
const loudAbove = 0.06;
const longestDipFrames = 25;
const shortestFrames = 15;

/** Finds phrases by their loudness, without any model: stretches between silences of a quarter second. */
export function phrasesIn(samples: Float32Array): Span[] {
  const loudness: number[] = [];
  for (let at = 0; at + frameLength <= samples.length; at += frameLength) {
    const sum = samples.subarray(at, at + frameLength).reduce((total, sample) => total + sample * sample, 0);
    loudness.push(Math.sqrt(sum / frameLength));
  }
  const usual = loudness.toSorted((one, other) => other - one)[Math.floor(loudness.length / 20)] ?? 0;
  const phrases: { start: number; end: number }[] = [];
  for (const [frame, value] of loudness.entries()) {
    if (value <= usual * loudAbove) continue;
    const last = phrases.at(-1);
    if (last && frame - last.end <= longestDipFrames) last.end = frame + 1;
    else phrases.push({ start: frame, end: frame + 1 });
  }
  return phrases
    .filter(({ start, end }) => end - start >= shortestFrames)
    .map(({ start, end }) => ({ start: start / 100, end: end / 100 }));
}

export interface PlacedPhrases {
  readonly samples: Float32Array;
  /** Start and end of each phrase in the samples. */
  readonly phrases: readonly Span[];
}

/** Puts phrases into digital silence, at most 28 s, with pauses of different lengths between them. */
export function placeInSilence(pieces: readonly { samples: Float32Array; phrase: Span }[]): PlacedPhrases {
  const samples = new Float32Array(29 * sampleRate);
  const phrases: Span[] = [];
  let at = 0.9;
  for (const [index, { samples: source, phrase }] of pieces.entries()) {
    const from = Math.max(0, phrase.start - 0.03);
    const piece = source.subarray(Math.round(from * sampleRate), Math.round((phrase.end + 0.05) * sampleRate));
    const seconds = piece.length / sampleRate;
    if (at + seconds > 28) break;
    samples.set(piece, Math.round(at * sampleRate));
    phrases.push({ start: at + phrase.start - from, end: at + phrase.end - from });
    at += seconds + 0.7 + 0.17 * (index % 4);
  }
  return { samples: samples.slice(0, Math.round((at + 0.3) * sampleRate)), phrases };
}
