import type { InferenceSession, Tensor } from "onnxruntime-node";
import { unavailable } from "../../whisper-error.ts";
import { fixedSize, floatsOf, integers, outputOf, type Tensors } from "./onnx-tensors.ts";
import { readAttention } from "./read-attention.ts";
import { TextPast } from "./text-past.ts";
import type { DecoderOutput, Encoded, LayerAttention, NextToken, WhisperDecoder } from "./whisper-decoder.ts";

/** A decoder in the layout of `models/convert`: a second graph turns the encoder's output into keys and values once per window, and several readings share a step. */
export class CompactDecoder implements WhisperDecoder {
  readonly vocabularySize: number;
  readonly sharesSteps = true;
  readonly #session: InferenceSession;
  readonly #cross: InferenceSession;
  readonly #layers: number;
  readonly #heads: number;
  readonly #headSize: number;

  /** Throws `WhisperError` when the files have another layout. */
  constructor(session: InferenceSession, cross: InferenceSession, name: string) {
    this.#session = session;
    this.#cross = cross;
    const audio = session.inputNames.filter((input) => input.startsWith("cross."));
    if (!session.inputNames.includes("text_mask") || !audio.every((input) => cross.outputNames.includes(input)))
      throw unavailable(`The two parts of the decoder of ${name} don't belong together.`);
    this.vocabularySize = fixedSize(session.outputMetadata, "logits", 2);
    this.#layers = session.inputNames.filter((input) => /^past\.\d+\.key$/u.test(input)).length;
    this.#heads = fixedSize(session.inputMetadata, "past.0.key", 0);
    this.#headSize = fixedSize(session.inputMetadata, "past.0.key", 2);
  }

  async listen(hidden: Tensor): Promise<Encoded> {
    const outputs = await this.#cross.run({ encoder_hidden_states: hidden });
    return Object.fromEntries(this.#cross.outputNames.map((name) => [name, outputOf(outputs, name)]));
  }

  async begin(encoded: Encoded, tokens: readonly number[]): Promise<DecoderOutput> {
    const past = this.#emptyPast();
    const slots = past.slotsFor(tokens.length, []);
    const inputs = { ...encoded, ...textInputs(past, tokens), logits_rows: integers([0, tokens.length - 1], [2]) };
    const outputs = await this.#session.run(inputs, ["logits", "new_past"]);
    past.write(floatsOf(outputs, "new_past"), slots);
    return this.#output(floatsOf(outputs, "logits"), encoded, past, [slots]);
  }

  async attention(
    encoded: Encoded,
    tokens: readonly number[],
    layers: readonly number[],
  ): Promise<ReadonlyMap<number, LayerAttention> | null> {
    const inputs = { ...encoded, ...textInputs(this.#emptyPast(), tokens), logits_rows: integers([0], [1]) };
    return readAttention(this.#session, inputs, { layers, tokens: tokens.length, headsAxis: 0 });
  }

  async release(): Promise<void> {
    await Promise.all([this.#cross.release(), this.#session.release()]);
  }

  #emptyPast(): TextPast {
    return new TextPast(this.#layers, this.#heads, this.#headSize);
  }

  /** `readings` are the slots of each reading's tokens in the past, in the order of the text. */
  #output(
    logits: Float32Array,
    encoded: Encoded,
    past: TextPast,
    readings: readonly (readonly number[])[],
  ): DecoderOutput {
    return { logits, step: async (next) => this.#step(encoded, past, readings, next) };
  }

  async #step(
    encoded: Encoded,
    past: TextPast,
    readings: readonly (readonly number[])[],
    next: readonly NextToken[],
  ): Promise<DecoderOutput> {
    const continued = next.map(({ row }) => readings[row]!);
    const slots = past.slotsFor(next.length, continued);
    const inputs = {
      ...encoded,
      ...past.tensors(),
      text_mask: past.mask(continued),
      input_ids: integers(
        next.map(({ token }) => token),
        [next.length, 1],
      ),
      cache_position: integers([continued[0]!.length], [1]),
      logits_rows: integers([0], [1]),
    };
    const outputs = await this.#session.run(inputs, ["logits", "new_past"]);
    past.write(floatsOf(outputs, "new_past"), slots);
    const longer = continued.map((reading, row) => [...reading, slots[row]!]);
    return this.#output(floatsOf(outputs, "logits"), encoded, past, longer);
  }
}

/** The inputs for a text from its beginning. */
const textInputs = (past: TextPast, tokens: readonly number[]): Tensors => ({
  ...past.tensors(),
  text_mask: past.maskOfText(tokens.length),
  input_ids: integers(tokens, [1, tokens.length]),
  cache_position: integers([...tokens.keys()], [tokens.length]),
});
