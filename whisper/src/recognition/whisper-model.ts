import { basename } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { WhisperError } from "../whisper-error.ts";
import { SAMPLE_RATE } from "./audio-format.ts";
import { logMel } from "./log-mel.ts";
import { findOnnxFiles } from "./onnx-files.ts";
import { readSpecification, type Specification } from "./specification.ts";
import { readTokenizer, type Tokenizer } from "./tokenizer.ts";
import { ENCODER_SECONDS } from "./speech-window.ts";

type Tensors = Readonly<Record<string, Tensor>>;

/** What the encoder made of one window of audio. */
export type Encoded = Tensor;

/** Where the decoder stands in a text. */
export interface DecoderState {
  readonly tokensRead: number;
  /** Stays the same for the whole window. */
  readonly fixed: Tensors;
  /** Grows with each token. */
  readonly past: Tensors;
}

export interface DecoderOutput {
  /** One number per token of the vocabulary for each token that was fed, row by row. */
  readonly logits: Float32Array;
  readonly state: DecoderState;
}

const FRAMES_PER_SECOND = 100;
const FRAMES = ENCODER_SECONDS * FRAMES_PER_SECOND;

/**
 * A Whisper in the common ONNX layout: an encoder and a decoder that takes its own earlier keys and values
 * ("merged"). Everything about its shape is read from the files.
 */
export class WhisperModel {
  readonly name: string;
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  /** Numbers per row of `DecoderOutput.logits`. */
  readonly vocabularySize: number;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #melBands: number;
  readonly #pastInputs: readonly string[];
  readonly #emptyPast: Tensor;
  readonly #stepOutputs: readonly string[];

  private constructor(
    name: string,
    specification: Specification,
    tokenizer: Tokenizer,
    encoder: InferenceSession,
    decoder: InferenceSession,
  ) {
    this.name = name;
    this.specification = specification;
    this.tokenizer = tokenizer;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#melBands = fixedSize(encoder.inputMetadata, "input_features", 1);
    this.vocabularySize = fixedSize(decoder.outputMetadata, "logits", 2);
    this.#pastInputs = decoder.inputNames.filter((input) => input.startsWith("past_key_values."));
    const firstPast = this.#pastInputs[0];
    if (firstPast === undefined || !decoder.inputNames.includes("use_cache_branch")) {
      throw new WhisperError(
        "unavailable",
        `The decoder of ${name} does not take its own past: a "merged" one is needed.`,
      );
    }
    const heads = fixedSize(decoder.inputMetadata, firstPast, 1);
    const headSize = fixedSize(decoder.inputMetadata, firstPast, 3);
    this.#emptyPast = new Tensor("float32", new Float32Array(0), [1, heads, 0, headSize]);
    this.#stepOutputs = ["logits", ...this.#pastInputs.filter(isDecoderPast).map(presentOf)];
    const highest = Math.max(specification.firstTimestamp, ...specification.suppressed);
    if (highest >= this.vocabularySize) {
      throw new WhisperError(
        "unavailable",
        `The settings of ${name} name the token ${highest}, its decoder has ${this.vocabularySize}.`,
      );
    }
  }

  /** Loads the model of a directory. Throws `WhisperError` "unavailable". */
  static async load(directory: string, threads: number): Promise<WhisperModel> {
    const name = basename(directory);
    const files = await findOnnxFiles(directory);
    const specification = await readSpecification(directory);
    const tokenizer = await readTokenizer(directory, specification.endOfText);
    // More threads hardly speed up the decoder's small matrices and cost a third more processor time.
    const encoder = await openSession(files.encoder, threads);
    const decoder = await openSession(files.decoder, 1);
    return new WhisperModel(name, specification, tokenizer, encoder, decoder);
  }

