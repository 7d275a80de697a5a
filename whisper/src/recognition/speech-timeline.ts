import { FRAME_SAMPLES, FRAME_SECONDS, SAMPLE_RATE } from "./audio-format.ts";
import { Leveller } from "./leveller.ts";
import { SETTLING_SECONDS, type Span, speechSpans } from "./speech-spans.ts";
import { nextSpeech, nextWindow } from "./speech-window.ts";
import { BLOCK_FRAMES, type VoiceDetector } from "./voice-detector.ts";

/** A recording whose samples still come, and where somebody speaks in it as far as it is known. */
export class SpeechTimeline {
  readonly #detector: VoiceDetector;
  readonly #audio = new Leveller();
  readonly #probabilities: number[] = [];
  #spans: readonly Span[] = [];
  #isHeard = false;
  #wake: () => void = () => {};

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
    return this.#audio.length / SAMPLE_RATE;
  }

  /** Where somebody speaks; the last entries may still change while samples come. */
  get spans(): readonly Span[] {
    return this.#spans;
  }

  /** Levelled samples of a stretch. */
  samples({ start, end }: Span): Float32Array {
    return this.#audio.read(Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE));
  }

  /**
   * The next window after `from`, as soon as enough of the recording is there to know its end; `undefined` when no
   * speech is left. Rejects with the signal's reason.
   */
  async nextWindow(from: number, longest: number, signal: AbortSignal): Promise<Span | undefined> {
    for (;;) {
      const first = nextSpeech(this.#spans, from);
      const needed = first && Math.max(from, first.start) + longest + SETTLING_SECONDS + 1;
      const known = this.#probabilities.length * FRAME_SECONDS;
      if (this.#isHeard || (needed !== undefined && known >= needed)) return nextWindow(this.#spans, from, longest);
      await this.#hearMore(signal);
    }
  }

  /** Waits for the next block of samples and finds the speech in it. */
  async #hearMore(signal: AbortSignal): Promise<void> {
    const first = this.#probabilities.length;
    const end = first + BLOCK_FRAMES;
    while (!this.#audio.complete && this.#audio.levelledLength < end * FRAME_SAMPLES) await this.#moreSamples(signal);
    signal.throwIfAborted();
    const last = Math.min(end, Math.ceil(this.#audio.length / FRAME_SAMPLES));
    if (last > first) this.#probabilities.push(...(await this.#detector.probabilities(this.#audio, first, last)));
    this.#isHeard = this.#audio.complete && last * FRAME_SAMPLES >= this.#audio.length;
    this.#spans = speechSpans(this.#probabilities, Math.min(last * FRAME_SECONDS, this.seconds));
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
