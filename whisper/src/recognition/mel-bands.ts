/** One triangular filter: weights of neighbouring frequency bins. */
export interface MelBand {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

const HZ_PER_BIN = 40;
const BINS = 201;
const HIGHEST_HZ = 8000;

// The scale of Slaney's Auditory Toolbox: linear up to 1 kHz (mel 15), logarithmic above.
const LINEAR_HZ_PER_MEL = 200 / 3;
const KNEE_HZ = 1000;
const KNEE_MEL = KNEE_HZ / LINEAR_HZ_PER_MEL;
const LOG_STEP = Math.log(6.4) / 27;

function melToHz(mel: number): number {
  return mel < KNEE_MEL ? mel * LINEAR_HZ_PER_MEL : KNEE_HZ * Math.exp(LOG_STEP * (mel - KNEE_MEL));
}

/** The filters of Whisper's spectrogram for a transform of 400 samples at 16 kHz, each of area one. */
export function createMelBands(count: number): readonly MelBand[] {
  const highestMel = KNEE_MEL + Math.log(HIGHEST_HZ / KNEE_HZ) / LOG_STEP;
  const edge = (index: number) => melToHz((highestMel * index) / (count + 1));
  return Array.from({ length: count }, (_, band) => {
    const low = edge(band);
    const centre = edge(band + 1);
    const high = edge(band + 2);
    const weights: number[] = [];
    let firstBin = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const hz = bin * HZ_PER_BIN;
      const height = Math.min((hz - low) / (centre - low), (high - hz) / (high - centre));
      if (height <= 0) continue;
      if (weights.length === 0) firstBin = bin;
      // The reference keeps its filters in single precision.
      weights.push(Math.fround((height * 2) / (high - low)));
    }
    return { firstBin, weights: Float64Array.from(weights) };
  });
}
