import { lineWidth, subtitleUnits, type SubtitleUnit } from "./subtitle-units.ts";

/** What is shown at once: one line or two. */
export interface SubtitleBlock {
  readonly lines: readonly string[];
  readonly width: number;
}

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

interface Plan {
  readonly cost: number;
  /** Index of the first unit of each line of the last block, which ends where the plan ends. */
  readonly lines: readonly number[];
}

/**
 * Shares a text, which is one line, out over blocks that are as few, as full and as alike as they can be while they end where
 * sentences and clauses do. `milliseconds` is how long the text is spoken. Only a word that is longer than a line makes a longer line.
 */
export function layOutSubtitles(text: string, milliseconds: number): SubtitleBlock[] {
  const units = subtitleUnits(text);
  const ends = [0];
  for (const unit of units) ends.push(ends.at(-1)! + (unit.spaced ? 1 : 0) + unit.width);
  const width = (from: number, to: number): number => ends[to]! - ends[from]! - (units[from]!.spaced ? 1 : 0);
  const fits = (from: number, to: number): boolean => to - from === 1 || width(from, to) <= lineWidth;

  function linesOf(from: number, to: number): Plan | undefined {
    if (fits(from, to)) return { cost: 0, lines: [from] };
    let best: Plan | undefined;
    for (let middle = from + 1; middle < to; middle += 1) {
      if (!fits(from, middle)) break;
      if (!fits(middle, to)) continue;
      const [first, second] = [width(from, middle), width(middle, to)];
      const uneven = (costs.unevenLines * Math.abs(first - second)) / (first + second);
      const cost = uneven + costs.lineEnd[units[middle - 1]!.ends];
      if (!best || cost < best.cost) best = { cost, lines: [from, middle] };
    }
    return best;
  }

  const whole = ends.at(-1)!;
  function blockCost(from: number, to: number): number {
    const own = width(from, to);
    const slack = Math.max(0, 1 - own / (2 * lineWidth));
    const lacking = Math.max(0, 1 - (milliseconds * own) / whole / shortest);
    const end = to === units.length ? 0 : costs.blockEnd[units[to - 1]!.ends];
    return costs.block + costs.slack * slack ** 2 + costs.tooShort * lacking + end;
  }

  const plans: (Plan | undefined)[] = [{ cost: 0, lines: [] }];
  for (let to = 1; to <= units.length; to += 1)
    for (let from = to - 1; from >= 0; from -= 1) {
      if (to - from > 2 && width(from, to) > 2 * lineWidth + 1) break;
      const lines = linesOf(from, to);
      if (!lines) continue;
      const cost = plans[from]!.cost + blockCost(from, to) + lines.cost;
      const known = plans[to];
      if (!known || cost < known.cost) plans[to] = { cost, lines: lines.lines };
    }

  const blocks: SubtitleBlock[] = [];
  for (let to = units.length; to > 0;) {
    const { lines } = plans[to]!;
    const from = lines[0]!;
    blocks.push({
      lines: lines.map((start, index) => textOf(units.slice(start, lines[index + 1] ?? to))),
      width: width(from, to),
    });
    to = from;
  }
  return blocks.toReversed();
}

const textOf = (units: readonly SubtitleUnit[]): string =>
  units.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join("");
