import { type InferenceSession, Tensor } from "onnxruntime-node";
import { unavailable } from "../../whisper-error.ts";

type Tensors = Readonly<Record<string, Tensor>>;

/** The decoder's inputs for one window of audio. */
export type Encoded = Tensors;

/** The decoder's position in one reading of a window, or in several that are equally long: a row each. */
interface DecoderState {
  readonly tokensRead: number;
  /** Stays the same for the whole window. */
  readonly fixed: Tensors;
  /** Grows with each token. */
  readonly past: Tensors;
}

export interface DecoderOutput {
  /**
   * One number per token of the vocabulary, row after row: after a prompt the row of its first token, then that of its last;
   * after a step one for each reading.
   */
  readonly logits: Float32Array;
  readonly state: DecoderState;
}

/** A reading's next token. */
interface NextToken {
  /** The reading's row in the output before. */
  readonly row: number;
  readonly token: number;
}

/** Attention of one layer to the audio while it wrote each token. */
interface LayerAttention {
  readonly heads: number;
  readonly tokens: number;
  readonly frames: number;
  /** For each head, for each token that was fed, the share of each frame. */
  readonly weights: Float32Array;
}

/**
 * The part of a Whisper that writes tokens, in one of two layouts. That of `models/convert` computes the logits of chosen
 * rows only, and has a second graph, `cross`, that turns the encoder's output into keys and values once per window. The
 * common one ("merged") is one file, which does so together with the first tokens of a text.
 */
export class WhisperDecoder {
  readonly vocabularySize: number;
  /** Several readings of a window can be fed at a time, for little more than the time of one. */
  readonly sharesSteps: boolean;
  readonly #session: InferenceSession;
  readonly #cross: InferenceSession | null;
  /** Inputs with keys and values of the text, and of the audio where they come with the first tokens. */
  readonly #textPast: readonly string[];
  readonly #audioPast: readonly string[];
  readonly #emptyPast: Tensors;

