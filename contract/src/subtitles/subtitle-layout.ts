import { usualRules, type SubtitleRules } from "./subtitle-rules.ts";
import { bare, subtitleUnits, type SubtitleUnit } from "./subtitle-units.ts";

/** One screen of text, of one to three lines. */
export interface SubtitleBlock {
  readonly lines: readonly string[];
  readonly width: number;
}

/** Milliseconds from the beginning of a letter to the end of the one before another; white space isn't counted. */
export type SpokenTime = (from: number, to: number) => number;

const costs = {
  block: 40,
  slack: 40,
  tooShort: 60,
  unevenLines: 30,
  blockEnd: { sentence: 0, clause: 12, word: 40, smallWord: 50 },
  lineEnd: { sentence: 0, clause: 6, word: 14, smallWord: 20 },
} as const;

/** Nobody speaks more units than this without a pause; in a longer text only the fullest blocks are considered. */
const mostWeighed = 300;
const fewChoices = 8;

/** The units of a text and their places in one long line. */
interface MeasuredText {
  readonly units: readonly SubtitleUnit[];
  readonly lineEnds: Float64Array;
  readonly width: (from: number, to: number) => number;
  /** True if the units fit in a line, or are one. */
  readonly fits: (from: number, to: number) => boolean;
}

function measure(text: string, lineLength: number): MeasuredText {
  const units = subtitleUnits(text, lineLength);
  const starts = new Float64Array(units.length);
  const ends = new Float64Array(units.length + 1);
  for (const [index, { spaced, width: unitWidth }] of units.entries()) {
    starts[index] = ends[index]! + (spaced ? 1 : 0);
    ends[index + 1] = starts[index]! + unitWidth;
  }
  const width = (from: number, to: number): number => ends[to]! - starts[from]!;
  return {
    units,
    lineEnds: Float64Array.from(units, (unit) => costs.lineEnd[unit.ends]),
    width,
    fits: (from, to) => to - from === 1 || width(from, to) <= lineLength,
  };
}

/**
 * Divides a one-line text into as few, full and equal blocks as possible that end where sentences and clauses do.
 * `milliseconds` is the duration of the speech; without `spoken`, it is taken to be as even as the letters.
 */
export function layOutSubtitles(
  text: string,
  milliseconds: number,
  rules: SubtitleRules = usualRules,
  spoken?: SpokenTime,
): SubtitleBlock[] {
  const measured = measure(text, rules.lineLength);
  const { units, width, fits } = measured;
  const count = units.length;
  const fullWidth = rules.lines * rules.lineLength;
  const blockEnds = Float64Array.from(units, (unit) => costs.blockEnd[unit.ends]);
  blockEnds[count - 1] = 0;
  const evenly = milliseconds / width(0, count);
  const isLonger = longerThan(units, rules.longest, milliseconds, spoken);

  function blockCost(from: number, to: number): number {
    const blockWidth = width(from, to);
    const fullness = rules.words === Infinity ? blockWidth / fullWidth : (to - from) / rules.words;
    const lacking = Math.max(0, 1 - (evenly * blockWidth) / rules.shortest);
    return costs.block + costs.slack * Math.max(0, 1 - fullness) ** 2 + costs.tooShort * lacking + blockEnds[to - 1]!;
  }
  const isTooMuch = (from: number, to: number): boolean =>
    to - from > rules.words ||
    (to - from > rules.lines && width(from, to) > fullWidth + rules.lines - 1) ||
    (to - from > 1 && isLonger(from, to));

  const choices = count > mostWeighed ? fewChoices : Infinity;
  /** For each unit, the cost of the best blocks that end with it, and the beginnings of the last block's lines. */
  const least = new Float64Array(count + 1);
  const lines: (readonly number[])[] = [[]];
  let earliest = 0;
  let earliestLast = 0;
  for (let to = 1; to <= count; to += 1) {
    least[to] = Infinity;
    while (isTooMuch(earliest, to)) earliest += 1;
    while (!fits(earliestLast, to)) earliestLast += 1;
    for (let from = earliest; from < to && (from < earliest + choices || least[to] === Infinity); from += 1) {
      // Blocks that already cost more than the best ones aren't divided into lines, which is the slow part.
      if (least[from]! + costs.block > least[to]!) continue;
      const cost = least[from]! + blockCost(from, to);
      if (cost > least[to]!) continue;
      const divided = divide(measured, { from, to, earliestLast, most: rules.lines });
      if (divided === undefined || cost + divided.cost > least[to]!) continue;
      least[to] = cost + divided.cost;
      lines[to] = divided.begins;
    }
  }

  const blocks: SubtitleBlock[] = [];
  for (let to = count; to > 0;) {
    const begins = lines[to]!;
    const blockLines = begins.map((begin, line) => textOf(units.slice(begin, begins[line + 1] ?? to)));
    const from = begins[0]!;
    blocks.push({ lines: blockLines, width: width(from, to) });
    to = from;
  }
  return blocks.toReversed();
}

