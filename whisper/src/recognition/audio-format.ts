/** Samples per second of everything that Whisper and the voice detector hear. */
export const SAMPLE_RATE = 16_000;

/** The voice detector and the leveller work on frames of this many samples (32 ms). */
export const FRAME_SAMPLES = 512;

export const FRAME_SECONDS = FRAME_SAMPLES / SAMPLE_RATE;
