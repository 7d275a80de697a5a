/** Samples per second of everything that Whisper and the voice detector hear. */
export const sampleRate = 16_000;

/** The voice detector and the leveler work on frames of this many samples (32 ms). */
export const frameSamples = 512;

export const frameSeconds = frameSamples / sampleRate;
