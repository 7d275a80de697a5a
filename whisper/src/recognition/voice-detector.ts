import { type InferenceSession, Tensor } from "onnxruntime-node";
import { FRAME_SAMPLES, SAMPLE_RATE } from "./audio-format.ts";
import type { Leveller } from "./leveller.ts";

const CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = CONTEXT_SAMPLES + FRAME_SAMPLES;
const STATE_SIZE = 128;
const MOST_LANES = 8;
/** Frames heard before a stretch, without counting, so that the network's memory has settled: about a second. */
const WARM_UP_FRAMES = 32;
/**
 * Frames that are heard together: 16 s. Always the same cut, however the samples come in,
 * so that the same recording gives the same result.
 */
export const BLOCK_FRAMES = 500;

/** Tells for each frame of 32 ms how likely somebody speaks in it (Silero). */
export class VoiceDetector {
  readonly #session: InferenceSession;
  readonly #sampleRate = new Tensor("int64", BigInt64Array.of(BigInt(SAMPLE_RATE)), []);

  constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Probabilities of the frames from `first` to `end`. The stretch is split into lanes that run as one batch:
   * one call costs hardly more than for a single lane.
   */
  async probabilities(audio: Leveller, first: number, end: number): Promise<Float32Array> {
    const frames = end - first;
    const lanes = Math.max(1, Math.min(MOST_LANES, Math.floor(frames / WARM_UP_FRAMES)));
    const laneFrames = Math.ceil(frames / lanes);
    const probabilities = new Float32Array(frames);
    const input = new Float32Array(lanes * INPUT_SAMPLES);
    let state = new Tensor("float32", new Float32Array(2 * lanes * STATE_SIZE), [2, lanes, STATE_SIZE]);
    const warmUp = first === 0 && lanes === 1 ? 0 : WARM_UP_FRAMES;
    for (let step = -warmUp; step < laneFrames; step++) {
      for (let lane = 0; lane < lanes; lane++) {
        const frame = first + lane * laneFrames + step;
        const target = input.subarray(lane * INPUT_SAMPLES, (lane + 1) * INPUT_SAMPLES);
        audio.readInto(target, frame * FRAME_SAMPLES - CONTEXT_SAMPLES);
      }
      const output = await this.#session.run({
        input: new Tensor("float32", input, [lanes, INPUT_SAMPLES]),
        state,
        sr: this.#sampleRate,
      });
      state = output["stateN"] as typeof state;
      if (step < 0) continue;
      const data = output["output"]?.data as Float32Array;
      for (let lane = 0; lane < lanes; lane++) {
        const at = lane * laneFrames + step;
        if (at < frames) probabilities[at] = data[lane] ?? 0;
      }
    }
    return probabilities;
  }
}
