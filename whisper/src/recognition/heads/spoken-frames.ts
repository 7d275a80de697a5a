import { sampleRate } from "../signal/audio-format.ts";

/** Length of a frame of the encoder's states. */
export const stateSeconds = 0.02;
/** A unit may be heard a little after its sound. */
const framesAfterEnd = 2;

/** The number of the encoder's frames that hear a recording of so many samples; those after them hear silence. */
export const spokenFrames = (samples: number): number =>
  Math.floor(samples / (stateSeconds * sampleRate)) + framesAfterEnd;

/** So many samples are heard in so many frames. */
export const samplesOf = (frames: number): number => Math.max(0, frames - framesAfterEnd) * stateSeconds * sampleRate;
