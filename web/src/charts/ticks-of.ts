const roundSteps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

interface Options {
  /** How many steps from 0 are wanted; one more may come out. */
  readonly steps?: number;
  /** For counts: no tick stands between two whole numbers. */
  readonly whole?: boolean;
}

/** Round values from 0 to the first at or above `largest`, in equal steps. */
export function ticksOf(largest: number, { steps = 2, whole = false }: Options = {}): readonly number[] {
  const top = Number.isFinite(largest) && largest > 0 ? largest : 1;
  const rough = top / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = roundSteps.find((factor) => factor * power >= rough * (1 - 1e-9))! * power; // safe: 10 is always enough
  const step = whole ? Math.max(1, Math.ceil(round)) : round;
  const count = Math.ceil(top / step - 1e-9);
  // Multiples, not sums: 0.1 + 0.2 is not a round number.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
