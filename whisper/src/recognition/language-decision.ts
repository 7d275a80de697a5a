import { WhisperError } from "../whisper-error.ts";
import { countedAs, isDenseLanguage, isSupportedLanguage, supportedLanguages } from "./languages.ts";

export interface LanguageDecision {
  /** "supported": recognize in `language`. "uncertain": speech in `language`, but too doubtful to be recognized. */
  readonly kind: "supported" | "uncertain" | "unsupported";
  readonly language: string;
  /** Among all languages of the model. */
  readonly probability: number;
  /** Without the hint it would not have been recognized in this language, or not at all. */
  readonly hintDecided: boolean;
}

const overrulesHint = 0.9;
/** A hint that is hardly heard at all yields to a language that is heard more than all others together. */
const hardlyHeardBelow = 0.02;
const overrulesUnheardHint = 0.5;
const leastSupported = 0.5;
const sureEnough = 0.5;
/** The small models take other speech for these three. */
const sureEnoughIfDense = 0.9;

/** Mean of several windows' probabilities, with languages that are spoken alike counted as one. */
export function meanLanguageProbabilities(
  windows: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<string, number> {
  const mean = new Map<string, number>();
  for (const probabilities of windows)
    for (const [language, probability] of probabilities) {
      const counted = countedAs(language);
      mean.set(counted, (mean.get(counted) ?? 0) + probability / windows.length);
    }

  return mean;
}

/**
 * Decides what is spoken. A hint wins unless another language is heard with more than 0.9, or with more than half while
 * the hint is hardly heard. Without a hint the supported languages
 * together must have at least half. `isSpecialized` tells whether a model of its own reads a language: then the doubts about
 * the detecting model's languages do not count.
 */
export function decideLanguage(
  probabilities: ReadonlyMap<string, number>,
  hint: string | undefined,
  isSpecialized: (language: string) => boolean,
): LanguageDecision {
  const probabilityOf = (language: string) => probabilities.get(language) ?? 0;
  const ranked = [...probabilities.keys()].toSorted((one, other) => probabilityOf(other) - probabilityOf(one));
  const heard = ranked[0] ?? "und";
  const decide = (kind: LanguageDecision["kind"], language: string, hintDecided = false): LanguageDecision => ({
    kind,
    language,
    probability: probabilityOf(language),
    hintDecided,
  });
  const isHardlyHeard = hint !== undefined && probabilityOf(hint) < hardlyHeardBelow;
  const needed = isHardlyHeard ? overrulesUnheardHint : overrulesHint;
  if (hint !== undefined && (heard === hint || probabilityOf(heard) <= needed)) {
    const unhinted = decideLanguage(probabilities, undefined, isSpecialized);
    return decide("supported", hint, unhinted.kind !== "supported" || unhinted.language !== hint);
  }
  const supported = supportedLanguages.reduce((sum, language) => sum + probabilityOf(language), 0);
  if (supported < leastSupported)
    return decide("unsupported", ranked.find((language) => !isSupportedLanguage(language)) ?? heard);

  const language = ranked.find(isSupportedLanguage) ?? heard;
  const sure = isDenseLanguage(language) && !isSpecialized(language) ? sureEnoughIfDense : sureEnough;
  return decide(probabilityOf(language) / supported < sure ? "uncertain" : "supported", language);
}

export function refusal({ kind, language }: LanguageDecision, model: string): WhisperError {
  if (kind === "uncertain") return notRecognized(language, model);
  return new WhisperError("unsupportedLanguage", `The language heard is ${language}, which is not supported.`, {
    language,
    model,
  });
}

export function notRecognized(language: string, model: string): WhisperError {
  return new WhisperError("notRecognized", `${model} could not write down most of the speech, heard as ${language}.`, {
    language,
    model,
  });
}
