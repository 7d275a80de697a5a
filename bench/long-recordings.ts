import { type Clip, decodedSamples, joined, sampleRate as rate } from "./speech-clips.ts";

const pauseSeconds = 0.4;
const shortestSeconds = 40;
const longestSeconds = 90;

interface Part {
  readonly samples: Float32Array;
  readonly text: string;
}
interface Recording extends Part {
  readonly seconds: number;
}

/**
 * Recordings of 40 to 90 seconds, made by playing the clips of a language in a row with pauses of 0.4 s. Clips are played
 * over again where a language has less than 40 s of them.
 */
export async function longRecordings(clips: readonly Clip[]): Promise<Recording[]> {
  const decoded: Part[] = [];
  for (const clip of clips) {
    const samples = await decodedSamples(clip.path);
    if (samples.length / rate <= longestSeconds) decoded.push({ samples, text: clip.text });
  }
  const recordings: Part[][] = [];
  let parts: Part[] = [];
  for (const clip of decoded) {
    if (secondsOf([...parts, clip]) > longestSeconds) {
      recordings.push(parts);
      parts = [];
    }
    parts.push(clip);
    if (secondsOf(parts) >= shortestSeconds) {
      recordings.push(parts);
      parts = [];
    }
  }
  // What is left over is too short alone: it is filled up from the beginning.
  for (let next = 0; parts.length > 0 && secondsOf(parts) < shortestSeconds; next += 1) {
    const clip = decoded[next % decoded.length]!;
    if (secondsOf([...parts, clip]) > longestSeconds) break;
    parts.push(clip);
  }
  if (parts.length > 0) recordings.push(parts);
  return recordings.map((clipsInRow) => ({
    samples: inRow(clipsInRow),
    text: clipsInRow.map(({ text }) => text).join(" "),
    seconds: secondsOf(clipsInRow),
  }));
}

const secondsOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { samples }) => sum + samples.length / rate + pauseSeconds, -pauseSeconds);

const inRow = (parts: readonly Part[]): Float32Array =>
  joined(
    ...parts.flatMap(({ samples }, place) =>
      place === 0 ? [samples] : [new Float32Array(pauseSeconds * rate), samples],
    ),
  );
