import { frameSamples, OpposedChannels } from "./opposed-channels.ts";

const hopSamples = frameSamples / 2;
const nothing = new Float64Array(0);

/**
 * Mixes the channels of a recording into one in which everything is heard that any of them holds: their sum, but where they
 * work against each other. Holds half a frame of each channel.
 */
export class ChannelMixer {
  readonly #weights: readonly number[];
  readonly #opposed: OpposedChannels;
  /** A frame of each channel, weighted. Its second half is being filled. */
  readonly #frame: readonly Float64Array[];
  #filled = hopSamples;
  /** The last frame's change to its second half. */
  #overlap: Float64Array = nothing;
  #isFirst = true;

  /** `channels`: at least 1. */
  constructor(channels: number) {
    this.#weights = weightsOf(channels);
    this.#opposed = new OpposedChannels(channels);
    this.#frame = this.#weights.map(() => new Float64Array(frameSamples));
  }

  /** Takes interleaved samples and gives those of the mix that are certain: all but the last 400. */
  mix(samples: Float32Array): Float32Array {
    const channels = this.#weights.length;
    if (channels === 1) return samples;
    const count = samples.length / channels;
    const mixed = new Float32Array(count + frameSamples);
    let length = 0;
    for (let taken = 0; taken < count;) {
      const part = Math.min(count - taken, frameSamples - this.#filled);
      for (const [channel, weight] of this.#weights.entries()) {
        const target = this.#frame[channel]!;
        for (let index = 0, at = taken * channels + channel; index < part; index += 1, at += channels)
          target[this.#filled + index] = samples[at]! * weight;
      }
      taken += part;
      this.#filled += part;
      if (this.#filled === frameSamples) length = this.#passOn(mixed, length);
    }
    return mixed.subarray(0, length);
  }

  /** The rest of the mix. */
  finish(): Float32Array {
    const mixed = new Float32Array(frameSamples);
    if (this.#weights.length === 1) return mixed.subarray(0, 0);
    const rest = this.#filled - hopSamples;
    let length = 0;
    for (const end of [rest, 0]) {
      for (const channel of this.#frame) channel.fill(0, hopSamples + end);
      length = this.#passOn(mixed, length);
    }
    return mixed.subarray(0, Math.max(0, length - hopSamples + rest));
  }

  /** Mixes the first half of the frame, which no later frame changes, and moves the second half to its place. */
  #passOn(mixed: Float32Array, length: number): number {
    const change = this.#opposed.change(this.#frame);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst) {
      for (const part of [...this.#frame, this.#overlap, change ?? nothing]) addTo(mixed, length, part);
      if (change !== undefined || this.#overlap.length > 0) clamp(mixed, length);
    }
    this.#overlap = change?.subarray(hopSamples) ?? nothing;
    for (const channel of this.#frame) channel.copyWithin(0, hopSamples);
    this.#filled = hopSamples;
    return isFirst ? length : length + hopSamples;
  }
}

function addTo(mixed: Float32Array, at: number, part: Float64Array): void {
  const length = Math.min(part.length, hopSamples);
  for (let index = 0; index < length; index += 1) mixed[at + index] = mixed[at + index]! + part[index]!;
}

/** Limits the mix, because turning a channel can make it a little louder. */
function clamp(mixed: Float32Array, at: number): void {
  for (let index = at; index < at + hopSamples; index += 1) mixed[index] = Math.max(-1, Math.min(1, mixed[index]!));
}

/** Weighs channels as a single loudspeaker plays them: the middle counts most. The sum is 1, so that nothing is clipped. */
function weightsOf(channels: number): readonly number[] {
  const weights = Array.from({ length: channels }, (_, channel) => {
    if (channels < 5) return 1;
    return channel < 2 ? Math.SQRT1_2 : channel === 2 ? 1 : 0.5;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
