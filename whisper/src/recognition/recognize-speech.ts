import { recognizerRevision } from "../recognizer-revision.ts";
import type { HeardPassage, Recognition, Word } from "../transcriber.ts";
import { WhisperError } from "../whisper-error.ts";
import { decideLanguage, type LanguageDecision, meanLanguageProbabilities } from "./language-decision.ts";
import { isDenseLanguage, isSupportedLanguage } from "./languages.ts";
import { hearWindow, type HeardWindow } from "./hear-window.ts";
import { isSpeech, silenceForSure } from "./read-window.ts";
import type { Specification } from "./decoder/specification.ts";
import { SpeechLedger } from "./speech-ledger.ts";
import type { Span } from "./signal/speech-spans.ts";
import { encoderSeconds, speechBetween, type SpeechWindow } from "./speech-window.ts";
import type { Tokenizer } from "./decoder/tokenizer.ts";
import type { WindowReader } from "./decoder/window-decoder.ts";
import { joinWords } from "./words/word-times.ts";

/** A recording whose samples still come, and where somebody speaks in it. */
export interface Timeline {
  /** Seconds of the recording so far. */
  readonly seconds: number;
  readonly spans: readonly Span[];
  nextWindow(from: number, longest: number, signal: AbortSignal): Promise<SpeechWindow | undefined>;
  samples(window: SpeechWindow): Float32Array;
}

interface Model {
  readonly name: string;
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  /** Hears at most 30 s of samples. */
  listen(samples: Float32Array): Promise<WindowReader>;
}

export interface Models {
  readonly default: Model;
  /** Whether a language has a model of its own. */
  isSpecialized(language: string): boolean;
  /** The model that reads a language. Throws `WhisperError` "unavailable". */
  forLanguage(language: string): Promise<Model>;
}

export interface RecognizeSpeechOptions {
  readonly language: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the second of the recording up to which is done; may fall. */
  readonly onProgress: (seconds: number) => void;
  /** Called with what is kept of each window. */
  readonly onPassage: (passage: HeardPassage) => void;
}

const detectionWindows = 3;
/** One window is enough when a language is this likely in it. */
const detectedForSure = 0.8;
/** Hindi, Tamil and Telugu need that many tokens a second that more does not fit into one text. */
const longestDenseSeconds = 11;

/** A rescue of a shorter window than this would cut sentences to pieces. */
const shortestRescuedSeconds = 12;
const shortestStuckSeconds = 6;
/** More seconds of speech than this between the words of a window: some words seem to be missing. */
const toleratedMissingSeconds = 0.5;
const leadInSeconds = 0.5;
/** Readings that may fail beyond those that succeed, before windows are given up without another try. */
const freeRescues = 3;

interface DetectionWindow {
  readonly window: SpeechWindow;
  readonly reader: WindowReader;
  readonly probabilities: ReadonlyMap<string, number>;
}

/** Writes down what is said in a recording while its samples still come. Throws `WhisperError`. See docs/decisions/recognition.md. */
export async function recognizeSpeech(
  timeline: Timeline,
  models: Models,
  options: RecognizeSpeechOptions,
): Promise<Recognition> {
  return new SpeechRecognition(timeline, models, options).run();
}

class SpeechRecognition {
  readonly #timeline: Timeline;
  readonly #models: Models;
  readonly #options: RecognizeSpeechOptions;
  /** Encoder passes of the language detection, for use by the recognition. */
  readonly #detected: DetectionWindow[] = [];
  readonly #hint: string | undefined;
  readonly #ledger = new SpeechLedger();
  /** Ends of the windows that the language detection judged silent, by where they start. */
  readonly #silent = new Map<number, number>();
  readonly #words: (readonly Word[])[] = [];
  #hasWords = true;
  #rescues = freeRescues;

  constructor(timeline: Timeline, models: Models, options: RecognizeSpeechOptions) {
    this.#timeline = timeline;
    this.#models = models;
    this.#options = options;
    const hint = options.language?.split("-")[0]?.toLowerCase();
    if (hint === undefined) return;
    if (isSupportedLanguage(hint) && models.default.specification.languages.has(hint)) this.#hint = hint;
  }

