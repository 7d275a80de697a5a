import type { Clock } from "../ports.ts";

const checkMilliseconds = 10_000;
/** Below this, clocks agree well enough for every rule, and time doesn't jump. */
const tolerated = 2_000;

/** The clock of this machine, corrected by that of a server that other machines follow, too. */
interface SharedClock extends Clock {
  /** Compares the clocks now and every ten seconds; keeps the last correction while the server doesn't answer. */
  follow(moment: () => Promise<Date>): Promise<void>;
  close(): void;
}

/**
 * Leases and limits compare moments that several processes wrote. Without a correction, a machine whose clock is wrong takes
 * work from others or loses its own to them.
 */
export function createSharedClock({
  clock,
  onCorrection,
  every = checkMilliseconds,
}: {
  readonly clock: Clock;
  /** Receives the seconds by which this machine is behind, whenever they have changed. */
  readonly onCorrection: (seconds: number) => void;
  /** Only for tests. */
  readonly every?: number;
}): SharedClock {
  let behind = 0;
  let timer: NodeJS.Timeout | undefined;
  async function check(moment: () => Promise<Date>): Promise<void> {
    const before = clock.now().getTime();
    const there = await moment();
    // The answer is from somewhere in between.
    const uncertain = (clock.now().getTime() - before) / 2;
    const measured = there.getTime() - (before + uncertain);
    const needed = Math.abs(measured) > tolerated + uncertain ? measured : 0;
    if (Math.abs(needed - behind) <= tolerated + uncertain) return;
    behind = needed;
    onCorrection(behind / 1_000);
  }
  return {
    now: () => new Date(clock.now().getTime() + behind),
    async follow(moment) {
      const checkQuietly = () => check(moment).catch(() => undefined);
      clearInterval(timer);
      timer = setInterval(() => void checkQuietly(), every).unref();
      await checkQuietly();
    },
    close: () => clearInterval(timer),
  };
}

export const systemClock: Clock = { now: () => new Date() };
