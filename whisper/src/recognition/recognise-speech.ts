import type { Recognition, Segment } from "../transcriber.ts";
import { WhisperError } from "../whisper-error.ts";
import { decideLanguage, type LanguageDecision, meanLanguageProbabilities } from "./language-decision.ts";
import { isDenseLanguage, isSupportedLanguage } from "./languages.ts";
import { isSpeech, type JudgedReading, readWindow, SILENCE_FOR_SURE } from "./read-window.ts";
import { windowSegments } from "./segments.ts";
import type { Span } from "./speech-spans.ts";
import type { SpeechTimeline } from "./speech-timeline.ts";
import { ENCODER_SECONDS, speechBetween } from "./speech-window.ts";
import { WindowDecoder } from "./window-decoder.ts";
import type { WhisperModel } from "./whisper-model.ts";
import type { WhisperModels } from "./whisper-models.ts";

export interface RecogniseSpeechOptions {
  readonly language: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the second of the recording up to which is done; may fall. */
  readonly onProgress: (seconds: number) => void;
}

const DETECTION_WINDOWS = 3;
/** One window is enough when a language is this likely in it. */
const DETECTED_FOR_SURE = 0.8;
/** Hindi, Tamil and Telugu need that many tokens a second that more does not fit into one text. */
const LONGEST_DENSE_SECONDS = 11;

interface DetectionWindow {
  readonly span: Span;
  readonly decoder: WindowDecoder;
  readonly probabilities: ReadonlyMap<string, number>;
}

/** Writes down what is said in a recording while its samples still come. Throws `WhisperError`. */
export async function recogniseSpeech(
  timeline: SpeechTimeline,
  models: WhisperModels,
  options: RecogniseSpeechOptions,
): Promise<Recognition> {
  return await new SpeechRecognition(timeline, models, options).run();
}

class SpeechRecognition {
  readonly #timeline: SpeechTimeline;
  readonly #models: WhisperModels;
  readonly #options: RecogniseSpeechOptions;
  /** Encoder passes of the language detection, for use by the recognition. */
  readonly #detected: DetectionWindow[] = [];
  readonly #hint: string | undefined;
  readonly #segments: Segment[] = [];
  readonly #warnings: string[] = [];
  #keptSeconds = 0;
  #lostSeconds = 0;

  constructor(timeline: SpeechTimeline, models: WhisperModels, options: RecogniseSpeechOptions) {
    this.#timeline = timeline;
    this.#models = models;
    this.#options = options;
    const hint = options.language?.split("-")[0]?.toLowerCase();
    if (hint === undefined) return;
    if (isSupportedLanguage(hint) && models.default.specification.languages.has(hint)) this.#hint = hint;
    else this.#warnings.push("The language asked for is not among the supported ones: what was heard decided.");
  }

