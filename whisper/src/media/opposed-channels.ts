import { fourierTransform400 } from "../recognition/signal/fourier-transform.ts";

export const frameSamples = 400;
const bins = frameSamples / 2 + 1;
const binsOfBand = 8;
const bandCount = Math.ceil(bins / binsOfBand);

/** Channels whose difference has less than this share of their power hold the same sound. */
const sameBelow = 0.0025;
const silentBelow = 1e-10;
/** Every so many frames, 50 ms apart, it is looked where channels work against each other. */
const framesOfLook = 4;
/** Share of a look in the averages: they forget within 0.3 s. */
const freshShare = 0.16;
/** Channels of a lower correlation take sound from each other. */
const opposedBelow = -0.25;

/** The root of a Hann window: applied before and after, halves that overlap add up to 1. */
const hannRoot = Float64Array.from({ length: frameSamples }, (_, index) => Math.sin((Math.PI * index) / frameSamples));

interface Spectrum {
  readonly real: Float64Array;
  readonly imag: Float64Array;
}

const emptySpectrum = (): Spectrum => ({ real: new Float64Array(bins), imag: new Float64Array(bins) });

/** How one channel goes together with the sum of those before it in a band: averages over time. */
interface Band {
  sumPower: number;
  power: number;
  /** Real part of the product with the sum: negative where they cancel. */
  real: number;
  imag: number;
  /** Quarters of a period by which the channel is turned: -1, 0 or 1. */
  turn: number;
}

/**
 * Finds where channels work against each other. In each band of 320 Hz in which a channel takes sound from the sum of those
 * before it, it is turned by a quarter of a period: then neither equal nor opposite sounds cancel, whatever else is heard
 * beside them.
 */
export class OpposedChannels {
  readonly #spectra: readonly Spectrum[];
  /** For each channel but the first, for each band. */
  readonly #bands: readonly (readonly Band[])[];
  readonly #sum = emptySpectrum();
  readonly #change = emptySpectrum();
  readonly #real = new Float64Array(frameSamples);
  readonly #imag = new Float64Array(frameSamples);
  #frames = 0;
  #isTurned = false;

