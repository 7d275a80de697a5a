/** One triangular filter: weights of neighboring frequency bins. */
export interface MelBand {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

const hertzPerBin = 40;
const frequencyBins = 201;
const highestHertz = 8000;

// The scale of Slaney's Auditory Toolbox: linear up to 1 kHz (mel 15), logarithmic above.
const linearHertzPerMel = 200 / 3;
const kneeHertz = 1000;
const kneeMel = kneeHertz / linearHertzPerMel;
const logStep = Math.log(6.4) / 27;

function melToHz(mel: number): number {
  return mel < kneeMel ? mel * linearHertzPerMel : kneeHertz * Math.exp(logStep * (mel - kneeMel));
}

/** The filters of Whisper's spectrogram for a transform of 400 samples at 16 kHz, each of area one. */
export function createMelBands(count: number): readonly MelBand[] {
  const highestMel = kneeMel + Math.log(highestHertz / kneeHertz) / logStep;
  const edge = (index: number) => melToHz((highestMel * index) / (count + 1));
  return Array.from({ length: count }, (_, band) => {
    const low = edge(band);
    const center = edge(band + 1);
    const high = edge(band + 2);
    const weights: number[] = [];
    let firstBin = 0;
    for (let bin = 0; bin < frequencyBins; bin += 1) {
      const hz = bin * hertzPerBin;
      const height = Math.min((hz - low) / (center - low), (high - hz) / (high - center));
      if (height <= 0) continue;
      if (weights.length === 0) firstBin = bin;
      // The reference keeps its filters in single precision.
      weights.push(Math.fround((height * 2) / (high - low)));
    }
    return { firstBin, weights: Float64Array.from(weights) };
  });
}
