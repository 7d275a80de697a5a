import type { Clock } from "../../src/ports.ts";

/** Runs with the machine's clock and can be advanced. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  /** Advances to noon of the next day in UTC, so that no test runs past midnight. */
  toNoon(): void;
}

export const hour = 3_600_000;
const day = 24 * hour;

export function createTestClock(): TestClock {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  return {
    now: () => new Date(now()),
    advance(milliseconds) {
      ahead += milliseconds;
    },
    toNoon() {
      ahead += Math.ceil(now() / day) * day + 12 * hour - now();
    },
  };
}
