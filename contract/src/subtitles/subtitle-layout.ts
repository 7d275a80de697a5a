import { lineWidth, subtitleUnits, type SubtitleUnit } from "./subtitle-units.ts";

/** One screen of text: one line or two. */
export interface SubtitleBlock {
  readonly lines: readonly string[];
  readonly width: number;
}

/** The room of a subtitle on the screen. */
export interface SubtitleRoom {
  /** Widths of letters in a line; a letter of a wide script is 2.6 wide. */
  readonly lineLength: number;
  readonly lines: 1 | 2;
}

/** The rule of broadcasters. */
export const usualRoom: SubtitleRoom = { lineLength: lineWidth, lines: 2 };

/** The shortest time, in milliseconds, in which a subtitle can be read. */
export const shortest = 1_000;

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

/**
 * Divides a one-line text into as few, full and equal blocks as possible that end where sentences and clauses do.
 * `milliseconds` is the duration of the speech. Only a word longer than a line makes a longer line.
 */
export function layOutSubtitles(text: string, milliseconds: number, room: SubtitleRoom = usualRoom): SubtitleBlock[] {
  const { lineLength } = room;
  const fullWidth = room.lines * lineLength;
  const units = subtitleUnits(text, lineLength);
  const count = units.length;
  const starts = new Float64Array(count);
  const ends = new Float64Array(count + 1);
  for (const [index, { spaced, width: unitWidth }] of units.entries()) {
    starts[index] = ends[index]! + (spaced ? 1 : 0);
    ends[index + 1] = starts[index]! + unitWidth;
  }
  const width = (from: number, to: number): number => ends[to]! - starts[from]!;
  const fits = (from: number, to: number): boolean => to - from === 1 || width(from, to) <= lineLength;
  const lineEnds = Float64Array.from(units, (unit) => costs.lineEnd[unit.ends]);
  const blockEnds = Float64Array.from(units, (unit) => costs.blockEnd[unit.ends]);
  blockEnds[count - 1] = 0;

  const whole = ends[count]!;
  function blockCost(from: number, to: number): number {
    const blockWidth = width(from, to);
    const slack = Math.max(0, 1 - blockWidth / fullWidth);
    const lacking = Math.max(0, 1 - (milliseconds * blockWidth) / whole / shortest);
    return costs.block + costs.slack * slack ** 2 + costs.tooShort * lacking + blockEnds[to - 1]!;
  }

  const choices = count > mostWeighed ? fewChoices : Infinity;
  /** For each unit, the cost of the best blocks that end with it, and the beginning of the last block and its second line. */
  const least = new Float64Array(count + 1);
  const firsts = new Int32Array(count + 1);
  const seconds = new Int32Array(count + 1);
  let earliest = 0;
  let earliestSecond = 0;
  for (let to = 1; to <= count; to += 1) {
    least[to] = Infinity;
    while (to - earliest > room.lines && width(earliest, to) > fullWidth + 1) earliest += 1;
    while (!fits(earliestSecond, to)) earliestSecond += 1;
    for (let from = earliest; from < to && from < earliest + choices; from += 1) {
      // Blocks that already cost more than the best ones aren't divided into lines, which is the slow part.
      if (least[from]! + costs.block > least[to]!) continue;
      const cost = least[from]! + blockCost(from, to);
      if (cost > least[to]!) continue;
      let second = from;
      let lines = fits(from, to) ? 0 : Infinity;
      if (room.lines === 1 && lines !== 0) continue;
      for (let next = Math.max(from + 1, earliestSecond); lines !== 0 && next < to && fits(from, next); next += 1) {
        const above = width(from, next);
        const below = width(next, to);
        const uneven = (costs.unevenLines * Math.abs(above - below)) / (above + below) + lineEnds[next - 1]!;
        if (uneven >= lines) continue;
        lines = uneven;
        second = next;
      }
      if (cost + lines > least[to]!) continue;
      least[to] = cost + lines;
      firsts[to] = from;
      seconds[to] = second;
    }
  }

  const blocks: SubtitleBlock[] = [];
  for (let to = count; to > 0; to = firsts[to]!) {
    const from = firsts[to]!;
    const second = seconds[to]!;
    const lines =
      second === from
        ? [[from, to]]
        : [
            [from, second],
            [second, to],
          ];
    blocks.push({ lines: lines.map((line) => textOf(units.slice(...line))), width: width(from, to) });
  }
  return blocks.toReversed();
}

const textOf = (units: readonly SubtitleUnit[]): string =>
  units.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join("");
