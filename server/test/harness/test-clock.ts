import type { Clock } from "../../src/ports.ts";

/** Runs with the machine's clock, and can be moved ahead. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

export function createTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

export const hour = 3_600_000;
