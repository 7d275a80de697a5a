import type { Tensor } from "onnxruntime-node";
import type { Word } from "../../transcriber.ts";
import { unavailable } from "../../whisper-error.ts";
import { endsInLoop } from "../repetition.ts";
import { searchReadings } from "./beam-search.ts";
import type { SpellingTree } from "./spelling-tree.ts";
import { type Sampling, TokenRules } from "./token-rules.ts";
import type { Specification } from "./specification.ts";
import type { Tokenizer } from "./tokenizer.ts";
import type { DecoderOutput, Encoded, WhisperDecoder } from "./whisper-decoder.ts";
import { type TimingModel, type WindowToTime, wordsOf } from "../words/word-times.ts";

/** The model's output for one window. */
export interface Reading {
  readonly tokens: readonly number[];
  /** How likely each of the tokens was, 0 to 1. */
  readonly probabilities: readonly number[];
  readonly text: string;
  /** 0 to 1: how likely nobody speaks. */
  readonly noSpeech: number;
  /** Mean natural logarithm of the tokens' probabilities. */
  readonly confidence: number;
  /** Stopped because it repeated itself. */
  readonly isLoop: boolean;
  /** Stopped because the text was too long. */
  readonly isCutOff: boolean;
}

/** A model writes down the words of speech, or their English translation. */
export type Task = "transcribe" | "translate";

export interface DecodeOptions extends Sampling {
  /** By default the words. */
  readonly task?: Task | undefined;
  /** Readings that are followed at a time where the temperature is 0, if the model can; 1 takes the likeliest token each time. */
  readonly beam: number;
  /** Words whose spelling is known, for a search. */
  readonly spellings?: SpellingTree | undefined;
  readonly signal: AbortSignal;
  /** Called with the second of the window that each timestamp names. */
  readonly onTimestamp?: ((seconds: number) => void) | undefined;
  /** Called every few tokens with what is written so far, which may still turn out to be a loop. */
  readonly onText?: ((text: string, noSpeech: number) => void) | undefined;
}

interface Prompt {
  readonly language: string;
  readonly task: Task;
  readonly output: DecoderOutput;
}

/** Looked for only every so many tokens. */
const loopInterval = 8;
/** About three words. */
const textInterval = 4;
export const secondsPerTimestamp = 0.02;

/** One window of audio that a model has heard: says what is spoken, in any language and as often as wanted. */
export interface WindowReader {
  /** The encoder's features, a row for each 20 ms. */
  readonly states: Tensor;
  /** Probabilities of all languages of the model. A right guess makes reading in that language cheaper. */
  languageProbabilities(guess: string): Promise<ReadonlyMap<string, number>>;
  /** How likely nobody speaks, 0 to 1. */
  noSpeechProbability(guess: string): Promise<number>;
  /** Writes down what is said. Rejects with the signal's reason. */
  read(language: string, options: DecodeOptions): Promise<Reading>;
  /** When the words of a reading are said; `null` when the model can't tell. */
  words(window: WindowToTime): Promise<readonly Word[] | null>;
}

/** A model that hears windows of audio. */
export interface Model {
  readonly name: string;
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  /** Hears at most 30 s of samples. */
  listen(samples: Float32Array): Promise<WindowReader>;
}

interface DecodingModel extends TimingModel {
  readonly name: string;
  readonly decoder: WhisperDecoder;
}

/** Reads one window of encoded audio. */
export class WindowDecoder implements WindowReader {
  readonly states: Tensor;
  readonly #model: DecodingModel;
  readonly #rules: TokenRules;
  #encoded: Promise<Encoded> | undefined;
  #prompt: Prompt | undefined;

  constructor(model: DecodingModel, states: Tensor) {
    this.states = states;
    this.#model = model;
    this.#rules = new TokenRules(model.specification, model.decoder.vocabularySize);
  }

  async languageProbabilities(guess: string): Promise<ReadonlyMap<string, number>> {
    const logits = await this.#firstRow(guess);
    const entries = [...this.#model.specification.languages].map(
      ([language, token]) => [language, logits[token] ?? -Infinity] as const,
    );
    const highest = Math.max(...entries.map(([, logit]) => logit));
    const sum = entries.reduce((total, [, logit]) => total + Math.exp(logit - highest), 0);
    return new Map(entries.map(([language, logit]) => [language, Math.exp(logit - highest) / sum]));
  }

