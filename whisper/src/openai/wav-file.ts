import { SAMPLE_RATE } from "../recognition/audio-format.ts";

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Samples in [-1, 1] at 16 kHz as a WAV file of 16-bit integers. */
export function wavFile(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * BYTES_PER_SAMPLE;
  const file = new Uint8Array(HEADER_BYTES + dataBytes);
  const view = new DataView(file.buffer);
  const encoder = new TextEncoder();
  encoder.encodeInto("RIFF", file);
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  encoder.encodeInto("WAVEfmt ", file.subarray(8));
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * BYTES_PER_SAMPLE, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  encoder.encodeInto("data", file.subarray(36));
  view.setUint32(40, dataBytes, true);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
    view.setInt16(HEADER_BYTES + index * BYTES_PER_SAMPLE, Math.round(sample * 32_767), true);
  }
  return file;
}
