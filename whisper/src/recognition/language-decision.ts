import { WhisperError } from "../whisper-error.ts";
import { alikeWhenShort, countedAs, isDenseLanguage, isSupportedLanguage, supportedLanguages } from "./languages.ts";

export interface LanguageDecision {
  /**
   * "supported": recognize in `language`. "uncertain": speech in `language`, but too doubtful to be recognized. "unreliable": most
   * words would be wrong, so that only a hint gets it recognized.
   */
  readonly kind: "supported" | "uncertain" | "unreliable" | "unsupported";
  readonly language: string;
  /** Among all languages of the model. */
  readonly probability: number;
  /** Without the hint it would not have been recognized in this language, or not at all. */
  readonly hintDecided: boolean;
}

/** Bounds by which a language is decided that a head reads. */
export interface HeadDetection {
  /** Languages that the model can't tell from it. */
  readonly with: readonly string[];
  /** The least that all of them need together, by themselves and where a hint names the language; 0 to 1. */
  readonly least: number;
  readonly leastWithHint: number;
}

export interface LanguageReaders {
  /** True if a model of its own reads a language: then the doubts about the detecting model's languages do not count. */
  readonly isSpecialized: (language: string) => boolean;
  /** `undefined` for languages that no head reads. */
  readonly headDetection: (language: string) => HeadDetection | undefined;
  /** True for languages that are only recognized where the caller names them. */
  readonly isUnreliable: (language: string) => boolean;
}

/** The mean probability of each of a model's languages in a recording. */
interface HeardLanguages {
  readonly probabilities: ReadonlyMap<string, number>;
  /** Seconds of speech that it heard. */
  readonly seconds: number;
}

const overrulesHint = 0.9;
/** A hint that is hardly heard at all yields to a language that is heard more than all others together. */
const hardlyHeardBelow = 0.02;
const overrulesUnheardHint = 0.5;
const leastSupported = 0.5;
const sureEnough = 0.5;
/** The small models take other speech for these three. */
const sureEnoughIfDense = 0.9;
/** In so little speech a model takes a language for one that sounds alike. */
const shortSeconds = 10;

/** Mean of several windows' probabilities. */
export function meanLanguageProbabilities(
  windows: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<string, number> {
  const mean = new Map<string, number>();
  for (const probabilities of windows)
    for (const [language, probability] of probabilities)
      mean.set(language, (mean.get(language) ?? 0) + probability / windows.length);

  return mean;
}

/**
 * Decides what is spoken. Languages that are spoken alike count as one, in little speech also those that only sound alike. A hint
 * wins unless another language is heard with more than 0.9, or with more than half while the hint is hardly heard. Without a
 * hint the supported languages together must have at least half. Languages that a head reads have bounds of their own.
 */
export function decideLanguage(
  languages: HeardLanguages,
  hint: string | undefined,
  readers: LanguageReaders,
): LanguageDecision {
  const unhinted = decideByHead(languages, readers) ?? decideAlone(countedTogether(languages, undefined), readers);
  if (hint === undefined) return unhinted;
  const probability = hintedProbability(languages, hint, readers);
  if (probability === undefined) return unhinted;
  const hintDecided = unhinted.kind !== "supported" || unhinted.language !== hint;
  return { kind: "supported", language: hint, probability, hintDecided };
}

/** The probability of a hint's language, where that is enough for the hint to win. */
function hintedProbability(languages: HeardLanguages, hint: string, readers: LanguageReaders): number | undefined {
  const detection = readers.headDetection(hint);
  if (detection) {
    const share = shareOf(languages, [hint, ...detection.with]);
    return share >= detection.leastWithHint ? share : undefined;
  }
  const probabilities = countedTogether(languages, hint);
  const probability = probabilities.get(hint) ?? 0;
  const highest = Math.max(...probabilities.values());
  const needed = probability < hardlyHeardBelow ? overrulesUnheardHint : overrulesHint;
  return probability === highest || highest <= needed ? probability : undefined;
}

/** `undefined` when no language is heard that a head reads. */
function decideByHead(languages: HeardLanguages, { headDetection }: LanguageReaders): LanguageDecision | undefined {
  for (const language of supportedLanguages) {
    const detection = headDetection(language);
    if (!detection) continue;
    const probability = shareOf(languages, [language, ...detection.with]);
    if (probability < detection.least) continue;
    const leading = [language, ...detection.with].reduce((one, other) =>
      shareOf(languages, [other]) > shareOf(languages, [one]) ? other : one,
    );
    const kind = leading === language ? "supported" : "unsupported";
    return { kind, language: leading, probability, hintDecided: false };
  }
  return undefined;
}

function decideAlone(
  probabilities: ReadonlyMap<string, number>,
  { isSpecialized, headDetection, isUnreliable }: LanguageReaders,
): LanguageDecision {
  const probabilityOf = (language: string) => probabilities.get(language) ?? 0;
  const ranked = [...probabilities.keys()].toSorted((one, other) => probabilityOf(other) - probabilityOf(one));
  const likeliest = ranked[0] ?? "und";
  const decide = (kind: LanguageDecision["kind"], language: string): LanguageDecision => ({
    kind,
    language,
    probability: probabilityOf(language),
    hintDecided: false,
  });
  const supported = supportedLanguages.reduce((sum, language) => sum + probabilityOf(language), 0);
  if (supported < leastSupported)
    return decide("unsupported", ranked.find((language) => !isSupportedLanguage(language)) ?? likeliest);

  const language = ranked.find(isSupportedLanguage) ?? likeliest;
  const share = probabilityOf(language) / supported;
  // It was not heard clearly enough for its head.
  if (headDetection(language)) return decide("uncertain", language);
  if (isUnreliable(language)) return decide(share < sureEnough ? "uncertain" : "unreliable", language);
  const sure = isDenseLanguage(language) && !isSpecialized(language) ? sureEnoughIfDense : sureEnough;
  return decide(share < sure ? "uncertain" : "supported", language);
}

const shareOf = ({ probabilities }: HeardLanguages, languages: readonly string[]): number =>
  languages.reduce((sum, language) => sum + (probabilities.get(language) ?? 0), 0);

/** Probabilities with languages as one that are spoken alike, and in little speech those that sound alike: as the hint, if it is one of them. */
function countedTogether(
  { probabilities, seconds }: HeardLanguages,
  hint: string | undefined,
): ReadonlyMap<string, number> {
  const together = new Map<string, number>();
  for (const [language, probability] of probabilities) {
    const counted = countedAs(language);
    together.set(counted, (together.get(counted) ?? 0) + probability);
  }
  if (seconds >= shortSeconds) return together;
  for (const group of alikeWhenShort) {
    const probabilityOf = (language: string) => together.get(language) ?? 0;
    const meant = hint !== undefined && group.members.includes(hint) ? hint : group.meant(probabilityOf);
    const sum = group.members.reduce((all, member) => all + probabilityOf(member), 0);
    for (const member of group.members) together.delete(member);
    together.set(meant, sum);
  }
  return together;
}

export function refusal({ kind, language }: LanguageDecision, model: string): WhisperError {
  if (kind === "uncertain") return notRecognized(language, model);
  if (kind === "unreliable")
    return new WhisperError(
      "notReliable",
      `${model} would write most words wrong in ${language}, and no hint asks for it.`,
      {
        language,
        model,
      },
    );
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
