import { frameSamples, sampleRate } from "./audio-format.ts";

const reachFrames = Math.round((1.5 * sampleRate) / frameSamples);
const targetLoudness = 0.1;
const greatestGain = 100;
const quietestLoudness = 1e-9;

/**
 * Keeps the samples of a recording as they come and gives them back at an even loudness: quiet speech after loud
 * speech is lost otherwise. The gain of a frame follows the loudest frame within 1.5 s to either side,
 * so it is known 1.5 s late; it never lowers and rises at most a hundredfold.
 */
export class Leveler {
  #samples = new Float32Array(sampleRate * 64);
  #length = 0;
  #complete = false;
  readonly #loudness: number[] = [];
  readonly #gains: number[] = [];

  get length(): number {
    return this.#length;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** How many samples can be asked for by now. */
  get leveledLength(): number {
    return this.#complete ? this.#length : this.#gains.length * frameSamples;
  }

  /** Takes samples, clamped to [-1, 1]. */
  append(chunk: Float32Array): void {
    this.#reserve(this.#length + chunk.length);
    for (let i = 0; i < chunk.length; i += 1) {
      const sample = chunk[i]!;
      // Not-a-number fails both comparisons and becomes silence.
      this.#samples[this.#length + i] = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0;
    }
    this.#length += chunk.length;
    this.#measure(Math.floor(this.#length / frameSamples));
  }

  finish(): void {
    this.#complete = true;
    this.#measure(Math.ceil(this.#length / frameSamples));
  }

  /** A leveled copy of the samples from `start` to `end`; silence before the beginning and after the end. */
  read(start: number, end: number): Float32Array {
    const copy = new Float32Array(Math.max(0, end - start));
    this.readInto(copy, start);
    return copy;
  }

  readInto(target: Float32Array, start: number): void {
    const from = Math.max(0, start);
    const to = Math.min(this.leveledLength, start + target.length);
    target.fill(0, 0, Math.min(target.length, Math.max(0, from - start)));
    for (let at = from; at < to;) {
      const frame = Math.floor(at / frameSamples);
      const frameStart = frame * frameSamples;
      const frameEnd = Math.min(to, frameStart + frameSamples);
      const gain = this.#gains[frame]!;
      const before = this.#gains[frame - 1] ?? gain;
      const slope = (gain - before) / frameSamples;
      for (; at < frameEnd; at += 1) target[at - start] = this.#samples[at]! * (before + slope * (at - frameStart));
    }
    target.fill(0, Math.max(0, to - start));
  }

  #reserve(length: number): void {
    if (length <= this.#samples.length) return;
    const larger = new Float32Array(Math.max(length, this.#samples.length * 2));
    larger.set(this.#samples.subarray(0, this.#length));
    this.#samples = larger;
  }

  #measure(frames: number): void {
    for (let frame = this.#loudness.length; frame < frames; frame += 1) {
      let energy = 0;
      const end = Math.min(this.#length, (frame + 1) * frameSamples);
      for (let at = frame * frameSamples; at < end; at += 1) energy += this.#samples[at]! ** 2;
      this.#loudness.push(Math.sqrt(energy / frameSamples));
    }
    const knownFrames = this.#complete ? frames : frames - reachFrames;
    for (let frame = this.#gains.length; frame < knownFrames; frame += 1) {
      let loudest = quietestLoudness;
      const last = Math.min(frames - 1, frame + reachFrames);
      for (let near = Math.max(0, frame - reachFrames); near <= last; near += 1)
        loudest = Math.max(loudest, this.#loudness[near]!);

      this.#gains.push(Math.min(greatestGain, Math.max(1, targetLoudness / loudest)));
    }
  }
}