  async noSpeechProbability(guess: string): Promise<number> {
    const logits = await this.#firstRow(guess);
    let highest = -Infinity;
    for (const logit of logits) if (logit > highest) highest = logit;
    let sum = 0;
    for (const logit of logits) sum += Math.exp(logit - highest);
    return Math.exp((logits[this.#model.specification.noSpeech] ?? -Infinity) - highest) / sum;
  }

  async read(language: string, options: DecodeOptions): Promise<Reading> {
    return options.beam > 1 && options.temperature === 0 && this.#model.decoder.sharesSteps
      ? this.#search(language, options)
      : this.#readOnce(language, options);
  }

  async #search(
    language: string,
    { task = "transcribe", beam, spellings, signal, onTimestamp, onText }: DecodeOptions,
  ): Promise<Reading> {
    const { decoder, specification, tokenizer } = this.#model;
    const { output } = await this.#promptIn(language, task);
    const noSpeech = await this.noSpeechProbability(language);
    const onStep = (tokens: readonly number[]): void => {
      const last = tokens.at(-1)!;
      if (last >= specification.firstTimestamp)
        onTimestamp?.((last - specification.firstTimestamp) * secondsPerTimestamp);
      if (tokens.length % textInterval === 0) onText?.(tokenizer.decode(tokens), noSpeech);
    };
    const result = await searchReadings(output, decoder.vocabularySize, this.#rules, specification, {
      beam,
      spellings,
      signal,
      onStep,
    });
    const [{ tokens, probabilities, meanLogProbability }] = result.hypotheses;
    return {
      tokens,
      probabilities,
      text: tokenizer.decode(tokens),
      noSpeech,
      confidence: meanLogProbability,
      isLoop: result.isLoop,
      isCutOff: result.isCutOff,
    };
  }

  async #readOnce(
    language: string,
    { task = "transcribe", signal, onTimestamp, onText, ...sampling }: DecodeOptions,
  ): Promise<Reading> {
    const { endOfText, firstTimestamp, longestText } = this.#model.specification;
    let { output } = await this.#promptIn(language, task);
    const noSpeech = await this.noSpeechProbability(language);
    // The rules write into the logits, the prompt's are needed again for the next temperature.
    let logits: Float32Array = output.logits.slice(-this.#model.decoder.vocabularySize);
    const tokens: number[] = [];
    const probabilities: number[] = [];
    let logProbability = 0;
    let isLoop = false;
    let isCutOff = false;
    for (;;) {
      signal.throwIfAborted();
      const choice = this.#rules.choose(logits, tokens, sampling);
      logProbability += choice.logProbability;
      isCutOff = choice.token !== endOfText && tokens.length >= longestText;
      if (choice.token === endOfText || isCutOff) break;
      tokens.push(choice.token);
      probabilities.push(Math.exp(choice.logProbability));
      if (choice.token >= firstTimestamp) onTimestamp?.((choice.token - firstTimestamp) * secondsPerTimestamp);
      isLoop = tokens.length % loopInterval === 0 && endsInLoop(tokens.filter((token) => token < endOfText));
      if (isLoop) break;
      if (tokens.length % textInterval === 0) onText?.(this.#model.tokenizer.decode(tokens), noSpeech);
      output = await output.step([{ row: 0, token: choice.token }]);
      ({ logits } = output);
    }
    return {
      tokens,
      probabilities,
      text: this.#model.tokenizer.decode(tokens),
      noSpeech,
      confidence: logProbability / (tokens.length + 1),
      isLoop,
      isCutOff,
    };
  }

  async words(window: WindowToTime): Promise<readonly Word[] | null> {
    return wordsOf(this.#model, await this.#encode(), window);
  }

  /** Computed when it is first needed: a head needs none of it. */
  async #encode(): Promise<Encoded> {
    return (this.#encoded ??= this.#model.decoder.listen(this.states));
  }

  /** The first row depends on no language: any prompt gives it. */
  async #firstRow(guess: string): Promise<Float32Array> {
    const { output } = this.#prompt ?? (await this.#promptIn(guess, "transcribe"));
    return output.logits.subarray(0, this.#model.decoder.vocabularySize);
  }

  async #promptIn(language: string, task: Task): Promise<Prompt> {
    if (this.#prompt?.language === language && this.#prompt.task === task) return this.#prompt;
    const { specification, name, decoder } = this.#model;
    const token = specification.languages.get(language);
    if (token === undefined) throw unavailable(`The model ${name} does not know the language ${language}.`);
    const taskToken = specification[task];
    if (taskToken === undefined) throw unavailable(`The model ${name} does not translate.`);

    const prompt = [specification.startOfTranscript, token, taskToken];
    return (this.#prompt = { language, task, output: await decoder.begin(await this.#encode(), prompt) });
  }
}
