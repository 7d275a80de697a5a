import { type InferenceSession, Tensor } from "onnxruntime-node";
import { WhisperError } from "../../whisper-error.ts";
import {
  attentionOutput,
  type DecoderOutput,
  type DecoderState,
  emptyPast,
  type Encoded,
  fixedSize,
  floatsOf,
  type LayerAttention,
  pastOf,
  positionTensor,
  presentOf,
  readAttention,
  type Tensors,
  tokenTensor,
  type WhisperDecoder,
} from "./whisper-decoder.ts";

/** The decoder of the common ONNX layout: one file for the first call and the later ones ("merged"). */
export class MergedDecoder implements WhisperDecoder {
  readonly vocabularySize: number;
  readonly #session: InferenceSession;
  readonly #textPast: readonly string[];
  readonly #audioPast: readonly string[];
  readonly #emptyPast: Tensors;

  /** Throws `WhisperError` when the file has another layout. */
  constructor(session: InferenceSession, name: string) {
    this.#session = session;
    this.vocabularySize = fixedSize(session.outputMetadata, "logits", 2);
    const past = session.inputNames.filter((input) => input.startsWith("past_key_values."));
    this.#textPast = past.filter((input) => input.includes(".decoder."));
    this.#audioPast = past.filter((input) => !input.includes(".decoder."));
    if (past.length === 0 || !session.inputNames.includes("use_cache_branch"))
      throw new WhisperError(
        "unavailable",
        `The decoder of ${name} does not take its own past: a "merged" one is needed.`,
      );

    this.#emptyPast = emptyPast(session, past);
  }

  listen(hidden: Tensor): Promise<Encoded> {
    return Promise.resolve({ tensors: { encoder_hidden_states: hidden } });
  }

  async begin({ tensors }: Encoded, tokens: readonly number[]): Promise<DecoderOutput> {
    const names = ["logits", ...this.#textPast.map(presentOf), ...this.#audioPast.map(presentOf)];
    const outputs = await this.#session.run(this.#firstInputs(tensors, tokens), names);
    // Later calls return no usable keys and values of the encoder: those of this one are kept.
    const fixed = { ...tensors, ...pastOf(outputs, this.#audioPast), use_cache_branch: booleanTensor(true) };
    const logits = floatsOf(outputs, "logits");
    const size = this.vocabularySize;
    const ends = new Float32Array(2 * size);
    ends.set(logits.subarray(0, size));
    ends.set(logits.subarray(-size), size);
    return { logits: ends, state: { tokensRead: tokens.length, fixed, past: pastOf(outputs, this.#textPast) } };
  }

  async step({ tokensRead, fixed, past }: DecoderState, token: number): Promise<DecoderOutput> {
    const inputs = { ...fixed, ...past, ...this.#tokenInputs([token], tokensRead) };
    const outputs = await this.#session.run(inputs, ["logits", ...this.#textPast.map(presentOf)]);
    const state = { tokensRead: tokensRead + 1, fixed, past: pastOf(outputs, this.#textPast) };
    return { logits: floatsOf(outputs, "logits"), state };
  }

  async attention(
    { tensors }: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null> {
    const names = layers.map(attentionOutput);
    if (!names.every((name) => this.#session.outputNames.includes(name))) return null;
    return readAttention(await this.#session.run(this.#firstInputs(tensors, tokens), names), layers, tokens.length);
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  #firstInputs(tensors: Tensors, tokens: readonly number[]): Tensors {
    const inputs = { ...tensors, ...this.#emptyPast, ...this.#tokenInputs(tokens, 0) };
    return { ...inputs, use_cache_branch: booleanTensor(false) };
  }

  #tokenInputs(tokens: readonly number[], position: number): Tensors {
    const inputIds = tokenTensor(tokens);
    if (!this.#session.inputNames.includes("cache_position")) return { input_ids: inputIds };
    return { input_ids: inputIds, cache_position: positionTensor(position, tokens.length) };
  }
}

function booleanTensor(value: boolean): Tensor {
  return new Tensor("bool", Uint8Array.of(value ? 1 : 0), [1]);
}