  /** Throws `WhisperError` when the files have another layout. */
  constructor(session: InferenceSession, cross: InferenceSession | null, name: string) {
    this.#session = session;
    this.#cross = cross;
    this.vocabularySize = fixedSize(session.outputMetadata, "logits", 2);
    this.sharesSteps = session.inputNames.includes("past_rows");
    const past = session.inputNames.filter((input) => input.startsWith("past_key_values."));
    if (cross !== null) {
      const crossInputs = session.inputNames.filter((input) => input.startsWith("cross."));
      if (past.length === 0 || !this.sharesSteps || !crossInputs.every((input) => cross.outputNames.includes(input)))
        throw unavailable(`The two parts of the decoder of ${name} don't belong together.`);
    } else if (past.length === 0 || !session.inputNames.includes("use_cache_branch"))
      throw unavailable(`The decoder of ${name} does not take its own past: a "merged" one is needed.`);

    this.#textPast = past.filter((input) => cross !== null || input.includes(".decoder."));
    this.#audioPast = past.filter((input) => !this.#textPast.includes(input));
    this.#emptyPast = Object.fromEntries(
      past.map((input) => {
        const [heads, size] = [1, 3].map((axis) => fixedSize(session.inputMetadata, input, axis));
        return [input, new Tensor("float32", new Float32Array(0), [1, heads ?? 0, 0, size ?? 0])];
      }),
    );
  }

  /** Takes the encoder's output for one window. */
  async listen(hidden: Tensor): Promise<Encoded> {
    if (this.#cross === null) return { encoder_hidden_states: hidden };
    const outputs = await this.#cross.run({ encoder_hidden_states: hidden });
    return Object.fromEntries(this.#cross.outputNames.map((name) => [name, outputOf(outputs, name)]));
  }

  /** Feeds the first tokens of a text. */
  async begin(encoded: Encoded, tokens: readonly number[]): Promise<DecoderOutput> {
    const inputs = { ...encoded, ...this.#emptyPast, ...this.#tokenInputs([tokens], 0, [0, tokens.length - 1], [0]) };
    const outputs = await this.#session.run(inputs, outputsWith([...this.#textPast, ...this.#audioPast]));
    const logits = floatsOf(outputs, "logits");
    const ends = new Float32Array(2 * this.vocabularySize);
    ends.set(logits.subarray(0, this.vocabularySize));
    ends.set(logits.subarray(-this.vocabularySize), this.vocabularySize);
    // Later calls return no usable keys and values of the encoder: those of this one are kept.
    const fixed = { ...encoded, ...pastOf(outputs, this.#audioPast) };
    return { logits: ends, state: { tokensRead: tokens.length, fixed, past: pastOf(outputs, this.#textPast) } };
  }

  /** Feeds one more token of each reading: several only where `sharesSteps`. */
  async step({ tokensRead, fixed, past }: DecoderState, next: readonly NextToken[]): Promise<DecoderOutput> {
    const inputs = {
      ...fixed,
      ...past,
      ...this.#tokenInputs(
        next.map(({ token }) => [token]),
        tokensRead,
        [0],
        next.map(({ row }) => row),
      ),
    };
    const outputs = await this.#session.run(inputs, outputsWith(this.#textPast));
    const state = { tokensRead: tokensRead + 1, fixed, past: pastOf(outputs, this.#textPast) };
    return { logits: floatsOf(outputs, "logits"), state };
  }

  /**
   * Feeds a whole text and returns the attention of some layers; `null` when the files don't provide it, or in another shape
   * than that of the tokens.
   */
  async attention(
    encoded: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null> {
    const names = layers.map((layer) => `cross_attentions.${layer}`);
    if (!names.every((name) => this.#session.outputNames.includes(name))) return null;
    const inputs = { ...encoded, ...this.#emptyPast, ...this.#tokenInputs([tokens], 0, [0], [0]) };
    const outputs = await this.#session.run(inputs, names);
    const attention = new Map<number, LayerAttention>();
    for (const [index, layer] of layers.entries()) {
      const name = names[index]!;
      // The common layout has the one reading before the heads.
      const { dims } = outputOf(outputs, name);
      const [heads, reading] = this.sharesSteps ? dims : [dims[1], dims[0]];
      const [, , rows, frames] = dims;
      if (reading !== 1 || heads === undefined || rows !== tokens.length || frames === undefined) return null;
      attention.set(layer, { heads, tokens: rows, frames, weights: floatsOf(outputs, name) });
    }
    return attention;
  }

  async release(): Promise<void> {
    await Promise.all([this.#cross?.release(), this.#session.release()]);
  }

  /**
   * Token inputs that the files take: the same number of tokens for each reading. `rows` are the tokens whose logits are
   * returned, `pastRows` the rows of the past that the readings continue.
   */
  #tokenInputs(
    readings: readonly (readonly number[])[],
    position: number,
    rows: readonly number[],
    pastRows: readonly number[],
  ): Tensors {
    const length = readings[0]?.length ?? 0;
    const inputs = {
      input_ids: integers(readings.flat(), [readings.length, length]),
      cache_position: integers(
        Array.from({ length }, (_, index) => position + index),
        [length],
      ),
      logits_rows: integers(rows, [rows.length]),
      past_rows: integers(pastRows, [pastRows.length]),
      use_cache_branch: new Tensor("bool", Uint8Array.of(position > 0 ? 1 : 0), [1]),
    };
    return Object.fromEntries(Object.entries(inputs).filter(([name]) => this.#session.inputNames.includes(name)));
  }
}

const integers = (values: readonly number[], shape: readonly number[]): Tensor =>
  new Tensor("int64", BigInt64Array.from(values, BigInt), shape);

export function outputOf(outputs: Readonly<Record<string, unknown>>, name: string): Tensor {
  const value = outputs[name];
  if (!(value instanceof Tensor)) throw unavailable(`The model has no output ${name}.`);
  return value;
}

function floatsOf(outputs: Readonly<Record<string, unknown>>, name: string): Float32Array {
  const { data } = outputOf(outputs, name);
  if (!(data instanceof Float32Array)) throw unavailable(`The output ${name} is not float32.`);
  return data;
}

export function fixedSize(metadata: readonly InferenceSession.ValueMetadata[], name: string, axis: number): number {
  const value = metadata.find((candidate) => candidate.name === name);
  const size = value?.isTensor && value.type === "float32" ? value.shape[axis] : undefined;
  if (typeof size === "number") return size;
  throw unavailable(`The model does not state the size of ${name}, or it is not float32.`);
}

const outputsWith = (past: readonly string[]): string[] => ["logits", ...past.map(presentOf)];

/** Outputs with keys and values, under the names by which they are fed back. */
const pastOf = (outputs: Readonly<Record<string, unknown>>, names: readonly string[]): Tensors =>
  Object.fromEntries(names.map((name) => [name, outputOf(outputs, presentOf(name))]));

const presentOf = (pastInput: string): string => pastInput.replace("past_key_values", "present");
