import { frameSamples, frameSeconds, sampleRate } from "./signal/audio-format.ts";
import { Leveler } from "./signal/leveler.ts";
import { settlingSeconds, type Span, speechSpans } from "./signal/speech-spans.ts";
import { nextWindow, type SpeechWindow } from "./speech-window.ts";
import { blockFrames, type VoiceDetector } from "./signal/voice-detector.ts";

export type Timeline = Pick<SpeechTimeline, "nextWindow" | "samples" | "seconds" | "spans">;

/** A recording whose samples still come, and where somebody speaks in it as far as it is known. */
export class SpeechTimeline {
  readonly #detector: VoiceDetector;
  readonly #audio = new Leveler();
  readonly #probabilities: number[] = [];
  #spans: readonly Span[] = [];
  #isHeard = false;
  #wake: () => void = () => undefined;

  constructor(detector: VoiceDetector) {
    this.#detector = detector;
  }

  append(samples: Float32Array): void {
    this.#audio.append(samples);
    this.#wake();
  }

  finish(): void {
    this.#audio.finish();
    this.#wake();
  }

  /** Seconds of the recording so far. */
  get seconds(): number {
    return this.#audio.length / sampleRate;
  }

  /** Detected speech; the last spans may still change while samples come. */
  get spans(): readonly Span[] {
    return this.#spans;
  }

  /** Leveled samples of a window. */
  samples(window: SpeechWindow): Float32Array {
    const samples = new Float32Array(Math.round(window.length * sampleRate));
    window.pieces.forEach((piece, index) => {
      const from = Math.round(piece.at * sampleRate);
      const to = window.pieces[index + 1]?.at;
      this.#audio.readInto(
        samples.subarray(from, to === undefined ? undefined : Math.round(to * sampleRate)),
        Math.round(piece.start * sampleRate),
      );
    });
    return samples;
  }

  /**
   * The next window after `from`, as soon as enough of the recording is there to know its end; `undefined` when no
   * speech is left. Rejects with the signal's reason.
   */
  async nextWindow(from: number, longest: number, signal: AbortSignal): Promise<SpeechWindow | undefined> {
    for (;;) {
      const next = nextWindow(this.#spans, from, longest);
      const knownSeconds = this.#probabilities.length * frameSeconds;
      const isSettled = next?.fullAt !== undefined && knownSeconds >= next.fullAt + settlingSeconds + 1;
      if (this.#isHeard || isSettled) return next?.window;
      await this.#hearMore(signal);
    }
  }

  /** Waits for the next block of samples and finds the speech in it. */
  async #hearMore(signal: AbortSignal): Promise<void> {
    const first = this.#probabilities.length;
    const end = first + blockFrames;
    while (!this.#audio.complete && this.#audio.leveledLength < end * frameSamples) await this.#moreSamples(signal);
    signal.throwIfAborted();
    const last = Math.min(end, Math.ceil(this.#audio.length / frameSamples));
    if (last > first) this.#probabilities.push(...(await this.#detector.probabilities(this.#audio, first, last)));
    this.#isHeard = this.#audio.complete && last * frameSamples >= this.#audio.length;
    this.#spans = speechSpans(this.#probabilities, Math.min(last * frameSeconds, this.seconds));
  }

  async #moreSamples(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#wake = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
    });
  }
}
