import {
  type FinishedLanguage,
  type FinishedWindows,
  HandOver,
  type HeardDraft,
  type HeardPassage,
  type HeardWindowReport,
  type Recognition,
  type Word,
} from "../transcriber.ts";
import { recognizerRevision } from "../recognizer-revision.ts";
import { hearByHead, type Head } from "./heads/hear-by-head.ts";
import { type HeadDetection, type LanguageDecision, notRecognized } from "./language-decision.ts";
import { LanguageDetection } from "./language-detection.ts";
import { countedAs, isDenseLanguage, isSupportedLanguage } from "./languages.ts";
import { hearWindow, type HeardWindow } from "./hear-window.ts";
import { leastSpeechSeconds } from "./read-window.ts";
import { SpeechLedger } from "./speech-ledger.ts";
import type { Span } from "./signal/speech-spans.ts";
import type { Timeline } from "./speech-timeline.ts";
import { encoderSeconds, speechBetween, type SpeechWindow } from "./speech-window.ts";
import { type SpellingTree, spellingTree } from "./decoder/spelling-tree.ts";
import type { Model, Task, WindowReader } from "./decoder/window-decoder.ts";
import { joinWords } from "./words/word-times.ts";

export interface Models {
  readonly default: Model;
  /** True if a language has its own model. */
  isSpecialized(language: string): boolean;
  /** Bounds for a language that a head reads from what the default model hears; `undefined` for all others. */
  headDetection(language: string): HeadDetection | undefined;
  /** The head that reads a language; `undefined` where a model's decoder does. Throws `WhisperError` "unavailable". */
  headFor(language: string): Promise<Head | undefined>;
  /** The name of the operator's own head that reads a language; `undefined` for all that comes with the model. */
  ownHeadName(language: string): string | undefined;
  /** The model that reads a language. Throws `WhisperError` "unavailable". */
  forLanguage(language: string): Promise<Model>;
}

export interface RecognizeSpeechOptions {
  readonly task: Task;
  /** For a translation, the language that is spoken. */
  readonly language: string | undefined;
  /** Readings that are followed at a time. */
  readonly beam: number;
  /** Words that the reel's caption and account spell, the most important first. */
  readonly spellings: readonly string[];
  /** Languages that are only recognized where the caller names them. */
  readonly unreliable: readonly string[];
  /** Languages that another recognizer writes down. */
  readonly elsewhere: readonly string[];
  readonly signal: AbortSignal;
  /** Called with the second of the recording up to which is done; may fall. */
  readonly onProgress: (seconds: number) => void;
  /** Called with what is kept of each window. */
  readonly onPassage: (passage: HeardPassage) => void;
  /** Called with what is written of a window, in place of what was before; `undefined` when nothing of it is kept. */
  readonly onDraft: (draft: HeardDraft | undefined) => void;
  /** Called with what became of each window. */
  readonly onWindow: (window: HeardWindowReport) => void;
  /** Called after each window with all that is done. */
  readonly onFinished: (finished: FinishedWindows) => void;
  /** Finished windows of an earlier run. */
  readonly resume: FinishedWindows | undefined;
}

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

