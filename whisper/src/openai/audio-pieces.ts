import { SAMPLE_RATE } from "../recognition/audio-format.ts";

export interface AudioPiece {
  readonly startSeconds: number;
  readonly samples: Float32Array;
}

const FRAME = SAMPLE_RATE / 50;
const QUIET_FRAMES = 10;

/** Gathers samples into pieces of at most `longestSeconds`, cut where the last tenth of a piece is quietest. */
export async function* audioPieces(
  chunks: AsyncIterable<Float32Array>,
  longestSeconds: number,
): AsyncGenerator<AudioPiece, void, undefined> {
  const longest = Math.floor(longestSeconds * SAMPLE_RATE);
  const gathered = new Float32Array(longest);
  let filled = 0;
  let passedOn = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === longest) {
        const cut = quietestPlace(gathered, Math.floor(longest * 0.9));
        yield { startSeconds: passedOn / SAMPLE_RATE, samples: gathered.slice(0, cut) };
        gathered.copyWithin(0, cut);
        passedOn += cut;
        filled -= cut;
      }
      const part = chunk.subarray(taken, taken + longest - filled);
      gathered.set(part, filled);
      filled += part.length;
      taken += part.length;
    }
  }
  if (filled > 0) yield { startSeconds: passedOn / SAMPLE_RATE, samples: gathered.slice(0, filled) };
}

/** Middle of the quietest fifth of a second from `from` on; at least 1, at most the length. */
function quietestPlace(samples: Float32Array, from: number): number {
  const energies: number[] = [];
  for (let start = from; start + FRAME <= samples.length; start += FRAME) {
    energies.push(samples.subarray(start, start + FRAME).reduce((sum, sample) => sum + sample * sample, 0));
  }
  let quietest = Number.POSITIVE_INFINITY;
  let place = samples.length;
  for (let first = 0; first + QUIET_FRAMES <= energies.length; first += 1) {
    const energy = energies.slice(first, first + QUIET_FRAMES).reduce((sum, value) => sum + value, 0);
    if (energy >= quietest) continue;
    quietest = energy;
    place = from + (first + QUIET_FRAMES / 2) * FRAME;
  }
  return Math.max(1, place);
}
