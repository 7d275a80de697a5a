import { decodedSamples } from "./speech-clips.mjs";

const rate = 16_000;
const pauseSeconds = 0.4;
const shortestSeconds = 40;
const longestSeconds = 90;

/**
 * Recordings of 40 to 90 seconds, made by playing the clips of a language in a row with pauses of 0.4 s. Clips are played
 * over again where a language has less than 40 s of them. `{ samples, text, seconds, clips }` each.
 */
export async function longRecordings(clips) {
  const decoded = [];
  for (const clip of clips) {
    const samples = await decodedSamples(clip.path);
    if (samples.length / rate <= longestSeconds) decoded.push({ samples, text: clip.text });
  }
  const recordings = [];
  let parts = [];
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
    const clip = decoded[next % decoded.length];
    if (secondsOf([...parts, clip]) > longestSeconds) break;
    parts.push(clip);
  }
  if (parts.length > 0) recordings.push(parts);
  return recordings.map((clipsInRow) => ({
    samples: inRow(clipsInRow),
    text: clipsInRow.map(({ text }) => text).join(" "),
    seconds: secondsOf(clipsInRow),
    clips: clipsInRow.length,
  }));
}

const secondsOf = (parts) =>
  parts.reduce((sum, { samples }) => sum + samples.length / rate + pauseSeconds, -pauseSeconds);

function inRow(parts) {
  const all = new Float32Array(Math.round(secondsOf(parts) * rate) + parts.length);
  let at = 0;
  for (const { samples } of parts) {
    all.set(samples, at);
    at += samples.length + pauseSeconds * rate;
  }
  return all;
}