/** Writes down what is said in a recording while its samples still come. Throws `WhisperError` or `HandOver`. See docs/decisions/recognition.md. */
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
  readonly #detection: LanguageDetection;
  readonly #ledger = new SpeechLedger();
  readonly #words: (readonly Word[])[] = [];
  #hasWords = true;
  #rescues = freeRescues;
  #decision: LanguageDecision | undefined;
  #head: Head | undefined;
  #spellings: { readonly tree: SpellingTree | undefined } | undefined;

  constructor(timeline: Timeline, models: Models, options: RecognizeSpeechOptions) {
    this.#timeline = timeline;
    this.#models = models;
    this.#options = options;
    const given = options.language?.split("-")[0]?.toLowerCase() ?? "und";
    const isKnown = isSupportedLanguage(given) && models.default.specification.languages.has(given);
    this.#detection = new LanguageDetection(timeline, models.default, {
      ...options,
      hint: isKnown ? given : undefined,
      readers: {
        isSpecialized: (language) => options.elsewhere.includes(language) || models.isSpecialized(language),
        headDetection: (language) =>
          options.elsewhere.includes(language) ? undefined : models.headDetection(language),
        isUnreliable: (language) => options.unreliable.includes(language),
      },
      onSilence: (until) => this.#finish(until),
    });
    if (options.task === "translate") {
      if (!isKnown) throw new TypeError(`a translation from ${given}`);
      this.#decision = { kind: "supported", language: given, probability: 1, hintDecided: false };
    }
    if (options.resume) this.#restore(options.resume);
  }

  #restore({ language, segments, gaps, silences, words, rescues }: FinishedWindows): void {
    if (language) this.#decision = { kind: "supported", ...language };
    this.#ledger.keep(segments);
    for (const gap of gaps) this.#ledger.lose(gap, gap.reason);
    for (const silence of silences) this.#ledger.judgeSilent(silence, silence.reason);
    this.#hasWords = words !== null;
    this.#words.push(...(words ?? []));
    this.#rescues = rescues;
  }

  #finish(until: number): void {
    const { silent, likeliest } = this.#detection;
    const { segments, gaps, silences } = this.#ledger.entries();
    this.#options.onFinished({
      until,
      silentWindows: [...silent],
      likeliest,
      language: this.#decision ? languageOf(this.#decision) : null,
      segments,
      gaps,
      silences,
      words: this.#hasWords ? [...this.#words] : null,
      rescues: this.#rescues,
    });
  }

  async run(): Promise<Recognition> {
    const decision = (this.#decision ??= await this.#detection.decide());
    if (!decision) {
      for (const [start, end] of this.#detection.silent) this.#ledger.judgeSilent({ start, end }, "noSpeech");
      const language = countedAs(this.#detection.likeliest);
      return this.#result({ language, probability: null, hintDecided: false }, this.#models.default.name);
    }
    const { language, probability, hintDecided } = decision;
    if (this.#options.task === "translate") {
      await this.#readAll(this.#models.default, language);
      return this.#result(decision, this.#models.default.name);
    }
    if (this.#options.elsewhere.includes(language))
      throw new HandOver({ language, languageProbability: probability, hintDecided });
    this.#head = await this.#models.headFor(language);
    const model = await this.#models.forLanguage(language);
    await this.#readAll(model, language);
    const ownHead = this.#models.ownHeadName(language);
    return this.#result(decision, ownHead === undefined ? model.name : `${model.name}+${ownHead}`);
  }

  async #readAll(model: Model, language: string): Promise<void> {
    const { signal, onProgress, task } = this.#options;
    const isDense = task === "transcribe" && isDenseLanguage(language) && !this.#head;
    const usual = isDense ? longestDenseSeconds : encoderSeconds;
    let longest = usual;
    const { resume } = this.#options;
    let from = resume?.language ? resume.until : 0;
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
      this.#finish(from);
    }
  }

  /** Returns where the next window may begin; `undefined` when a shorter one from the same second may succeed. */
  async #readOne(model: Model, language: string, window: SpeechWindow): Promise<number | undefined> {
    if (this.#detection.silent.get(window.start) === window.end) {
      this.#ledger.judgeSilent(window, "noSpeech");
      return window.end;
    }
    const earlierReader = model === this.#models.default ? this.#detection.readerOf(window) : undefined;
    const reader = earlierReader ?? (await this.#listen(model, window));
    const { onDraft, onPassage, onWindow } = this.#options;
    const onText = (text: string): void => onDraft({ language, text });
    const first = await this.#hear(reader, model, language, window, this.#options.beam, onText);
    const outcome = await this.#hearAgain(reader, model, language, window, first);
    const { verdict, segments, noSpeech, confidence } = outcome;
    const isHeardAgain = this.#isWorthAnotherTry(window, outcome);
    onWindow({
      start: window.start,
      end: window.end,
      verdict: isHeardAgain ? "heardAgain" : verdict.kind === "kept" ? "kept" : verdict.reason,
      noSpeech,
      confidence,
    });
    if (verdict.kind !== "kept" || segments.length === 0) onDraft(undefined);
    if (isHeardAgain) return undefined;
    if (verdict.kind === "silence") this.#ledger.judgeSilent(window, verdict.reason);
    if (verdict.kind === "gap") this.#ledger.lose(window, verdict.reason);
    if (verdict.kind !== "kept") return window.end;
    this.#rescues += 1;
    this.#ledger.keep(segments);
    if (outcome.words === null) this.#hasWords = false;
    else this.#words.push(outcome.words);
    if (segments.length > 0) onPassage({ language, segments });
    return outcome.heardUntil;
  }

  #isWorthAnotherTry(window: SpeechWindow, { verdict, isStuck }: HeardWindow): boolean {
    // A head hears the same in a shorter window.
    if (this.#head) return false;
    // Fewer words don't mend a wrong script.
    if (verdict.kind === "gap")
      return verdict.reason !== "wrongScript" && this.#mayRescue(window, shortestRescuedSeconds);
    return isStuck && this.#mayRescue(window, shortestStuckSeconds);
  }

  async #hear(
    reader: WindowReader,
    model: Model,
    language: string,
    window: SpeechWindow,
    beam: number,
    onDraft?: (text: string) => void,
  ): Promise<HeardWindow> {
    const { signal, onProgress, task } = this.#options;
    const { spans } = this.#timeline;
    if (this.#head) return hearByHead(this.#head, reader, window, { spans, signal, onProgress, onDraft });
    const { specification, tokenizer } = model;
    const spellings = this.#spellingsFor(model);
    return hearWindow(reader, window, {
      language,
      task,
      beam,
      spellings,
      specification,
      tokenizer,
      spans,
      signal,
      onProgress,
      onDraft,
    });
  }

  #spellingsFor({ tokenizer }: Model): SpellingTree | undefined {
    this.#spellings ??= { tree: spellingTree(this.#options.spellings, tokenizer) };
    return this.#spellings.tree;
  }

  /**
   * A search may prefer a reading that jumps over a sentence; taken token by token, the model seldom does. Words that it leaves
   * out then, too, it often writes when the same sound comes a little later.
   */
  async #hearAgain(
    reader: WindowReader,
    model: Model,
    language: string,
    window: SpeechWindow,
    first: HeardWindow,
  ): Promise<HeardWindow> {
    const { beam } = this.#options;
    let outcome = first;
    if (!this.#head && beam > 1 && outcome.missingSeconds - outcome.jumpedSeconds > toleratedMissingSeconds)
      outcome = fuller(outcome, await this.#hear(reader, model, language, window, 1));
    if (outcome.missingSeconds <= toleratedMissingSeconds) return outcome;
    const later = window.after(leadInSeconds);
    if (!later || !this.#mayRescue(later, 0)) return outcome;
    return fuller(outcome, await this.#hear(await this.#listen(model, later), model, language, later, beam));
  }

  /** Each rescue is another encoder pass and several readings: a recording of nothing but noise must not take forever. */
  #mayRescue(window: SpeechWindow, shortest: number): boolean {
    if (window.length < shortest || this.#rescues === 0) return false;
    this.#rescues -= 1;
    return true;
  }

  async #listen(model: Model, window: SpeechWindow): Promise<WindowReader> {
    this.#options.signal.throwIfAborted();
    return model.listen(this.#timeline.samples(window));
  }

  #result(
    {
      language,
      probability,
      hintDecided,
    }: Pick<LanguageDecision, "language" | "hintDecided"> & { probability: number | null },
    model: string,
  ): Recognition {
    const { seconds, spans } = this.#timeline;
    const { segments, gaps, silences, keptSeconds, lostSeconds } = this.#ledger.settle(spans);
    const isSilent = segments.length === 0;
    const isThrownAway = silences.some(({ start, end }) => speechBetween(spans, start, end) >= leastSpeechSeconds);
    if (lostSeconds > keptSeconds || (isSilent && isThrownAway)) throw notRecognized(language, model);
    const clamp = (time: number) => Math.min(Math.max(Math.round(time * 1000) / 1000, 0), seconds);
    const clamped = <Stretch extends Span>(stretch: Stretch): Stretch => ({
      ...stretch,
      start: clamp(stretch.start),
      end: clamp(stretch.end),
    });
    return {
      text: segments.map((segment) => segment.text).join(" "),
      segments: segments.map(clamped),
      language: isSilent ? "und" : language,
      languageProbability: isSilent ? null : probability,
      seconds,
      speechSeconds: speechBetween(spans, 0, seconds),
      model,
      words: this.#hasWords ? joinWords(this.#words).map(clamped) : null,
      gaps: gaps.map(clamped),
      silences: silences.map(clamped),
      revision: recognizerRevision,
      hintDecided,
    };
  }
}

/** The second reading of a window where it left out less than the first. */
function fuller(first: HeardWindow, second: HeardWindow): HeardWindow {
  const lengthOf = ({ segments }: HeardWindow): number => segments.reduce((sum, { text }) => sum + text.length, 0);
  const isFuller =
    second.verdict.kind === "kept" &&
    !second.isStuck &&
    second.missingSeconds < first.missingSeconds &&
    lengthOf(second) >= lengthOf(first);
  return isFuller ? second : first;
}

const languageOf = ({ language, probability, hintDecided }: LanguageDecision): FinishedLanguage => ({
  language,
  probability,
  hintDecided,
});
