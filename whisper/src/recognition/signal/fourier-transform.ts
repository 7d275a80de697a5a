/** Fourier transform of 400 complex numbers in double precision, by two passes of radix 5 and two of radix 4 (Stockham). */
const transformSize = 400;
const cosine72 = Math.cos((2 * Math.PI) / 5);
const cosine144 = Math.cos((4 * Math.PI) / 5);
const sine72 = Math.sin((2 * Math.PI) / 5);
const sine144 = Math.sin((4 * Math.PI) / 5);

interface Pass {
  readonly radix: 4 | 5;
  /** Groups of butterflies that differ in their twiddle factors. */
  readonly groups: number;
  /** Butterflies of a group, side by side. */
  readonly stride: number;
  /** For each group and each output but the first: cosine and sine. */
  readonly twiddles: Float64Array;
}

function createPasses(): readonly Pass[] {
  const passes: Pass[] = [];
  let length = transformSize;
  let stride = 1;
  for (const radix of [5, 5, 4, 4] as const) {
    const groups = length / radix;
    const twiddles = new Float64Array(groups * (radix - 1) * 2);
    for (let group = 0; group < groups; group += 1)
      for (let output = 1; output < radix; output += 1) {
        const angle = (-2 * Math.PI * group * output) / length;
        const at = (group * (radix - 1) + output - 1) * 2;
        twiddles[at] = Math.cos(angle);
        twiddles[at + 1] = Math.sin(angle);
      }

    passes.push({ radix, groups, stride, twiddles });
    length = groups;
    stride *= radix;
  }
  return passes;
}

// Every index below is inside its array by construction; `!` keeps the inner loops free of checks.
function radix5(
  pass: Pass,
  fromReal: Float64Array,
  fromImag: Float64Array,
  toReal: Float64Array,
  toImag: Float64Array,
) {
  const { groups, stride, twiddles } = pass;
  const distance = stride * groups;
  for (let group = 0; group < groups; group += 1)
    for (let lane = 0; lane < stride; lane += 1) {
      const i0 = lane + stride * group;
      const i1 = i0 + distance;
      const i2 = i1 + distance;
      const i3 = i2 + distance;
      const i4 = i3 + distance;
      const real = fromReal[i0]!;
      const imag = fromImag[i0]!;
      const sum14Real = fromReal[i1]! + fromReal[i4]!;
      const sum14Imag = fromImag[i1]! + fromImag[i4]!;
      const sum23Real = fromReal[i2]! + fromReal[i3]!;
      const sum23Imag = fromImag[i2]! + fromImag[i3]!;
      const gap14Real = fromReal[i1]! - fromReal[i4]!;
      const gap14Imag = fromImag[i1]! - fromImag[i4]!;
      const gap23Real = fromReal[i2]! - fromReal[i3]!;
      const gap23Imag = fromImag[i2]! - fromImag[i3]!;
      const even1Real = real + cosine72 * sum14Real + cosine144 * sum23Real;
      const even1Imag = imag + cosine72 * sum14Imag + cosine144 * sum23Imag;
      const even2Real = real + cosine144 * sum14Real + cosine72 * sum23Real;
      const even2Imag = imag + cosine144 * sum14Imag + cosine72 * sum23Imag;
      const odd1Real = sine72 * gap14Imag + sine144 * gap23Imag;
      const odd1Imag = -(sine72 * gap14Real + sine144 * gap23Real);
      const odd2Real = sine144 * gap14Imag - sine72 * gap23Imag;
      const odd2Imag = -(sine144 * gap14Real - sine72 * gap23Real);
      const to = lane + stride * 5 * group;
      toReal[to] = real + sum14Real + sum23Real;
      toImag[to] = imag + sum14Imag + sum23Imag;
      rotate(even1Real + odd1Real, even1Imag + odd1Imag, twiddles, group * 8, toReal, toImag, to + stride);
      rotate(even2Real + odd2Real, even2Imag + odd2Imag, twiddles, group * 8 + 2, toReal, toImag, to + 2 * stride);
      rotate(even2Real - odd2Real, even2Imag - odd2Imag, twiddles, group * 8 + 4, toReal, toImag, to + 3 * stride);
      rotate(even1Real - odd1Real, even1Imag - odd1Imag, twiddles, group * 8 + 6, toReal, toImag, to + 4 * stride);
    }
}

function radix4(
  pass: Pass,
  fromReal: Float64Array,
  fromImag: Float64Array,
  toReal: Float64Array,
  toImag: Float64Array,
) {
  const { groups, stride, twiddles } = pass;
  const distance = stride * groups;
  for (let group = 0; group < groups; group += 1)
    for (let lane = 0; lane < stride; lane += 1) {
      const i0 = lane + stride * group;
      const i1 = i0 + distance;
      const i2 = i1 + distance;
      const i3 = i2 + distance;
      const sum02Real = fromReal[i0]! + fromReal[i2]!;
      const sum02Imag = fromImag[i0]! + fromImag[i2]!;
      const gap02Real = fromReal[i0]! - fromReal[i2]!;
      const gap02Imag = fromImag[i0]! - fromImag[i2]!;
      const sum13Real = fromReal[i1]! + fromReal[i3]!;
      const sum13Imag = fromImag[i1]! + fromImag[i3]!;
      const turned13Real = fromImag[i1]! - fromImag[i3]!;
      const turned13Imag = fromReal[i3]! - fromReal[i1]!;
      const to = lane + stride * 4 * group;
      toReal[to] = sum02Real + sum13Real;
      toImag[to] = sum02Imag + sum13Imag;
      const at = group * 6;
      rotate(gap02Real + turned13Real, gap02Imag + turned13Imag, twiddles, at, toReal, toImag, to + stride);
      rotate(sum02Real - sum13Real, sum02Imag - sum13Imag, twiddles, at + 2, toReal, toImag, to + 2 * stride);
      rotate(gap02Real - turned13Real, gap02Imag - turned13Imag, twiddles, at + 4, toReal, toImag, to + 3 * stride);
    }
}

function rotate(
  real: number,
  imag: number,
  twiddles: Float64Array,
  twiddle: number,
  toReal: Float64Array,
  toImag: Float64Array,
  to: number,
) {
  const cosine = twiddles[twiddle]!;
  const sine = twiddles[twiddle + 1]!;
  toReal[to] = real * cosine - imag * sine;
  toImag[to] = real * sine + imag * cosine;
}

const allPasses = createPasses();
const scratchReal = new Float64Array(transformSize);
const scratchImag = new Float64Array(transformSize);

/** Transforms 400 complex numbers in place. */
export function fourierTransform400(real: Float64Array, imag: Float64Array): void {
  allPasses.forEach((pass, index) => {
    const forth = index % 2 === 0;
    const run = pass.radix === 5 ? radix5 : radix4;
    if (forth) run(pass, real, imag, scratchReal, scratchImag);
    else run(pass, scratchReal, scratchImag, real, imag);
  });
}
