import { sampleRate } from "../recognition/signal/audio-format.ts";

const headerBytes = 44;
const bytesPerSample = 2;

/** Samples in [-1, 1] at 16 kHz as a WAV file of 16-bit integers. */
export function wavFile(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * bytesPerSample;
  const file = new Uint8Array(headerBytes + dataBytes);
  const view = new DataView(file.buffer);
  const encoder = new TextEncoder();
  encoder.encodeInto("RIFF", file);
  view.setUint32(4, headerBytes - 8 + dataBytes, true);
  encoder.encodeInto("WAVEfmt ", file.subarray(8));
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, bytesPerSample * 8, true);
  encoder.encodeInto("data", file.subarray(36));
  view.setUint32(40, dataBytes, true);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
    view.setInt16(headerBytes + index * bytesPerSample, Math.round(sample * 32_767), true);
  }
  return file;
}
