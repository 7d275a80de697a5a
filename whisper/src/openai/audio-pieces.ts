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
        const cut = quietestPlace(gathered, Math.floor(longest * 0.9));
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
function quietestPlace(samples: Float32Array, from: number): number {
  const energies: number[] = [];
  for (let start = from; start + frameLength <= samples.length; start += frameLength)
    energies.push(samples.subarray(start, start + frameLength).reduce((sum, sample) => sum + sample * sample, 0));

  let quietest = Number.POSITIVE_INFINITY;
  let place = samples.length;
  for (let first = 0; first + quietFrames <= energies.length; first += 1) {
    const energy = energies.slice(first, first + quietFrames).reduce((sum, value) => sum + value, 0);
    if (energy >= quietest) continue;
    quietest = energy;
    place = from + (first + quietFrames / 2) * frameLength;
  }
  return Math.max(1, place);
}
