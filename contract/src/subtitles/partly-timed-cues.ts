import { subtitleCues, type Speech, type Stretch, type SubtitleCue } from "./subtitle-cues.ts";
import { bare, wordCues } from "./word-cues.ts";

type Segment = Speech & { readonly corrected?: true | undefined };

interface Part {
  readonly corrected: boolean;
  readonly start: number;
  readonly speech: Speech[];
}

/** Subtitles by word where the words of a segment have times, and by segment where it was corrected; never two at once. */
export function partlyTimedCues(
  segments: readonly Segment[],
  words: readonly Speech[],
  gaps: readonly Stretch[] = [],
): SubtitleCue[] {
  if (!segments.some(({ corrected }) => corrected)) return wordCues(words, gaps);
  const parts = partsOf(segments, words);
  const cues: SubtitleCue[] = [];
  for (const [index, { corrected, speech }] of parts.entries()) {
    // What is said next ends what is held longer to be read, as a gap does.
    const next = parts[index + 1]?.start;
    const ends = next === undefined ? gaps : [...gaps, { start: next, end: next + 1 }];
    for (const cue of corrected ? subtitleCues(speech, ends) : wordCues(speech, ends)) {
      const from = Math.max(cue.from, cues.at(-1)?.to ?? 0);
      const times = cue.times?.map((line) => line.filter(({ at }) => at > from));
      cues.push({ ...cue, from, to: Math.max(from + 1, cue.to), ...(times && { times }) });
    }
  }
  return cues;
}

/** Stretches of segments of one kind; words belong to the segment whose text they make. */
function partsOf(segments: readonly Segment[], words: readonly Speech[]): Part[] {
  const parts: Part[] = [];
  let next = 0;
  const takeWords = (text: string): readonly Speech[] => {
    const first = next;
    const wanted = bare(text).length;
    for (let length = 0; length < wanted && next < words.length; next += 1) length += bare(words[next]!.text).length;
    return words.slice(first, next);
  };
  for (const segment of segments) {
    const corrected = segment.corrected === true;
    const speech = corrected ? [segment] : takeWords(segment.text);
    const last = parts.at(-1);
    if (last?.corrected === corrected) last.speech.push(...speech);
    else parts.push({ corrected, start: speech[0]?.start ?? segment.start, speech: [...speech] });
  }
  return parts;
}
