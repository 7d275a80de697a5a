import { FRAME_SAMPLES, SAMPLE_RATE } from "./audio-format.ts";

const REACH_FRAMES = Math.round((1.5 * SAMPLE_RATE) / FRAME_SAMPLES);
const TARGET_LOUDNESS = 0.1;
const GREATEST_GAIN = 100;
const QUIETEST = 1e-9;

/**
 * Keeps the samples of a recording as they come and gives them back at an even loudness: quiet speech after loud
 * speech is lost otherwise. The gain of a frame follows the loudest frame within 1.5 s to either side,
 * so it is known 1.5 s late; it never lowers and rises at most a hundredfold.
 */
export class Leveller {
  #samples = new Float32Array(SAMPLE_RATE * 64);
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
  get levelledLength(): number {
    return this.#complete ? this.#length : this.#gains.length * FRAME_SAMPLES;
  }

  /** Takes samples; what is no number in [-1, 1] is made one. */
  append(chunk: Float32Array): void {
    this.#reserve(this.#length + chunk.length);
    for (let i = 0; i < chunk.length; i++) {
      const sample = chunk[i]!;
      // Not-a-number fails both comparisons and becomes silence.
      this.#samples[this.#length + i] = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0;
    }
    this.#length += chunk.length;
    this.#measure(Math.floor(this.#length / FRAME_SAMPLES));
  }

  finish(): void {
    this.#complete = true;
    this.#measure(Math.ceil(this.#length / FRAME_SAMPLES));
  }

  /** A levelled copy of the samples from `start` to `end`; silence before the beginning and after the end. */
  read(start: number, end: number): Float32Array {
    const copy = new Float32Array(Math.max(0, end - start));
    this.readInto(copy, start);
    return copy;
  }

  readInto(target: Float32Array, start: number): void {
    const from = Math.max(0, start);
    const to = Math.min(this.levelledLength, start + target.length);
    target.fill(0, 0, Math.min(target.length, Math.max(0, from - start)));
    for (let at = from; at < to;) {
      const frame = Math.floor(at / FRAME_SAMPLES);
      const frameStart = frame * FRAME_SAMPLES;
      const frameEnd = Math.min(to, frameStart + FRAME_SAMPLES);
      const gain = this.#gains[frame]!;
      const before = this.#gains[frame - 1] ?? gain;
      const slope = (gain - before) / FRAME_SAMPLES;
      for (; at < frameEnd; at++) target[at - start] = this.#samples[at]! * (before + slope * (at - frameStart));
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
    for (let frame = this.#loudness.length; frame < frames; frame++) {
      let energy = 0;
      const end = Math.min(this.#length, (frame + 1) * FRAME_SAMPLES);
      for (let at = frame * FRAME_SAMPLES; at < end; at++) energy += this.#samples[at]! ** 2;
      this.#loudness.push(Math.sqrt(energy / FRAME_SAMPLES));
    }
    const known = this.#complete ? frames : frames - REACH_FRAMES;
    for (let frame = this.#gains.length; frame < known; frame++) {
      let loudest = QUIETEST;
      const last = Math.min(frames - 1, frame + REACH_FRAMES);
      for (let near = Math.max(0, frame - REACH_FRAMES); near <= last; near++) {
        loudest = Math.max(loudest, this.#loudness[near]!);
      }
      this.#gains.push(Math.min(GREATEST_GAIN, Math.max(1, TARGET_LOUDNESS / loudest)));
    }
  }
}