/** Whether units are spoken for longer than a cue may last. */
function longerThan(
  units: readonly SubtitleUnit[],
  longest: number,
  milliseconds: number,
  spoken: SpokenTime | undefined,
): (from: number, to: number) => boolean {
  if (longest === Infinity) return () => false;
  const letters = new Float64Array(units.length + 1);
  for (const [index, { text }] of units.entries()) letters[index + 1] = letters[index]! + bare(text).length;
  const evenly = milliseconds / letters[units.length]!;
  return (from, to) => {
    const begin = letters[from]!;
    const end = letters[to]!;
    return (spoken === undefined ? evenly * (end - begin) : spoken(begin, end)) > longest;
  };
}

interface Block {
  readonly from: number;
  readonly to: number;
  /** The first unit with which a line that ends at `to` can begin. */
  readonly earliestLast: number;
  readonly most: number;
}

interface DividedBlock {
  readonly begins: readonly number[];
  readonly cost: number;
}

/** The best division of a block into as few lines as possible; `undefined` if it doesn't fit in them. */
function divide(measured: MeasuredText, block: Block): DividedBlock | undefined {
  if (measured.fits(block.from, block.to)) return { begins: [block.from], cost: 0 };
  const inTwo = block.most > 1 ? divideInTwo(measured, block) : undefined;
  return inTwo ?? (block.most > 2 ? divideInThree(measured, block) : undefined);
}

function divideInTwo({ width, fits, lineEnds }: MeasuredText, block: Block): DividedBlock | undefined {
  const { from, to, earliestLast } = block;
  let best = from;
  let cost = Infinity;
  for (let second = Math.max(from + 1, earliestLast); second < to && fits(from, second); second += 1) {
    const above = width(from, second);
    const below = width(second, to);
    const uneven = (costs.unevenLines * Math.abs(above - below)) / (above + below) + lineEnds[second - 1]!;
    if (uneven >= cost) continue;
    cost = uneven;
    best = second;
  }
  return cost === Infinity ? undefined : { begins: [from, best], cost };
}

/** For each third line, only the two places are tried where those above it are the most equal. */
function divideInThree({ width, fits, lineEnds }: MeasuredText, block: Block): DividedBlock | undefined {
  const { from, to, earliestLast } = block;
  let best: readonly number[] = [];
  let cost = Infinity;
  let middle = from + 1;
  for (let third = Math.max(from + 2, earliestLast); third < to; third += 1) {
    while (middle + 1 < third && width(from, middle) < width(middle, third)) middle += 1;
    for (const second of [middle - 1, middle]) {
      if (second <= from || !fits(from, second) || !fits(second, third)) continue;
      const widths = [width(from, second), width(second, third), width(third, to)];
      const spread = (Math.max(...widths) - Math.min(...widths)) / (widths[0]! + widths[1]! + widths[2]!);
      const uneven = costs.unevenLines * spread + lineEnds[second - 1]! + lineEnds[third - 1]!;
      if (uneven >= cost) continue;
      cost = uneven;
      best = [from, second, third];
    }
  }
  return cost === Infinity ? undefined : { begins: best, cost };
}

const textOf = (units: readonly SubtitleUnit[]): string =>
  units.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join("");