  /** Listens to at most 30 s of samples. */
  async encode(samples: Float32Array): Promise<Encoded> {
    const heard = samples.subarray(0, ENCODER_SECONDS * SAMPLE_RATE);
    const spectrogram = new Tensor("float32", logMel(heard, this.#melBands, FRAMES), [1, this.#melBands, FRAMES]);
    return output(await this.#encoder.run({ input_features: spectrogram }, ["last_hidden_state"]), "last_hidden_state");
  }

  /** Feeds the first tokens of a text. */
  async begin(encoded: Encoded, tokens: readonly number[]): Promise<DecoderOutput> {
    const past = Object.fromEntries(this.#pastInputs.map((input) => [input, this.#emptyPast]));
    const outputs = await this.#decoder.run({
      ...this.#tokenInputs(tokens, 0),
      ...past,
      encoder_hidden_states: encoded,
      use_cache_branch: new Tensor("bool", Uint8Array.of(0), [1]),
    });
    const pick = (inputs: readonly string[]): Tensors =>
      Object.fromEntries(inputs.map((input) => [input, output(outputs, presentOf(input))]));
    const fixed = {
      // Later calls return no usable keys and values of the encoder: those of this one are kept.
      ...pick(this.#pastInputs.filter((input) => !isDecoderPast(input))),
      encoder_hidden_states: encoded,
      use_cache_branch: new Tensor("bool", Uint8Array.of(1), [1]),
    };
    return {
      logits: logitsOf(outputs),
      state: { tokensRead: tokens.length, fixed, past: pick(this.#pastInputs.filter(isDecoderPast)) },
    };
  }

  /** Feeds one more token. */
  async step(state: DecoderState, token: number): Promise<DecoderOutput> {
    const inputs = { ...state.fixed, ...state.past, ...this.#tokenInputs([token], state.tokensRead) };
    const outputs = await this.#decoder.run(inputs, this.#stepOutputs);
    const past: Record<string, Tensor> = {};
    for (const input of Object.keys(state.past)) past[input] = output(outputs, presentOf(input));
    return { logits: logitsOf(outputs), state: { tokensRead: state.tokensRead + 1, fixed: state.fixed, past } };
  }

  async release(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.#decoder.release()]);
  }

  #tokenInputs(tokens: readonly number[], position: number): Tensors {
    const inputs: Record<string, Tensor> = {
      input_ids: new Tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
    };
    if (this.#decoder.inputNames.includes("cache_position")) {
      const positions = BigInt64Array.from(tokens, (_, index) => BigInt(position + index));
      inputs["cache_position"] = new Tensor("int64", positions, [tokens.length]);
    }
    return inputs;
  }
}

function isDecoderPast(input: string): boolean {
  return input.includes(".decoder.");
}

function presentOf(pastInput: string): string {
  return pastInput.replace("past_key_values", "present");
}

function output(outputs: Readonly<Record<string, unknown>>, name: string): Tensor {
  const value = outputs[name];
  if (!(value instanceof Tensor)) throw new WhisperError("unavailable", `The model has no output ${name}.`);
  return value;
}

function logitsOf(outputs: Readonly<Record<string, unknown>>): Float32Array {
  const { data } = output(outputs, "logits");
  if (!(data instanceof Float32Array)) throw new WhisperError("unavailable", "The decoder's output is not float32.");
  return data;
}

function fixedSize(metadata: readonly InferenceSession.ValueMetadata[], name: string, axis: number): number {
  const value = metadata.find((candidate) => candidate.name === name);
  const size = value?.isTensor && value.type === "float32" ? value.shape[axis] : undefined;
  if (typeof size === "number") return size;
  throw new WhisperError("unavailable", `The model does not state the size of ${name}, or it is not float32.`);
}

/** Opens an ONNX file with the options that keep memory low at the same speed. Throws `WhisperError`. */
export async function openSession(path: string, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(path, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
  } catch (cause) {
    throw new WhisperError("unavailable", `The model file ${path} cannot be loaded: ${String(cause)}`, { cause });
  }
}
