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
  outputOf,
  pastOf,
  positionTensor,
  presentOf,
  readAttention,
  type Tensors,
  tokenTensor,
  type WhisperDecoder,
} from "./whisper-decoder.ts";

/**
 * The decoder of `models/convert`: one small graph for all calls, which computes the logits of chosen rows only, and
 * another that turns the encoder's output into keys and values once per window.
 */
export class CompactDecoder implements WhisperDecoder {
  readonly vocabularySize: number;
  readonly #cross: InferenceSession;
  readonly #session: InferenceSession;
  readonly #past: readonly string[];
  readonly #emptyPast: Tensors;
  readonly #stepOutputs: readonly string[];

  /** Throws `WhisperError` when the files have another layout. */
  constructor(cross: InferenceSession, session: InferenceSession, name: string) {
    this.#cross = cross;
    this.#session = session;
    this.vocabularySize = fixedSize(session.outputMetadata, "logits", 2);
    this.#past = session.inputNames.filter((input) => input.startsWith("past_key_values."));
    const crossInputs = session.inputNames.filter((input) => input.startsWith("cross."));
    if (this.#past.length === 0 || !crossInputs.every((input) => cross.outputNames.includes(input)))
      throw new WhisperError("unavailable", `The two parts of the decoder of ${name} don't belong together.`);

    this.#emptyPast = emptyPast(session, this.#past);
    this.#stepOutputs = ["logits", ...this.#past.map(presentOf)];
  }

  async listen(hidden: Tensor): Promise<Encoded> {
    const outputs = await this.#cross.run({ encoder_hidden_states: hidden });
    return { tensors: Object.fromEntries(this.#cross.outputNames.map((name) => [name, outputOf(outputs, name)])) };
  }

  async begin({ tensors }: Encoded, tokens: readonly number[]): Promise<DecoderOutput> {
    return this.#run({ tokensRead: 0, fixed: tensors, past: this.#emptyPast }, tokens, [0, tokens.length - 1]);
  }

  async step(state: DecoderState, token: number): Promise<DecoderOutput> {
    return this.#run(state, [token], [0]);
  }

  async attention(
    { tensors }: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null> {
    const names = layers.map(attentionOutput);
    if (!names.every((name) => this.#session.outputNames.includes(name))) return null;
    const inputs = { ...tensors, ...this.#emptyPast, ...tokenInputs(tokens, 0, [0]) };
    return readAttention(await this.#session.run(inputs, names), layers, tokens.length);
  }

  async release(): Promise<void> {
    await Promise.all([this.#cross.release(), this.#session.release()]);
  }

  async #run(
    { tokensRead, fixed, past }: DecoderState,
    tokens: readonly number[],
    rows: readonly number[],
  ): Promise<DecoderOutput> {
    const inputs = { ...fixed, ...past, ...tokenInputs(tokens, tokensRead, rows) };
    const outputs = await this.#session.run(inputs, this.#stepOutputs);
    const state = { tokensRead: tokensRead + tokens.length, fixed, past: pastOf(outputs, this.#past) };
    return { logits: floatsOf(outputs, "logits"), state };
  }
}

function tokenInputs(tokens: readonly number[], position: number, rows: readonly number[]): Tensors {
  return {
    input_ids: tokenTensor(tokens),
    cache_position: positionTensor(position, tokens.length),
    logits_rows: new Tensor("int64", BigInt64Array.from(rows, BigInt), [rows.length]),
  };
}
