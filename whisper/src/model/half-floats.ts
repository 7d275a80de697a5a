const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/** Numbers in half precision, rounded to the nearest, little-endian. Values beyond its range become infinite. */
export function toHalf(values: Float32Array): Uint8Array {
  const halves = new Uint16Array(values.length);
  for (const [index, value] of values.entries()) {
    floats[0] = value;
    const all = bits[0]!;
    const sign = (all >>> 16) & 0x8000;
    const exponent = ((all >>> 23) & 0xff) - 112;
    const fraction = all & 0x7fffff;
    if (exponent >= 31) halves[index] = sign | 0x7c00;
    else if (exponent <= 0) halves[index] = sign | Math.round(Math.abs(value) * 2 ** 24);
    // A fraction that is rounded up to a whole carries into the exponent, as it should.
    else halves[index] = sign | ((exponent << 10) + ((fraction + 0x1000) >>> 13));
  }
  return new Uint8Array(halves.buffer);
}

/** Numbers of `toHalf`. */
export function fromHalf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, index) => {
    const half = view.getUint16(2 * index, true);
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >>> 10) & 31;
    const fraction = half & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}
