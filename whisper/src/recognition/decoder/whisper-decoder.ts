import { type InferenceSession, Tensor } from "onnxruntime-node";
import { WhisperError } from "../../whisper-error.ts";

export type Tensors = Readonly<Record<string, Tensor>>;

/** What the decoder needs of one window of audio. */
export interface Encoded {
  readonly tensors: Tensors;
}

/** Where the decoder is in a text. */
export interface DecoderState {
  readonly tokensRead: number;
  /** Stays the same for the whole window. */
  readonly fixed: Tensors;
  /** Grows with each token. */
  readonly past: Tensors;
}

export interface DecoderOutput {
  /** One number per token of the vocabulary: the row of the first token that was fed, then that of the last. */
  readonly logits: Float32Array;
  readonly state: DecoderState;
}

/** Where one layer listened to while it wrote each token. */
export interface LayerAttention {
  readonly heads: number;
  readonly tokens: number;
  readonly frames: number;
  /** For each head, for each token that was fed, the share of each frame. */
  readonly weights: Float32Array;
}

/** The part of a Whisper that writes tokens. Implementations differ in the layout of their files. */
export interface WhisperDecoder {
  readonly vocabularySize: number;
  /** Takes the encoder's output for one window. */
  listen(hidden: Tensor): Promise<Encoded>;
  /** Feeds the first tokens of a text. */
  begin(encoded: Encoded, tokens: readonly number[]): Promise<DecoderOutput>;
  /** Feeds one more token. */
  step(state: DecoderState, token: number): Promise<DecoderOutput>;
  /** Feeds a whole text and returns the attention of some layers; `null` when the files don't provide it. */
  attention(
    encoded: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null>;
  release(): Promise<void>;
}

export function tokenTensor(tokens: readonly number[]): Tensor {
  return new Tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
}

export function positionTensor(first: number, count: number): Tensor {
  return new Tensor(
    "int64",
    BigInt64Array.from({ length: count }, (_, index) => BigInt(first + index)),
    [count],
  );
}

export function outputOf(outputs: Readonly<Record<string, unknown>>, name: string): Tensor {
  const value = outputs[name];
  if (!(value instanceof Tensor)) throw new WhisperError("unavailable", `The model has no output ${name}.`);
  return value;
}

export function floatsOf(outputs: Readonly<Record<string, unknown>>, name: string): Float32Array {
  const { data } = outputOf(outputs, name);
  if (!(data instanceof Float32Array)) throw new WhisperError("unavailable", `The output ${name} is not float32.`);
  return data;
}

export function fixedSize(metadata: readonly InferenceSession.ValueMetadata[], name: string, axis: number): number {
  const value = metadata.find((candidate) => candidate.name === name);
  const size = value?.isTensor && value.type === "float32" ? value.shape[axis] : undefined;
  if (typeof size === "number") return size;
  throw new WhisperError("unavailable", `The model does not state the size of ${name}, or it is not float32.`);
}

/** Inputs that begin a text: keys and values of no token. */
export function emptyPast(session: InferenceSession, names: readonly string[]): Tensors {
  return Object.fromEntries(
    names.map((name) => {
      const [heads, size] = [1, 3].map((axis) => fixedSize(session.inputMetadata, name, axis));
      return [name, new Tensor("float32", new Float32Array(0), [1, heads ?? 0, 0, size ?? 0])];
    }),
  );
}

/** Outputs with keys and values, under the names by which they are fed back. */
export function pastOf(outputs: Readonly<Record<string, unknown>>, names: readonly string[]): Tensors {
  return Object.fromEntries(names.map((name) => [name, outputOf(outputs, presentOf(name))]));
}

export function presentOf(pastInput: string): string {
  return pastInput.replace("past_key_values", "present");
}

export function attentionOutput(layer: number): string {
  return `cross_attentions.${layer}`;
}

/** The attention in the outputs of a run; `null` when its shape isn't that of the tokens. */
export function readAttention(
  outputs: Readonly<Record<string, unknown>>,
  layers: readonly number[],
  tokens: number,
): ReadonlyMap<number, LayerAttention> | null {
  const attention = new Map<number, LayerAttention>();
  for (const layer of layers) {
    const name = attentionOutput(layer);
    const [batch, heads, rows, frames] = outputOf(outputs, name).dims;
    if (batch !== 1 || heads === undefined || rows !== tokens || frames === undefined) return null;
    attention.set(layer, { heads, tokens, frames, weights: floatsOf(outputs, name) });
  }
  return attention;
}
