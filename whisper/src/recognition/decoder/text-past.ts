import { Tensor } from "onnxruntime-node";
import type { Tensors } from "./onnx-tensors.ts";

/** Slots are added so many at a time. */
const slotsPerBlock = 64;

/**
 * Keys and values of the tokens that the readings of a window consist of. A token has a slot, which all readings that
 * continue it share, so readings that differ in their last words need little more room and time than one.
 */
export class TextPast {
  readonly #layers: number;
  readonly #heads: number;
  readonly #headSize: number;
  #slots = 0;
  /** For each layer its keys, then its values; for each head, for each slot, `headSize` numbers. */
  #numbers = new Float32Array();
  #tensors: Tensors = {};

  constructor(layers: number, heads: number, headSize: number) {
    this.#layers = layers;
    this.#heads = heads;
    this.#headSize = headSize;
    this.#grow();
  }

  /** Inputs of the decoder. They stay valid until more slots are needed. */
  tensors(): Tensors {
    return this.#tensors;
  }

  /** Slots for `count` tokens, which none of the `readings` uses. */
  slotsFor(count: number, readings: readonly (readonly number[])[]): readonly number[] {
    const used = new Set(readings.flat());
    const free: number[] = [];
    for (let slot = 0; free.length < count; slot += 1) {
      if (slot === this.#slots) this.#grow();
      if (!used.has(slot)) free.push(slot);
    }
    return free;
  }

  /** Which slots and which tokens of a step one token of each reading attends to: those of its reading, and itself. */
  mask(readings: readonly (readonly number[])[]): Tensor {
    const mask = this.#closedMask(readings.length);
    const width = this.#slots + readings.length;
    for (const [row, slots] of readings.entries()) {
      for (const slot of slots) mask[row * width + slot] = 0;
      mask[row * width + this.#slots + row] = 0;
    }
    return new Tensor("float32", mask, [readings.length, width]);
  }

  /** The same for a text from its beginning: each token attends to those before it, and to itself. */
  maskOfText(tokens: number): Tensor {
    const mask = this.#closedMask(tokens);
    const width = this.#slots + tokens;
    for (let row = 0; row < tokens; row += 1)
      mask.fill(0, row * width + this.#slots, row * width + this.#slots + row + 1);
    return new Tensor("float32", mask, [tokens, width]);
  }

  /** Stores the decoder's keys and values of some tokens: for each layer and head, for each token, `headSize` numbers. */
  write(numbers: Float32Array, slots: readonly number[]): void {
    const size = this.#headSize;
    for (let head = 0; head < 2 * this.#layers * this.#heads; head += 1)
      for (const [token, slot] of slots.entries()) {
        const from = (head * slots.length + token) * size;
        this.#numbers.set(numbers.subarray(from, from + size), (head * this.#slots + slot) * size);
      }
  }

  #closedMask(tokens: number): Float32Array {
    return new Float32Array(tokens * (this.#slots + tokens)).fill(-Infinity);
  }

  #grow(): void {
    const former = this.#numbers;
    const formerSlots = this.#slots;
    const size = this.#headSize;
    const heads = 2 * this.#layers * this.#heads;
    this.#slots += slotsPerBlock;
    this.#numbers = new Float32Array(heads * this.#slots * size);
    for (let head = 0; head < heads; head += 1)
      this.#numbers.set(
        former.subarray(head * formerSlots * size, (head + 1) * formerSlots * size),
        head * this.#slots * size,
      );
    const perInput = this.#heads * this.#slots * size;
    const inputs = Array.from({ length: this.#layers }, (_, layer) => [`past.${layer}.key`, `past.${layer}.value`]);
    this.#tensors = Object.fromEntries(
      inputs
        .flat()
        .map((name, index) => [
          name,
          new Tensor("float32", this.#numbers.subarray(index * perInput, (index + 1) * perInput), [
            this.#heads,
            this.#slots,
            size,
          ]),
        ]),
    );
  }
}
