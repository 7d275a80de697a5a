import type { Tensor } from "onnxruntime-node";
import type { Tensors } from "./onnx-tensors.ts";

/** The decoder's inputs for one window of audio. */
export type Encoded = Tensors;

/** The decoder's output for one reading of a window, or for several that are equally long: a row each. */
export interface DecoderOutput {
  /**
   * One number per token of the vocabulary, row after row: after a prompt the row of its first token, then that of its last;
   * after a step one for each reading.
   */
  readonly logits: Float32Array;
  /**
   * Feeds one more token of each reading: several only where the decoder shares steps. The output of a prompt may be
   * continued as often as wanted, that of a step once and before any other of its window.
   */
  step(next: readonly NextToken[]): Promise<DecoderOutput>;
}

/** A reading's next token. */
export interface NextToken {
  /** The reading's row in the output before; 0 after a prompt. */
  readonly row: number;
  readonly token: number;
}

/** Attention of one layer to the audio while it wrote each token. */
export interface LayerAttention {
  readonly heads: number;
  readonly tokens: number;
  readonly frames: number;
  /** For each head, for each token that was fed, the share of each frame. */
  readonly weights: Float32Array;
}

/** The part of a Whisper that writes tokens. */
export interface WhisperDecoder {
  readonly vocabularySize: number;
  /** Several readings of a window can be fed at a time, for little more than the time of one. */
  readonly sharesSteps: boolean;
  /** Takes the encoder's output for one window. */
  listen(hidden: Tensor): Promise<Encoded>;
  /** Feeds the first tokens of a text. */
  begin(encoded: Encoded, tokens: readonly number[]): Promise<DecoderOutput>;
  /**
   * Feeds a whole text and returns the attention of some layers; `null` when the files don't provide it, or in another shape
   * than that of the tokens.
   */
  attention(
    encoded: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null>;
  release(): Promise<void>;
}
