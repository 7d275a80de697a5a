import type { Segment } from "../../ports.ts";

/** Seconds at which the segment begins that holds a place in the transcript, which is the text of the segments in order. */
export function saidAt(segments: readonly Segment[], transcript: string, place: number): number | undefined {
  let from = 0;
  let said: number | undefined;
  for (const { text, start } of segments) {
    const found = transcript.indexOf(text, from);
    if (found === -1) continue;
    if (found > place) break;
    said = start;
    from = found + text.length;
  }
  return said;
}
