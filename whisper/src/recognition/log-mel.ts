import { fourierTransform400 } from "./fourier-transform.ts";
import { createMelBands, type MelBand } from "./mel-bands.ts";

const TRANSFORM = 400;
const HALF = TRANSFORM / 2;
const BINS = HALF + 1;
const HOP = 160;
const SMALLEST_LOG = -10;
const RANGE = 8;

const hann = Float64Array.from({ length: TRANSFORM }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / TRANSFORM));
const bandsByCount = new Map<number, readonly MelBand[]>();

function bandsFor(count: number): readonly MelBand[] {
  let bands = bandsByCount.get(count);
  if (!bands) bandsByCount.set(count, (bands = createMelBands(count)));
  return bands;
}

/** The samples padded with silence to the window and mirrored by half a transform at both ends. */
function padAndMirror(samples: Float32Array, windowSamples: number): Float64Array {
  const padded = new Float64Array(windowSamples + TRANSFORM + HOP);
  padded.set(samples, HALF);
  for (let i = 1; i <= HALF; i++) {
    padded[HALF - i] = samples[i] ?? 0;
    padded[HALF + windowSamples - 1 + i] = samples[windowSamples - 1 - i] ?? 0;
  }
  return padded;
}

/** Power spectra of two frames at once: one as the real, one as the imaginary part of a single transform. */
function powerSpectra(padded: Float64Array, at: number, first: Float64Array, second: Float64Array) {
  for (let i = 0; i < TRANSFORM; i++) {
    transformReal[i] = padded[at + i]! * hann[i]!;
    transformImag[i] = padded[at + HOP + i]! * hann[i]!;
  }
  fourierTransform400(transformReal, transformImag);
  for (let bin = 0; bin < BINS; bin++) {
    const mirrored = bin === 0 ? 0 : TRANSFORM - bin;
    const real = transformReal[bin]!;
    const imag = transformImag[bin]!;
    const mirroredReal = transformReal[mirrored]!;
    const mirroredImag = transformImag[mirrored]!;
    first[bin] = ((real + mirroredReal) ** 2 + (imag - mirroredImag) ** 2) / 4;
    second[bin] = ((imag + mirroredImag) ** 2 + (mirroredReal - real) ** 2) / 4;
  }
}

const transformReal = new Float64Array(TRANSFORM);
const transformImag = new Float64Array(TRANSFORM);

function logEnergy({ firstBin, weights }: MelBand, spectrum: Float64Array): number {
  let energy = 0;
  for (let i = 0; i < weights.length; i++) energy += weights[i]! * spectrum[firstBin + i]!;
  return energy > 1e-10 ? Math.log10(energy) : SMALLEST_LOG;
}

/**
 * Whisper's log-mel spectrogram [bands, frames], row by row, of 16 kHz samples padded with silence to `frames` hops of 10 ms.
 * Samples beyond that are not heard. Frames that lie wholly in the padding are not computed.
 */
export function logMel(samples: Float32Array, bandCount: number, frames: number): Float32Array {
  const bands = bandsFor(bandCount);
  const heard = samples.subarray(0, frames * HOP);
  const padded = padAndMirror(heard, frames * HOP);
  const spectrogram = new Float32Array(bandCount * frames);
  const computed = Math.min(frames, Math.ceil((heard.length + HALF) / HOP) + 1);
  const first = new Float64Array(BINS);
  const second = new Float64Array(BINS);
  let loudest = SMALLEST_LOG;
  for (let frame = 0; frame < computed; frame += 2) {
    powerSpectra(padded, frame * HOP, first, second);
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
  const floor = Math.max(loudest - RANGE, SMALLEST_LOG);
  for (let row = 0; row < bandCount; row++) {
    const start = row * frames;
    for (let at = start; at < start + computed; at++) spectrogram[at] = (Math.max(spectrogram[at]!, floor) + 4) / 4;
    spectrogram.fill((floor + 4) / 4, start + computed, start + frames);
  }
  return spectrogram;
}
