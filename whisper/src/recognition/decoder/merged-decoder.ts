import { type InferenceSession, Tensor } from "onnxruntime-node";
import { unavailable } from "../../whisper-error.ts";
import { fixedSize, floatsOf, integers, outputOf, type Tensors } from "./onnx-tensors.ts";
import { readAttention } from "./read-attention.ts";
import type { DecoderOutput, Encoded, LayerAttention, NextToken, WhisperDecoder } from "./whisper-decoder.ts";

/** The decoder's position in the reading of a window. */
interface Position {
  readonly tokensRead: number;
  /** Stays the same for the whole window. */
  readonly fixed: Tensors;
  /** Keys and values of the text, which grow with each token. */
  readonly past: Tensors;
}

/** A decoder in the common layout: one file, which also turns the encoder's output into keys and values, together with the first tokens of a text. */
export class MergedDecoder implements WhisperDecoder {
  readonly vocabularySize: number;
  readonly sharesSteps = false;
  readonly #session: InferenceSession;
  readonly #textPast: readonly string[];
  readonly #audioPast: readonly string[];
  readonly #emptyPast: Tensors;

  /** Throws `WhisperError` when the file has another layout. */
  constructor(session: InferenceSession, name: string) {
    this.#session = session;
    this.vocabularySize = fixedSize(session.outputMetadata, "logits", 2);
    const past = session.inputNames.filter((input) => input.startsWith("past_key_values."));
    if (past.length === 0 || !session.inputNames.includes("use_cache_branch"))
      throw unavailable(`The decoder of ${name} does not take its own past: a "merged" one is needed.`);

    this.#textPast = past.filter((input) => input.includes(".decoder."));
    this.#audioPast = past.filter((input) => !this.#textPast.includes(input));
    this.#emptyPast = Object.fromEntries(
      past.map((input) => {
        const [heads, size] = [1, 3].map((axis) => fixedSize(session.inputMetadata, input, axis));
        return [input, new Tensor("float32", new Float32Array(0), [1, heads ?? 0, 0, size ?? 0])];
      }),
    );
  }

  async listen(hidden: Tensor): Promise<Encoded> {
    return { encoder_hidden_states: hidden };
  }

  async begin(encoded: Encoded, tokens: readonly number[]): Promise<DecoderOutput> {
    const inputs = { ...encoded, ...this.#emptyPast, ...this.#tokenInputs(tokens, 0) };
    const outputs = await this.#session.run(inputs, outputsWith([...this.#textPast, ...this.#audioPast]));
    const logits = floatsOf(outputs, "logits");
    const ends = new Float32Array(2 * this.vocabularySize);
    ends.set(logits.subarray(0, this.vocabularySize));
    ends.set(logits.subarray(-this.vocabularySize), this.vocabularySize);
    // Later calls return no usable keys and values of the encoder: those of this one are kept.
    const fixed = { ...encoded, ...pastOf(outputs, this.#audioPast) };
    return this.#output(ends, { tokensRead: tokens.length, fixed, past: pastOf(outputs, this.#textPast) });
  }

  async attention(
    encoded: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null> {
    const inputs = { ...encoded, ...this.#emptyPast, ...this.#tokenInputs(tokens, 0) };
    return readAttention(this.#session, inputs, { layers, tokens: tokens.length, headsAxis: 1 });
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  async #step({ tokensRead, fixed, past }: Position, [next]: readonly NextToken[]): Promise<DecoderOutput> {
    if (!next) throw new TypeError("a step without a token");
    const inputs = { ...fixed, ...past, ...this.#tokenInputs([next.token], tokensRead) };
    const outputs = await this.#session.run(inputs, outputsWith(this.#textPast));
    const position = { tokensRead: tokensRead + 1, fixed, past: pastOf(outputs, this.#textPast) };
    return this.#output(floatsOf(outputs, "logits"), position);
  }

  #output(logits: Float32Array, position: Position): DecoderOutput {
    return { logits, step: async (next) => this.#step(position, next) };
  }

  /** The inputs for tokens that the file takes. */
  #tokenInputs(tokens: readonly number[], position: number): Tensors {
    const inputs = {
      input_ids: integers(tokens, [1, tokens.length]),
      cache_position: integers(
        tokens.map((_, index) => position + index),
        [tokens.length],
      ),
      use_cache_branch: new Tensor("bool", Uint8Array.of(position > 0 ? 1 : 0), [1]),
    };
    return Object.fromEntries(Object.entries(inputs).filter(([name]) => this.#session.inputNames.includes(name)));
  }
}

const outputsWith = (past: readonly string[]): string[] => ["logits", ...past.map(presentOf)];

/** Outputs with keys and values, under the names by which they are fed back. */
const pastOf = (outputs: Readonly<Record<string, unknown>>, names: readonly string[]): Tensors =>
  Object.fromEntries(names.map((name) => [name, outputOf(outputs, presentOf(name))]));

const presentOf = (pastInput: string): string => pastInput.replace("past_key_values", "present");