  async run(): Promise<Recognition> {
    const decision = await this.#detectLanguage();
    if (!decision) return this.#result("und", null, this.#models.default.name);
    const { language } = decision;
    if (decision.isHintOverruled)
      this.#warnings.push(`The language ${this.#hint} was asked for, but ${language} was heard.`);
    const model = await this.#models.forLanguage(language);
    await this.#readAll(model, language);
    if (this.#lostSeconds > this.#keptSeconds) throw notRecognised(language, model.name);
    if (this.#keptSeconds === 0) return this.#result("und", null, model.name);
    if (this.#lostSeconds > 0) {
      this.#warnings.push(
        `About ${Math.ceil(this.#lostSeconds)} s of speech could not be recognised and are left out.`,
      );
    }
    return this.#result(language, decision.probability, model.name);
  }

  /** Listens to up to three windows in which somebody seems to speak. `undefined` when there is none. */
  async #detectLanguage(): Promise<LanguageDecision | undefined> {
    const { signal } = this.#options;
    let from = 0;
    for (;;) {
      while (this.#detected.length < DETECTION_WINDOWS) {
        const span = await this.#timeline.nextWindow(from, ENCODER_SECONDS, signal);
        if (!span) break;
        from = span.end;
        const heard = await this.#hearLanguages(span);
        if (!heard) continue;
        this.#detected.push(heard);
        if (Math.max(...heard.probabilities.values()) > DETECTED_FOR_SURE) break;
      }
      if (this.#detected.length === 0) return undefined;
      const probabilities = meanLanguageProbabilities(this.#detected.map((window) => window.probabilities));
      const decision = decideLanguage(probabilities, this.#hint, (language) => this.#models.isSpecialised(language));
      if (decision.kind === "supported") return decision;
      if (await this.#isSpeech(decision.language)) throw refusal(decision, this.#models.default.name);
      // What sounded like speech were noises: look further.
      this.#detected.length = 0;
    }
  }

  async #hearLanguages(span: Span): Promise<DetectionWindow | undefined> {
    const decoder = await this.#listen(this.#models.default, span);
    const guess = this.#hint ?? this.#likeliestSoFar() ?? "en";
    if ((await decoder.noSpeechProbability(guess)) > SILENCE_FOR_SURE) return undefined;
    return { span, decoder, probabilities: await decoder.languageProbabilities(guess) };
  }

  #likeliestSoFar(): string | undefined {
    const last = this.#detected.at(-1);
    return last && [...last.probabilities].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  }

  /** Noise and music are taken for rare languages. */
  async #isSpeech(language: string): Promise<boolean> {
    for (const { decoder } of this.#detected) if (await isSpeech(decoder, language, this.#options.signal)) return true;
    return false;
  }

  async #readAll(model: WhisperModel, language: string): Promise<void> {
    const { signal, onProgress } = this.#options;
    const longest = isDenseLanguage(language) ? LONGEST_DENSE_SECONDS : ENCODER_SECONDS;
    let from = 0;
    for (;;) {
      const span = await this.#timeline.nextWindow(from, longest, signal);
      if (!span) return;
      const known = this.#detected.find((window) => window.span.start === span.start && window.span.end === span.end);
      const decoder = known && model === this.#models.default ? known.decoder : await this.#listen(model, span);
      const reading = await readWindow(decoder, language, {
        signal,
        onTimestamp: (seconds) => {
          onProgress(Math.min(span.end, span.start + seconds));
        },
      });
      from = this.#keep(reading, span, model);
      onProgress(from);
    }
  }

  async #listen(model: WhisperModel, span: Span): Promise<WindowDecoder> {
    this.#options.signal.throwIfAborted();
    return new WindowDecoder(model, await model.encode(this.#timeline.samples(span)));
  }

  /** Returns where the next window may begin. */
  #keep(reading: JudgedReading, span: Span, model: WhisperModel): number {
    const { spans } = this.#timeline;
    if (reading.verdict === "silence") return span.end;
    if (reading.verdict !== "kept") {
      this.#lostSeconds += speechBetween(spans, span.start, span.end);
      return span.end;
    }
    const { segments, heardUntil } = windowSegments(reading.tokens, span, model.specification, model.tokenizer);
    this.#segments.push(...segments);
    this.#keptSeconds += speechBetween(spans, span.start, heardUntil);
    return heardUntil;
  }

  #result(language: string, languageProbability: number | null, model: string): Recognition {
    const { seconds, spans } = this.#timeline;
    const clamp = (time: number) => Math.min(Math.max(Math.round(time * 1000) / 1000, 0), seconds);
    return {
      text: this.#segments.map((segment) => segment.text).join(" "),
      segments: this.#segments.map(({ start, end, text }) => ({ start: clamp(start), end: clamp(end), text })),
      language,
      languageProbability,
      seconds,
      speechSeconds: speechBetween(spans, 0, seconds),
      model,
      warnings: this.#warnings,
    };
  }
}

function refusal({ kind, language }: LanguageDecision, model: string): WhisperError {
  if (kind === "uncertain") return notRecognised(language, model);
  return new WhisperError("unsupportedLanguage", `The language heard is ${language}, which is not supported.`, {
    language,
    model,
  });
}

function notRecognised(language: string, model: string): WhisperError {
  return new WhisperError("notRecognised", `${model} could not write down most of the speech, heard as ${language}.`, {
    language,
    model,
  });
}