  async run(): Promise<Recognition> {
    const decision = await this.#detectLanguage();
    if (!decision) {
      for (const [start, end] of this.#silent) this.#ledger.judgeSilent({ start, end }, "noSpeech");
      return this.#result("und", null, this.#models.default.name);
    }
    const { language } = decision;
    const model = await this.#models.forLanguage(language);
    await this.#readAll(model, language);
    return this.#result(language, decision.probability, model.name);
  }

  /** Listens to up to three windows in which somebody seems to speak. `undefined` when there is none. */
  async #detectLanguage(): Promise<LanguageDecision | undefined> {
    const { signal } = this.#options;
    let from = 0;
    for (;;) {
      while (this.#detected.length < detectionWindows) {
        const window = await this.#timeline.nextWindow(from, encoderSeconds, signal);
        if (!window) break;
        from = window.end;
        const heard = await this.#hearLanguages(window);
        if (!heard) {
          this.#silent.set(window.start, window.end);
          continue;
        }
        this.#detected.push(heard);
        if (Math.max(...heard.probabilities.values()) > detectedForSure) break;
      }
      if (this.#detected.length === 0) return undefined;
      const probabilities = meanLanguageProbabilities(this.#detected.map((each) => each.probabilities));
      const decision = decideLanguage(probabilities, this.#hint, (language) => this.#models.isSpecialized(language));
      if (decision.kind === "supported") return decision;
      if (await this.#isSpeech(decision.language)) throw refusal(decision, this.#models.default.name);
      // What sounded like speech were noises: look further.
      for (const { window } of this.#detected) this.#silent.set(window.start, window.end);
      this.#detected.length = 0;
    }
  }

  async #hearLanguages(window: SpeechWindow): Promise<DetectionWindow | undefined> {
    const reader = await this.#listen(this.#models.default, window);
    const guess = this.#hint ?? this.#likeliestSoFar() ?? "en";
    if ((await reader.noSpeechProbability(guess)) > silenceForSure) return undefined;
    return { window, reader, probabilities: await reader.languageProbabilities(guess) };
  }

  #likeliestSoFar(): string | undefined {
    const last = this.#detected.at(-1);
    return last && [...last.probabilities].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  }

  /** Noise and music are taken for rare languages. */
  async #isSpeech(language: string): Promise<boolean> {
    const { signal } = this.#options;
    for (const { window, reader } of this.#detected)
      if (await isSpeech(reader, language, { signal, speechSeconds: this.#speechIn(window) })) return true;

    return false;
  }

  async #readAll(model: Model, language: string): Promise<void> {
    const { signal, onProgress } = this.#options;
    const usual = isDenseLanguage(language) ? longestDenseSeconds : encoderSeconds;
    let longest = usual;
    let from = 0;
    for (;;) {
      const window = await this.#timeline.nextWindow(from, longest, signal);
      if (!window) return;
      const heardUntil = await this.#readOne(model, language, window);
      if (heardUntil === undefined) {
        longest = window.length / 2;
        continue;
      }
      longest = usual;
      from = heardUntil;
      onProgress(from);
    }
  }

  /** Returns where the next window may begin; `undefined` when a shorter one from the same place may succeed. */
  async #readOne(model: Model, language: string, window: SpeechWindow): Promise<number | undefined> {
    if (this.#silent.get(window.start) === window.end) {
      this.#ledger.judgeSilent(window, "noSpeech");
      return window.end;
    }
    const known = this.#detected.find((each) => each.window.start === window.start && each.window.end === window.end);
    const reader = known && model === this.#models.default ? known.reader : await this.#listen(model, window);
    const heard = await this.#hearAgain(model, language, window, await this.#hear(reader, model, language, window));
    const { verdict } = heard;
    if (verdict.kind === "silence") {
      this.#ledger.judgeSilent(window, verdict.reason);
      return window.end;
    }
    if (verdict.kind === "gap") {
      // Fewer words don't mend a wrong script.
      if (verdict.reason !== "wrongScript" && this.#mayRescue(window, shortestRescuedSeconds)) return undefined;
      this.#ledger.lose(window, verdict.reason);
      return window.end;
    }
    if (heard.isStuck && this.#mayRescue(window, shortestStuckSeconds)) return undefined;
    this.#rescues += 1;
    this.#ledger.keep(heard.segments);
    if (heard.words === null) this.#hasWords = false;
    else this.#words.push(heard.words);
    if (heard.segments.length > 0) this.#options.onPassage({ language, segments: heard.segments });
    return heard.heardUntil;
  }

  async #hear(reader: WindowReader, model: Model, language: string, window: SpeechWindow): Promise<HeardWindow> {
    return hearWindow(reader, window, {
      language,
      specification: model.specification,
      tokenizer: model.tokenizer,
      spans: this.#timeline.spans,
      signal: this.#options.signal,
      onProgress: this.#options.onProgress,
    });
  }

  /** Words that a model left out, it often writes when the same sound comes a little later. */
  async #hearAgain(model: Model, language: string, window: SpeechWindow, heard: HeardWindow): Promise<HeardWindow> {
    if (heard.missingSeconds <= toleratedMissingSeconds) return heard;
    const later = window.after(leadInSeconds);
    if (!later || !this.#mayRescue(later, 0)) return heard;
    const again = await this.#hear(await this.#listen(model, later), model, language, later);
    const lengthOf = ({ segments }: HeardWindow) => segments.reduce((sum, { text }) => sum + text.length, 0);
    const isBetter =
      again.verdict.kind === "kept" &&
      !again.isStuck &&
      again.missingSeconds < heard.missingSeconds &&
      lengthOf(again) >= lengthOf(heard);
    return isBetter ? again : heard;
  }

  /** Each rescue is another encoder pass and several readings: a recording of nothing but noise must not take forever. */
  #mayRescue(window: SpeechWindow, shortest: number): boolean {
    if (window.length < shortest || this.#rescues === 0) return false;
    this.#rescues -= 1;
    return true;
  }

  #speechIn({ start, end }: Span): number {
    return speechBetween(this.#timeline.spans, start, end);
  }

  async #listen(model: Model, window: SpeechWindow): Promise<WindowReader> {
    this.#options.signal.throwIfAborted();
    return model.listen(this.#timeline.samples(window));
  }

  #result(language: string, languageProbability: number | null, model: string): Recognition {
    const { seconds, spans } = this.#timeline;
    const { segments, gaps, silences, keptSeconds, lostSeconds } = this.#ledger.settle(spans);
    if (lostSeconds > keptSeconds) throw notRecognized(language, model);
    const clamp = (time: number) => Math.min(Math.max(Math.round(time * 1000) / 1000, 0), seconds);
    const clamped = <Stretch extends Span>(stretch: Stretch): Stretch => ({
      ...stretch,
      start: clamp(stretch.start),
      end: clamp(stretch.end),
    });
    const isSilent = segments.length === 0;
    return {
      text: segments.map((segment) => segment.text).join(" "),
      segments: segments.map(clamped),
      language: isSilent ? "und" : language,
      languageProbability: isSilent ? null : languageProbability,
      seconds,
      speechSeconds: speechBetween(spans, 0, seconds),
      model,
      words: this.#hasWords ? joinWords(this.#words).map(clamped) : null,
      gaps: gaps.map(clamped),
      silences: silences.map(clamped),
      revision: recognizerRevision,
    };
  }
}

function refusal({ kind, language }: LanguageDecision, model: string): WhisperError {
  if (kind === "uncertain") return notRecognized(language, model);
  return new WhisperError("unsupportedLanguage", `The language heard is ${language}, which is not supported.`, {
    language,
    model,
  });
}

function notRecognized(language: string, model: string): WhisperError {
  return new WhisperError("notRecognized", `${model} could not write down most of the speech, heard as ${language}.`, {
    language,
    model,
  });
}
