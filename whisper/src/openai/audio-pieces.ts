import { sampleRate } from "../recognition/signal/audio-format.ts";

export interface AudioPiece {
  readonly startSeconds: number;
  readonly samples: Float32Array;
}

const frameLength = sampleRate / 50;
const quietFrames = 10;

/** Gathers samples into pieces of at most `longestSeconds`, cut where the last tenth of a piece is quietest. */
export async function* audioPieces(
  chunks: AsyncIterable<Float32Array>,
  longestSeconds: number,
): AsyncGenerator<AudioPiece, void, undefined> {
  const longest = Math.floor(longestSeconds * sampleRate);
  const gathered = new Float32Array(longest);
  let filled = 0;
  let passedOn = 0;
  for await (const chunk of chunks)
    for (let taken = 0; taken < chunk.length;) {
      if (filled === longest) {
        const cut = quietestOffset(gathered, Math.floor(longest * 0.9));
        yield { startSeconds: passedOn / sampleRate, samples: gathered.slice(0, cut) };
        gathered.copyWithin(0, cut);
        passedOn += cut;
        filled -= cut;
      }
      const part = chunk.subarray(taken, taken + longest - filled);
      gathered.set(part, filled);
      filled += part.length;
      taken += part.length;
    }

  if (filled > 0) yield { startSeconds: passedOn / sampleRate, samples: gathered.slice(0, filled) };
}

/** Middle of the quietest fifth of a second from `from` on; at least 1, at most the length. */
function quietestOffset(samples: Float32Array, from: number): number {
  const energies: number[] = [];
  for (let start = from; start + frameLength <= samples.length; start += frameLength)
    energies.push(samples.subarray(start, start + frameLength).reduce((sum, sample) => sum + sample * sample, 0));

  let quietest = Number.POSITIVE_INFINITY;
  let offset = samples.length;
  for (let first = 0; first + quietFrames <= energies.length; first += 1) {
    const energy = energies.slice(first, first + quietFrames).reduce((sum, value) => sum + value, 0);
    if (energy >= quietest) continue;
    quietest = energy;
    offset = from + (first + quietFrames / 2) * frameLength;
  }
  return Math.max(1, offset);
}

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
