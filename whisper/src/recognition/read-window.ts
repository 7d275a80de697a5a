import type { GapReason, Silence } from "../transcriber.ts";
import { isDenseLanguage, isSupportedLanguage, shareInScript, translationLanguage } from "./languages.ts";
import { compressionRatio } from "./repetition.ts";
import type { DecodeOptions, Reading, WindowReader } from "./decoder/window-decoder.ts";

/** The judgment of a reading: text to keep, nobody spoke, or somebody spoke and the model couldn't write it down. */
export type Verdict =
  | { readonly kind: "kept" }
  | { readonly kind: "silence"; readonly reason: Silence["reason"] }
  | { readonly kind: "gap"; readonly reason: GapReason };

export interface JudgedReading extends Reading {
  readonly verdict: Verdict;
}

const temperatures = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
/** Natural text stays below, a loop is above. */
const highestCompression = 2.4;
/** True speech stays above -0.76. */
const lowestConfidence = -1;
/** No-speech probabilities; that of true speech stays below 0.17. */
const silenceIfDoubtful = 0.6;
export const silenceIfVeryDoubtful = 0.25;
export const silenceForSure = 0.85;
/** An empty reading of this much detected speech is not silence, if the model heard somebody speak. */
export const leastSpeechSeconds = 2;
const lowestShareInScript = 0.5;

export interface ReadOptions extends Omit<DecodeOptions, "temperature" | "random" | "onText"> {
  /** Seconds of detected speech in the window. */
  readonly speechSeconds: number;
  /** Called with what the first reading has written so far, unless it is refused for sure. */
  readonly onDraft?: ((text: string) => void) | undefined;
}

/** Reads a window, again with more chance while the text repeats itself or is doubtful, and judges the best reading. */
export async function readWindow(
  reader: WindowReader,
  language: string,
  { speechSeconds, onDraft, ...options }: ReadOptions,
): Promise<JudgedReading> {
  const written = options.task === "translate" ? translationLanguage : language;
  const random = createRandom();
  const onText = (text: string, noSpeech: number): void => {
    const isDoubtful = noSpeech > silenceIfVeryDoubtful || compressionRatio(text) > highestCompression;
    if (!isDoubtful && !isInWrongScript({ text }, written)) onDraft?.(text.replace(/\uFFFD+$/, "").trim());
  };
  let best: Reading | undefined;
  for (const temperature of temperatures) {
    const isFirst = temperature === temperatures[0];
    const reading = await reader.read(language, { ...options, temperature, random, ...(isFirst && { onText }) });
    const isGood = !isRepetitive(reading) && reading.confidence >= lowestConfidence && !isMute(reading, speechSeconds);
    if (isSilence(reading) || isGood) {
      best = reading;
      break;
    }
    best = better(best, reading);
    // Chance does not mend a wrong script, and dense languages make each attempt dear.
    if (isDenseLanguage(written) && isInWrongScript(reading, written)) break;
  }
  if (!best) throw new TypeError("no reading");
  return { ...best, verdict: judge(best, written, speechSeconds) };
}

/** True if somebody speaks in a window, whether or not the text is usable, by one reading in the likeliest language. */
export async function isSpeech(
  reader: WindowReader,
  language: string,
  { signal, speechSeconds }: Pick<ReadOptions, "signal" | "speechSeconds">,
): Promise<boolean> {
  const reading = await reader.read(language, { beam: 1, signal, temperature: 0, random: () => 0 });
  return judge(reading, language, speechSeconds).kind !== "silence";
}

function judge(reading: Reading, language: string, speechSeconds: number): Verdict {
  const { text, noSpeech, confidence } = reading;
  const isDoubtful = confidence < lowestConfidence;
  if (isSilence(reading)) return { kind: "silence", reason: "noSpeech" };
  if (isMute(reading, speechSeconds)) return { kind: "gap", reason: "noText" };
  if (text.trim() === "")
    return { kind: "silence", reason: noSpeech > silenceIfVeryDoubtful ? "noSpeech" : "tooShort" };
  if (isRepetitive(reading))
    return noSpeech > silenceIfDoubtful
      ? { kind: "silence", reason: "noSpeech" }
      : { kind: "gap", reason: "repetition" };

  if (isDoubtful && noSpeech > silenceIfVeryDoubtful) return { kind: "silence", reason: "noSpeech" };
  if (isSupportedLanguage(language) && isInWrongScript(reading, language))
    return { kind: "gap", reason: "wrongScript" };

  return isDoubtful ? { kind: "gap", reason: "lowConfidence" } : { kind: "kept" };
}

/** Nothing was written although somebody speaks. */
function isMute({ text, noSpeech }: Reading, speechSeconds: number): boolean {
  return text.trim() === "" && speechSeconds >= leastSpeechSeconds && noSpeech <= silenceIfVeryDoubtful;
}

function isInWrongScript({ text }: Pick<Reading, "text">, language: string): boolean {
  return shareInScript(text, language) < lowestShareInScript;
}

function better(one: Reading | undefined, other: Reading): Reading {
  if (!one) return other;
  if (isRepetitive(one) !== isRepetitive(other)) return isRepetitive(one) ? other : one;
  return !isRepetitive(other) && other.confidence > one.confidence ? other : one;
}

function isRepetitive(reading: Reading): boolean {
  return reading.isLoop || compressionRatio(reading.text) > highestCompression;
}

function isSilence({ noSpeech, confidence }: Reading): boolean {
  return noSpeech > silenceForSure || (noSpeech > silenceIfDoubtful && confidence < lowestConfidence);
}

/** Repeats the same numbers, so that the same recording gives the same text (xorshift of 32 bits). */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
