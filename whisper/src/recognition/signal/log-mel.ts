import { fourierTransform400 } from "./fourier-transform.ts";

const transformSamples = 400;
const halfTransform = transformSamples / 2;
const frequencyBins = halfTransform + 1;
const hopSamples = 160;
const smallestLog = -10;
const dynamicRange = 8;

const hann = Float64Array.from(
  { length: transformSamples },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / transformSamples),
);

/** One triangular filter: weights of neighboring frequency bins. */
interface MelBand {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

const hertzPerBin = 40;
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
function createMelBands(count: number): readonly MelBand[] {
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

const bandsByCount = new Map<number, readonly MelBand[]>();

function bandsFor(count: number): readonly MelBand[] {
  let bands = bandsByCount.get(count);
  if (!bands) bandsByCount.set(count, (bands = createMelBands(count)));
  return bands;
}

/** The samples padded with silence to the window and mirrored by half a transform at both ends. */
function padAndMirror(samples: Float32Array, windowSamples: number): Float64Array {
  const padded = new Float64Array(windowSamples + transformSamples + hopSamples);
  padded.set(samples, halfTransform);
  for (let i = 1; i <= halfTransform; i += 1) {
    padded[halfTransform - i] = samples[i] ?? 0;
    padded[halfTransform + windowSamples - 1 + i] = samples[windowSamples - 1 - i] ?? 0;
  }
  return padded;
}

/** Power spectra of two frames at once: one as the real, one as the imaginary part of a single transform. */
function powerSpectra(padded: Float64Array, at: number, first: Float64Array, second: Float64Array) {
  for (let i = 0; i < transformSamples; i += 1) {
    transformReal[i] = padded[at + i]! * hann[i]!;
    transformImag[i] = padded[at + hopSamples + i]! * hann[i]!;
  }
  fourierTransform400(transformReal, transformImag);
  for (let bin = 0; bin < frequencyBins; bin += 1) {
    const mirrored = bin === 0 ? 0 : transformSamples - bin;
    const real = transformReal[bin]!;
    const imag = transformImag[bin]!;
    const mirroredReal = transformReal[mirrored]!;
    const mirroredImag = transformImag[mirrored]!;
    first[bin] = ((real + mirroredReal) ** 2 + (imag - mirroredImag) ** 2) / 4;
    second[bin] = ((imag + mirroredImag) ** 2 + (mirroredReal - real) ** 2) / 4;
  }
}

const transformReal = new Float64Array(transformSamples);
const transformImag = new Float64Array(transformSamples);

function logEnergy({ firstBin, weights }: MelBand, spectrum: Float64Array): number {
  let energy = 0;
  for (let i = 0; i < weights.length; i += 1) energy += weights[i]! * spectrum[firstBin + i]!;
  return energy > 1e-10 ? Math.log10(energy) : smallestLog;
}

/**
 * Whisper's log-mel spectrogram [bands, frames], row by row, of 16 kHz samples padded with silence to `frames` hops of 10 ms.
 * Samples beyond that are not heard. Frames that lie wholly in the padding are not computed.
 */
export function logMel(samples: Float32Array, bandCount: number, frames: number): Float32Array {
  const bands = bandsFor(bandCount);
  const clip = samples.subarray(0, frames * hopSamples);
  const padded = padAndMirror(clip, frames * hopSamples);
  const spectrogram = new Float32Array(bandCount * frames);
  const computed = Math.min(frames, Math.ceil((clip.length + halfTransform) / hopSamples) + 1);
  const first = new Float64Array(frequencyBins);
  const second = new Float64Array(frequencyBins);
  let loudest = smallestLog;
  for (let frame = 0; frame < computed; frame += 2) {
    powerSpectra(padded, frame * hopSamples, first, second);
    bands.forEach((band, row) => {
      const at = row * frames + frame;
      const value = logEnergy(band, first);
      spectrogram[at] = value;
      loudest = Math.max(loudest, value);
      if (frame + 1 >= computed) return;
      const next = logEnergy(band, second);
      spectrogram[at + 1] = next;
      loudest = Math.max(loudest, next);
    });
  }
  const floor = Math.max(loudest - dynamicRange, smallestLog);
  for (let row = 0; row < bandCount; row += 1) {
    const start = row * frames;
    for (let at = start; at < start + computed; at += 1) spectrogram[at] = (Math.max(spectrogram[at]!, floor) + 4) / 4;
    spectrogram.fill((floor + 4) / 4, start + computed, start + frames);
  }
  return spectrogram;
}
