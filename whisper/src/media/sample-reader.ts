const bytesPerSample = 4;

/** Cuts a stream of bytes into little-endian float32 samples; a sample may lie across two chunks. */
export class SampleReader {
  #rest: Uint8Array = new Uint8Array(0);

  read(chunk: Uint8Array): Float32Array {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const count = Math.floor(bytes.length / bytesPerSample);
    this.#rest = bytes.slice(count * bytesPerSample);
    const aligned = bytes.slice(0, count * bytesPerSample);
    const view = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
    const samples = new Float32Array(count);
    for (let index = 0; index < count; index += 1) samples[index] = tame(view.getFloat32(index * bytesPerSample, true));

    return samples;
  }
}

/** Files in floating point may hold anything. */
function tame(value: number): number {
  if (value >= -1 && value <= 1) return value;
  if (value > 1) return 1;
  return value < -1 ? -1 : 0;
}