  constructor(channels: number) {
    this.#spectra = Array.from({ length: channels }, emptySpectrum);
    this.#bands = Array.from({ length: channels - 1 }, () =>
      Array.from({ length: bandCount }, () => ({ sumPower: 0, power: 0, real: 0, imag: 0, turn: 0 })),
    );
  }

  /**
   * Returns the samples to add to the plain sum of the channels in a frame, or `undefined` for nothing. Frames overlap by
   * half; the added samples fade in and out.
   */
  change(frame: readonly Float64Array[]): Float64Array | undefined {
    const isLook = this.#frames % framesOfLook === 0;
    this.#frames += 1;
    if (!isLook && !this.#isTurned) return undefined;
    if (isLook && isOneSound(frame)) {
      this.#isTurned = false;
      for (const bands of this.#bands) for (const band of bands) forget(band, true);
      return undefined;
    }
    this.#transform(frame);
    this.#turn(isLook);
    return this.#isTurned ? this.#transformBack() : undefined;
  }

  /** Two channels at once, one as the real, one as the imaginary part. */
  #transform(frame: readonly Float64Array[]): void {
    for (let channel = 0; channel < frame.length; channel += 2) {
      const one = frame[channel]!;
      const other = frame[channel + 1];
      for (let index = 0; index < frameSamples; index += 1) {
        this.#real[index] = one[index]! * hannRoot[index]!;
        this.#imag[index] = other === undefined ? 0 : other[index]! * hannRoot[index]!;
      }
      fourierTransform400(this.#real, this.#imag);
      const first = this.#spectra[channel]!;
      const second = this.#spectra[channel + 1];
      for (let bin = 0; bin < bins; bin += 1) {
        const mirrored = bin === 0 ? 0 : frameSamples - bin;
        const real = this.#real[bin]!;
        const imag = this.#imag[bin]!;
        const mirroredReal = this.#real[mirrored]!;
        const mirroredImag = this.#imag[mirrored]!;
        first.real[bin] = (real + mirroredReal) / 2;
        first.imag[bin] = (imag - mirroredImag) / 2;
        if (second === undefined) continue;
        second.real[bin] = (imag + mirroredImag) / 2;
        second.imag[bin] = (mirroredReal - real) / 2;
      }
    }
  }

  #turn(isLook: boolean): void {
    this.#isTurned = false;
    this.#sum.real.set(this.#spectra[0]!.real);
    this.#sum.imag.set(this.#spectra[0]!.imag);
    this.#change.real.fill(0);
    this.#change.imag.fill(0);
    for (const [index, bands] of this.#bands.entries()) {
      const channel = this.#spectra[index + 1]!;
      for (const [number, band] of bands.entries()) {
        const from = number * binsOfBand;
        const to = Math.min(bins, from + binsOfBand);
        if (isLook) listen(band, this.#sum, channel, from, to);
        this.#isTurned ||= band.turn !== 0;
        addTurned(band.turn, channel, this.#sum, this.#change, from, to);
      }
    }
  }

  #transformBack(): Float64Array {
    // The conjugate of a spectrum's conjugate's transform is the inverse, and the samples are real.
    for (let bin = 0; bin < bins; bin += 1) {
      const mirrored = bin === 0 ? 0 : frameSamples - bin;
      const real = this.#change.real[bin]!;
      const imag = this.#change.imag[bin]!;
      this.#real[mirrored] = this.#real[bin] = real;
      this.#imag[mirrored] = imag;
      this.#imag[bin] = -imag;
    }
    // Both are their own mirror images, and must be real.
    this.#imag[0] = this.#imag[bins - 1] = 0;
    fourierTransform400(this.#real, this.#imag);
    const change = new Float64Array(frameSamples);
    for (let index = 0; index < frameSamples; index += 1)
      change[index] = (this.#real[index]! / frameSamples) * hannRoot[index]!;
    return change;
  }
}

/** True if all audible channels hold the same sound, as far as anybody can hear. */
function isOneSound(frame: readonly Float64Array[]): boolean {
  const audibleChannels = frame.filter((samples) => powerOf(samples) > silentBelow);
  return audibleChannels.every((samples) => isSame(audibleChannels[0]!, samples));
}

function powerOf(samples: Float64Array): number {
  let power = 0;
  for (const sample of samples) power += sample * sample;
  return power / frameSamples;
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  if (one === other) return true;
  let difference = 0;
  let power = 0;
  for (let index = 0; index < frameSamples; index += 1) {
    const first = one[index]!;
    const second = other[index]!;
    difference += (first - second) * (first - second);
    power += first * first + second * second;
  }
  return difference < sameBelow * power;
}

function forget(band: Band, turnsBack: boolean): void {
  band.sumPower *= 1 - freshShare;
  band.power *= 1 - freshShare;
  band.real *= 1 - freshShare;
  band.imag *= 1 - freshShare;
  if (turnsBack) band.turn = 0;
}

function listen(band: Band, sum: Spectrum, channel: Spectrum, from: number, to: number): void {
  forget(band, false);
  for (let bin = from; bin < to; bin += 1) {
    const sumReal = sum.real[bin]!;
    const sumImag = sum.imag[bin]!;
    const real = channel.real[bin]!;
    const imag = channel.imag[bin]!;
    band.sumPower += freshShare * (sumReal * sumReal + sumImag * sumImag);
    band.power += freshShare * (real * real + imag * imag);
    band.real += freshShare * (sumReal * real + sumImag * imag);
    band.imag += freshShare * (sumReal * imag - sumImag * real);
  }
  const scale = Math.sqrt(band.sumPower * band.power);
  if (scale === 0) return;
  const correlation = band.real / scale;
  const turned = (-band.turn * band.imag) / scale;
  if (band.turn !== 0 && correlation > 0) band.turn = 0;
  else if (band.turn !== 0 && turned < opposedBelow) band.turn = -band.turn;
  else if (band.turn === 0 && correlation < opposedBelow) band.turn = band.imag > 0 ? -1 : 1;
}

/** Adds a channel to the sum, turned by quarters of a period, and to `change` by how much that differs from the plain sum. */
function addTurned(turn: number, channel: Spectrum, sum: Spectrum, change: Spectrum, from: number, to: number): void {
  for (let bin = from; bin < to; bin += 1) {
    const real = channel.real[bin]!;
    const imag = channel.imag[bin]!;
    const turnedReal = turn === 0 ? real : -turn * imag;
    const turnedImag = turn === 0 ? imag : turn * real;
    sum.real[bin] = sum.real[bin]! + turnedReal;
    sum.imag[bin] = sum.imag[bin]! + turnedImag;
    change.real[bin] = change.real[bin]! + turnedReal - real;
    change.imag[bin] = change.imag[bin]! + turnedImag - imag;
  }
}
