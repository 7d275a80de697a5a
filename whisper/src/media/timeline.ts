import { sampleRate } from "./ffmpeg-arguments.ts";
import type { TimedAudio } from "./timed-audio.ts";

/** Containers state times in milliseconds, and some programs round them more coarsely: within this nothing is moved. */
const toleratedSamples = 0.1 * sampleRate;
/** Encoders begin some milliseconds early. Nobody sees a picture before the beginning. */
const mostEarlySamples = sampleRate;
const silenceSamples = sampleRate;

/**
 * Puts decoded sound where it is heard in the file: silence for what is missing at the beginning and in between, nothing for
 * what lies before the beginning. A jump over more than is read at most isn't believed, nor is one back: what follows is
 * heard right away then. So no file makes more silence than that, and no sound is lost by a wrong time.
 */
export class Timeline {
  readonly #mostSamples: number;
  #shift: number;
  #end = 0;

  /** `startSeconds`: where the file begins by its container, which ffmpeg counts as 0; less than 0 for a few encoders. */
  constructor(mostSamples: number, startSeconds: number) {
    this.#mostSamples = mostSamples;
    const early = Math.round(Math.min(0, startSeconds) * sampleRate);
    this.#shift = -early > mostEarlySamples ? 0 : early;
  }

  /** Yields interleaved samples: first silence, at most a second at a time, then the rest of the audio. */
  *place({ milliseconds, channels, samples }: TimedAudio): Generator<Float32Array, void, undefined> {
    const count = samples.length / channels;
    const gap = this.#gapBefore(milliseconds);
    for (let left = gap; left > 0; left -= silenceSamples) yield this.#passOn(channels, Math.min(left, silenceSamples));
    const early = gap < 0 ? Math.min(count, -gap) : 0;
    this.#end += count - early;
    if (early < count) yield samples.subarray(early * channels);
  }

  #passOn(channels: number, count: number): Float32Array {
    this.#end += count;
    return new Float32Array(channels * count);
  }

  /** Samples of silence to be put before; what is negative is to be left out. */
  #gapBefore(milliseconds: number): number {
    const gap = Math.round((milliseconds * sampleRate) / 1000) + this.#shift - this.#end;
    const isFirst = this.#end === 0;
    if (isFirst && gap <= this.#mostSamples && gap >= -mostEarlySamples) return gap;
    if (!isFirst && Math.abs(gap) <= toleratedSamples) return 0;
    if (!isFirst && gap > 0 && gap <= this.#mostSamples) return gap;
    this.#shift -= gap;
    return 0;
  }
}
