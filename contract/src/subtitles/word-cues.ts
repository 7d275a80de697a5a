import { gapAfter, milliseconds, oneLine, type Speech, type Stretch, type SubtitleCue } from "./subtitle-cues.ts";
import { layOutSubtitles, type SpokenTime } from "./subtitle-layout.ts";
import { usualRules, type SubtitleRules } from "./subtitle-rules.ts";
import { bare, endOf } from "./subtitle-units.ts";

/** Milliseconds of silence that end a cue. */
const pause = 600;
/** Milliseconds that it takes to read a letter. */
const letterTime = 50;

interface TimedWord {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Number of letters before the word, and up to its end. */
  readonly begins: number;
  readonly ends: number;
}

/**
 * Subtitles for words with known times; `words`, concatenated, are the text. Cues end at sentences and pauses, begin with their
 * first word, and stay long enough to be read; never two at once, and none in a gap. Cues of a few words stay until the next one,
 * because a screen that goes empty between words flickers.
 */
export function wordCues(
  words: readonly Speech[],
  gaps: readonly Stretch[] = [],
  rules: SubtitleRules = usualRules,
): SubtitleCue[] {
  const blocks = phrasesOf(timedWords(words), gaps, rules.shortest).flatMap((phrase) => blocksOf(phrase, rules));
  const cues: SubtitleCue[] = [];
  for (const [index, { lines, words: blockWords, from, to, letters, first }] of blocks.entries()) {
    const begin = Math.max(from, cues.at(-1)?.to ?? 0);
    const spoken = Math.max(to, begin + 1);
    const next = Math.max(begin + 1, blocks[index + 1]?.from ?? Infinity);
    const isHeld = rules.words < Infinity && next - spoken < pause;
    const read = isHeld ? next : begin + Math.max(rules.shortest, letters * letterTime);
    const end = Math.min(next, begin + rules.longest, Math.max(spoken, Math.min(read, gapAfter(gaps, spoken))));
    cues.push({ from: begin, to: end, lines, times: timesIn(lines, blockWords, first, begin, end) });
  }
  return cues;
}

/** A word never begins before an earlier one. */
function timedWords(words: readonly Speech[]): TimedWord[] {
  const timed: TimedWord[] = [];
  let time = 0;
  let letters = 0;
  for (const { start, end, text } of words) {
    const from = Math.max(time, milliseconds(start));
    const to = Math.max(from, milliseconds(end));
    const ends = letters + bare(text).length;
    timed.push({ from, to, text, begins: letters, ends });
    time = from;
    letters = ends;
  }
  return timed;
}

/** Sentences, and parts of them separated by pauses; a part that is followed too soon to be read is shown with the next one. */
function phrasesOf(words: readonly TimedWord[], gaps: readonly Stretch[], shortest: number): TimedWord[][] {
  const phrases: TimedWord[][] = [];
  const gapBetween = (from: number, to: number): boolean =>
    gaps.some(({ start, end }) => milliseconds(end) > from && milliseconds(start) < to);
  for (const [index, word] of words.entries()) {
    const phrase = phrases.at(-1);
    const before = words[index - 1];
    if (phrase === undefined || before === undefined) {
      phrases.push([word]);
      continue;
    }
    const ended = word.from - before.to >= pause || endOf(oneLine(before.text)) === "sentence";
    const readable = word.from - phrase[0]!.from >= shortest;
    if (gapBetween(before.to, word.from) || (ended && readable)) phrases.push([word]);
    else phrase.push(word);
  }
  return phrases;
}

interface ShownBlock {
  readonly lines: readonly string[];
  readonly words: readonly TimedWord[];
  readonly from: number;
  readonly to: number;
  readonly letters: number;
  /** The letters before it. */
  readonly first: number;
}

function blocksOf(words: readonly TimedWord[], rules: SubtitleRules): ShownBlock[] {
  const text = oneLine(words.map((word) => word.text).join(""));
  if (text === "") return [];
  const { begins: before } = words[0]!;
  const spoken: SpokenTime = (from, to) =>
    timeAt(wordOf(words, before + to - 1), before + to) - timeAt(wordOf(words, before + from), before + from);
  let letters = before;
  return layOutSubtitles(text, words.at(-1)!.to - words[0]!.from, rules, spoken).map(({ lines }) => {
    const first = letters;
    const letterCount = bare(lines.join("")).length;
    letters += letterCount;
    const blockWords = words.filter(({ begins, ends }) => ends > first && begins < letters);
    return {
      lines,
      words: blockWords,
      letters: letterCount,
      first,
      from: timeAt(blockWords[0]!, first),
      to: timeAt(blockWords.at(-1)!, letters),
    };
  });
}

/** The word that has a letter. */
function wordOf(words: readonly TimedWord[], letter: number): TimedWord {
  let first = 0;
  let last = words.length - 1;
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (words[middle]!.ends > letter) last = middle;
    else first = middle + 1;
  }
  return words[first]!;
}

/** When a letter of a word begins; in a text without spaces, cues may begin within a recognized word. */
function timeAt({ from, to, begins, ends }: TimedWord, letter: number): number {
  const share = Math.min(1, Math.max(0, (letter - begins) / (ends - begins)));
  return Math.round(from + share * (to - from));
}

/** Positions and times of the words that begin in the lines, each later than the cue and the one before. */
function timesIn(
  lines: readonly string[],
  words: readonly TimedWord[],
  first: number,
  from: number,
  to: number,
): NonNullable<SubtitleCue["times"]> {
  const begins = new Map(words.filter((word) => word.ends > word.begins).map((word) => [word.begins, word.from]));
  let letter = first;
  let last = from;
  return lines.map((line) => {
    const times: { offset: number; at: number }[] = [];
    for (let offset = 0; offset < line.length; offset += 1) {
      if (bare(line[offset]!) === "") continue;
      const at = begins.get(letter);
      letter += 1;
      if (at === undefined || at <= last || at >= to) continue;
      times.push({ offset, at });
      last = at;
    }
    return times;
  });
}
