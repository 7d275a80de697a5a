import type { FinishedWindows, HeardWindowReport } from "../transcriber.ts";
import {
  decideLanguage,
  type LanguageDecision,
  type LanguageReaders,
  meanLanguageProbabilities,
  refusal,
} from "./language-decision.ts";
import { isSpeech, silenceForSure } from "./read-window.ts";
import type { Timeline } from "./speech-timeline.ts";
import { encoderSeconds, speechBetween, type SpeechWindow } from "./speech-window.ts";
import type { Model, WindowReader } from "./decoder/window-decoder.ts";

const mostWindows = 3;
/** One window is enough when a language is this likely in it. */
const detectedForSure = 0.8;

interface DetectionWindow {
  readonly window: SpeechWindow;
  readonly reader: WindowReader;
  readonly noSpeech: number;
  readonly probabilities: ReadonlyMap<string, number>;
}

interface LanguageDetectionOptions {
  readonly signal: AbortSignal;
  readonly onWindow: (window: HeardWindowReport) => void;
  /** Called when all up to a second of the recording was judged silent. */
  readonly onSilence: (until: number) => void;
  /** Finished windows of an earlier run. */
  readonly resume: FinishedWindows | undefined;
  readonly hint: string | undefined;
  readonly readers: LanguageReaders;
}

/** Finds out what is spoken, by up to three windows in which somebody seems to speak. */
export class LanguageDetection {
  readonly #timeline: Timeline;
  readonly #model: Model;
  readonly #options: LanguageDetectionOptions;
  readonly #windows: DetectionWindow[] = [];
  /** Ends of the windows that were judged silent, by where they start. */
  readonly silent = new Map<number, number>();
  /** The likeliest language so far, even in windows that were judged silent. */
  likeliest = "und";

  constructor(timeline: Timeline, model: Model, options: LanguageDetectionOptions) {
    this.#timeline = timeline;
    this.#model = model;
    this.#options = options;
    const { silentWindows = [], likeliest = "und" } = options.resume ?? {};
    for (const [start, end] of silentWindows) this.silent.set(start, end);
    this.likeliest = likeliest;
  }

  /** `undefined` when nobody speaks. Throws `WhisperError`. */
  async decide(): Promise<LanguageDecision | undefined> {
    const { hint, readers, resume } = this.#options;
    let from = resume?.until ?? 0;
    for (;;) {
      from = await this.#listen(from);
      if (this.#windows.length === 0) return undefined;
      const probabilities = meanLanguageProbabilities(this.#windows.map((each) => each.probabilities));
      const seconds = this.#windows.reduce((sum, { window }) => sum + window.length, 0);
      const decision = decideLanguage({ probabilities, seconds }, hint, readers);
      if (decision.kind === "supported") return decision;
      if (await this.#isSpeech(decision.language)) throw refusal(decision, this.#model.name);
      // The apparent speech was noise: look further.
      for (const { window, noSpeech } of this.#windows) this.#judgeSilent(window, noSpeech);
      this.#windows.length = 0;
      this.#options.onSilence(from);
    }
  }

  /** The reader of a window that detection already encoded, for use by the recognition. */
  readerOf({ start, end }: SpeechWindow): WindowReader | undefined {
    return this.#windows.find(({ window }) => window.start === start && window.end === end)?.reader;
  }

  /** Returns where it stopped. */
  async #listen(from: number): Promise<number> {
    const { signal } = this.#options;
    let end = from;
    while (this.#windows.length < mostWindows) {
      const window = await this.#timeline.nextWindow(end, encoderSeconds, signal);
      if (!window) break;
      end = window.end;
      signal.throwIfAborted();
      const reader = await this.#model.listen(this.#timeline.samples(window));
      const guess = this.#options.hint ?? (this.likeliest === "und" ? "en" : this.likeliest);
      const noSpeech = await reader.noSpeechProbability(guess);
      const probabilities = await reader.languageProbabilities(guess);
      this.likeliest = [...probabilities].reduce((one, other) => (other[1] > one[1] ? other : one))[0];
      if (noSpeech > silenceForSure) {
        this.#judgeSilent(window, noSpeech);
        if (this.#windows.length === 0) this.#options.onSilence(end);
        continue;
      }
      this.#windows.push({ window, reader, noSpeech, probabilities });
      if (Math.max(...probabilities.values()) > detectedForSure) break;
    }
    return end;
  }

  #judgeSilent({ start, end }: SpeechWindow, noSpeech: number): void {
    this.silent.set(start, end);
    this.#options.onWindow({ start, end, verdict: "noSpeech", noSpeech, confidence: null });
  }

  /** Noise and music are taken for rare languages. */
  async #isSpeech(language: string): Promise<boolean> {
    const { signal } = this.#options;
    for (const { window, reader } of this.#windows) {
      const speechSeconds = speechBetween(this.#timeline.spans, window.start, window.end);
      if (await isSpeech(reader, language, { signal, speechSeconds })) return true;
    }
    return false;
  }
}
