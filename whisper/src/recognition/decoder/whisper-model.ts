import path from "node:path";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { unavailable } from "../../whisper-error.ts";
import { sampleRate } from "../signal/audio-format.ts";
import { logMel } from "../signal/log-mel.ts";
import { CompactDecoder } from "./compact-decoder.ts";
import { MergedDecoder } from "./merged-decoder.ts";
import { findOnnxFiles, openSession } from "./onnx-files.ts";
import { fixedSize, outputOf } from "./onnx-tensors.ts";
import { readSpecification, type Specification } from "./specification.ts";
import { encoderSeconds } from "../speech-window.ts";
import { readTokenizer, type Tokenizer } from "./tokenizer.ts";
import type { Encoded, WhisperDecoder } from "./whisper-decoder.ts";
import { WindowDecoder } from "./window-decoder.ts";
import type { Alignment } from "../words/token-times.ts";

const framesPerSecond = 100;
const windowFrames = encoderSeconds * framesPerSecond;

/** A Whisper in an ONNX layout: an encoder and a decoder. Everything about its shape is read from the files. */
export class WhisperModel {
  readonly name: string;
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  readonly decoder: WhisperDecoder;
  /** The file of its encoder. */
  readonly encoderFile: string;
  readonly #encoder: InferenceSession;
  readonly #melBands: number;

  private constructor(
    name: string,
    encoderFile: string,
    specification: Specification,
    tokenizer: Tokenizer,
    encoder: InferenceSession,
    decoder: WhisperDecoder,
  ) {
    this.name = name;
    this.encoderFile = encoderFile;
    this.specification = specification;
    this.tokenizer = tokenizer;
    this.decoder = decoder;
    this.#encoder = encoder;
    this.#melBands = fixedSize(encoder.inputMetadata, "input_features", 1);
    const highest = Math.max(specification.firstTimestamp, ...specification.suppressed);
    if (highest >= decoder.vocabularySize)
      throw unavailable(
        `The settings of ${name} name the token ${highest}, its decoder has ${decoder.vocabularySize}.`,
      );
  }

  /** Loads the model of a directory. Throws `WhisperError` "unavailable". */
  static async load(directory: string, threads: number): Promise<WhisperModel> {
    const name = path.basename(directory);
    const files = await findOnnxFiles(directory);
    const specification = await readSpecification(directory);
    const tokenizer = await readTokenizer(directory, specification.endOfText);
    const encoder = await openSession(files.encoder, threads);
    const session = await openSession(files.decoder.path, threads);
    const cross = files.decoder.crossPath === null ? null : await openSession(files.decoder.crossPath, threads);
    const decoder = cross === null ? new MergedDecoder(session, name) : new CompactDecoder(session, cross, name);
    return new WhisperModel(name, files.encoder, specification, tokenizer, encoder, decoder);
  }

  /** Encodes at most 30 s of samples: one row of features for each 20 ms of 30 s, silence after the end. */
  async states(samples: Float32Array): Promise<Tensor> {
    const clip = samples.subarray(0, encoderSeconds * sampleRate);
    const spectrogram = new Tensor("float32", logMel(clip, this.#melBands, windowFrames), [
      1,
      this.#melBands,
      windowFrames,
    ]);
    const outputs = await this.#encoder.run({ input_features: spectrogram }, ["last_hidden_state"]);
    return outputOf(outputs, "last_hidden_state");
  }

  /** Listens to at most 30 s of samples, for as many readings as wanted. */
  async listen(samples: Float32Array): Promise<WindowDecoder> {
    return new WindowDecoder(this, await this.states(samples));
  }

  async align(encoded: Encoded, tokens: readonly number[]): Promise<Alignment | null> {
    const { alignmentHeads } = this.specification;
    const layers = [...new Set(alignmentHeads.map(({ layer }) => layer))];
    if (layers.length === 0) return null;
    const attention = await this.decoder.attention(encoded, tokens, layers);
    const frames = attention?.get(layers[0] ?? -1)?.frames ?? 0;
    const heads: Float32Array[] = [];
    for (const { layer, head } of alignmentHeads) {
      const layerAttention = attention?.get(layer);
      if (!layerAttention || head >= layerAttention.heads || layerAttention.frames !== frames) return null;
      const size = layerAttention.tokens * frames;
      heads.push(layerAttention.weights.subarray(head * size, (head + 1) * size));
    }
    return { heads, tokens: tokens.length, frames };
  }

  async release(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.decoder.release()]);
  }
}
