import { isDenseLanguage, isSupportedLanguage, shareInScript } from "./languages.ts";
import { compressionRatio } from "./repetition.ts";
import type { DecodeOptions, Reading, WindowDecoder } from "./window-decoder.ts";

/** What a reading is worth: text to keep, nobody spoke, or somebody spoke and the model could not write it down. */
type Verdict = "kept" | "silence" | "loop" | "wrongScript" | "doubtful";

export interface JudgedReading extends Reading {
  readonly verdict: Verdict;
}

const TEMPERATURES = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
/** Natural text stays below, a loop is above. */
const HIGHEST_COMPRESSION = 2.4;
/** True speech stays above -0.76. */
const LOWEST_CONFIDENCE = -1;
/** No-speech probabilities; that of true speech stays below 0.17. */
const SILENCE_IF_DOUBTFUL = 0.6;
const SILENCE_IF_VERY_DOUBTFUL = 0.25;
export const SILENCE_FOR_SURE = 0.85;
const LOWEST_SHARE_IN_SCRIPT = 0.5;

/** Reads a window, again with more chance while the text repeats itself or is doubtful, and judges the best reading. */
export async function readWindow(
  decoder: WindowDecoder,
  language: string,
  options: Omit<DecodeOptions, "temperature" | "random">,
): Promise<JudgedReading> {
  const random = createRandom();
  let best: Reading | undefined;
  for (const temperature of TEMPERATURES) {
    const reading = await decoder.read(language, { ...options, temperature, random });
    const isGood = !isRepetitive(reading) && reading.confidence >= LOWEST_CONFIDENCE;
    if (isSilence(reading) || isGood) {
      best = reading;
      break;
    }
    best = better(best, reading);
    // Chance does not mend a wrong script, and dense languages make each attempt dear.
    if (isDenseLanguage(language) && shareInScript(reading.text, language) < LOWEST_SHARE_IN_SCRIPT) break;
  }
  if (!best) throw new TypeError("no reading");
  return { ...best, verdict: judge(best, language) };
}

/** Whether somebody speaks in a window at all, whatever can be made of it, by one reading in the likeliest language. */
export async function isSpeech(decoder: WindowDecoder, language: string, signal: AbortSignal): Promise<boolean> {
  const reading = await decoder.read(language, { signal, temperature: 0, random: () => 0 });
  return judge(reading, language) !== "silence";
}

function judge(reading: Reading, language: string): Verdict {
  const { text, noSpeech, confidence } = reading;
  const isDoubtful = confidence < LOWEST_CONFIDENCE;
  if (isSilence(reading) || text.trim() === "") return "silence";
  if (isRepetitive(reading)) return noSpeech > SILENCE_IF_DOUBTFUL ? "silence" : "loop";
  if (isDoubtful && noSpeech > SILENCE_IF_VERY_DOUBTFUL) return "silence";
  if (isSupportedLanguage(language) && shareInScript(text, language) < LOWEST_SHARE_IN_SCRIPT) return "wrongScript";
  return isDoubtful ? "doubtful" : "kept";
}

function better(one: Reading | undefined, other: Reading): Reading {
  if (!one) return other;
  if (isRepetitive(one) !== isRepetitive(other)) return isRepetitive(one) ? other : one;
  return !isRepetitive(other) && other.confidence > one.confidence ? other : one;
}

function isRepetitive(reading: Reading): boolean {
  return reading.isLoop || compressionRatio(reading.text) > HIGHEST_COMPRESSION;
}

function isSilence({ noSpeech, confidence }: Reading): boolean {
  return noSpeech > SILENCE_FOR_SURE || (noSpeech > SILENCE_IF_DOUBTFUL && confidence < LOWEST_CONFIDENCE);
}

/** The same numbers each time, so that the same recording gives the same text (xorshift of 32 bits). */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
