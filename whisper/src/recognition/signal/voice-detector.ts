import { type InferenceSession, Tensor } from "onnxruntime-node";
import { frameSamples, sampleRate } from "./audio-format.ts";
import type { Leveler } from "./leveler.ts";

const contextSamples = 64;
const inputSamples = contextSamples + frameSamples;
const stateSize = 128;
const mostLanes = 8;
/** Frames heard before a stretch, without counting, so that the network's memory has settled: about a second. */
const warmUpFrames = 32;
/**
 * Frames that are heard together: 16 s. Always the same cut, however the samples come in,
 * so that the same recording gives the same result.
 */
export const blockFrames = 500;

/** Tells for each frame of 32 ms how likely somebody speaks in it (Silero). */
export class VoiceDetector {
  readonly #session: InferenceSession;
  readonly #sampleRate = new Tensor("int64", BigInt64Array.of(BigInt(sampleRate)), []);

  constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Probabilities of the frames from `first` to `end`. The stretch is split into lanes that run as one batch:
   * one call costs hardly more than for a single lane.
   */
  async probabilities(audio: Leveler, first: number, end: number): Promise<Float32Array> {
    const frames = end - first;
    const lanes = Math.max(1, Math.min(mostLanes, Math.floor(frames / warmUpFrames)));
    const laneFrames = Math.ceil(frames / lanes);
    const probabilities = new Float32Array(frames);
    const input = new Float32Array(lanes * inputSamples);
    let state = new Tensor("float32", new Float32Array(2 * lanes * stateSize), [2, lanes, stateSize]);
    const warmUp = first === 0 && lanes === 1 ? 0 : warmUpFrames;
    for (let step = -warmUp; step < laneFrames; step += 1) {
      for (let lane = 0; lane < lanes; lane += 1) {
        const frame = first + lane * laneFrames + step;
        const target = input.subarray(lane * inputSamples, (lane + 1) * inputSamples);
        audio.readInto(target, frame * frameSamples - contextSamples);
      }
      const output = await this.#session.run({
        input: new Tensor("float32", input, [lanes, inputSamples]),
        state,
        sr: this.#sampleRate,
      });
      state = output["stateN"] as typeof state;
      if (step < 0) continue;
      const data = output["output"]?.data as Float32Array;
      for (let lane = 0; lane < lanes; lane += 1) {
        const at = lane * laneFrames + step;
        if (at < frames) probabilities[at] = data[lane] ?? 0;
      }
    }
    return probabilities;
  }
}
