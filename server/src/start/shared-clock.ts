import type { Clock } from "../ports.ts";

const checkMilliseconds = 10_000;
/** Below this, clocks agree well enough for every rule, and time doesn't jump. */
const tolerated = 2_000;

/** No machine's clock is off by so much, so the server's is, unless the machines of other processes agree with it. */
const incredible = 60 * 60 * 1_000;
/** Machines whose differences from the server are within this of each other agree. */
const alike = 60_000;

/** The table in which processes compare their clocks. */
interface Meeting {
  /** The server's own time. */
  moment(): Promise<Date>;
  /** Records by how many milliseconds the server is ahead of this machine, and returns the differences of the others. */
  compare(ahead: number): Promise<readonly number[]>;
}

/** This machine's clock, corrected by a server's that other machines follow, too. */
export interface SharedClock extends Clock {
  /** Compares the clocks now and every ten seconds; keeps the last correction while the server doesn't answer. */
  follow(meeting: Meeting): Promise<void>;
  /** By how many seconds the server's clock is ahead of this machine's. */
  ahead(): number;
  /** True while the server's clock is too far off to be trusted. */
  isServerWrong(): boolean;
  close(): void;
}

/**
 * Leases and limits compare times that several processes wrote. Without a correction, a machine with a wrong clock takes work
 * from others or loses its own to them.
 */
export function createSharedClock({
  clock,
  onCorrection,
  onServerWrong = () => undefined,
  every = checkMilliseconds,
}: {
  readonly clock: Clock;
  /** Receives the seconds by which this machine is behind, whenever they have changed. */
  readonly onCorrection: (seconds: number) => void;
  /** Receives the seconds by which the server is ahead when it is no longer trusted. */
  readonly onServerWrong?: (seconds: number) => void;
  /** Only for tests. */
  readonly every?: number;
}): SharedClock {
  let behind = 0;
  let ahead = 0;
  let isServerWrong = false;
  let timer: NodeJS.Timeout | undefined;
  async function check(meeting: Meeting): Promise<void> {
    const before = clock.now().getTime();
    const moment = await meeting.moment();
    // The server's answer is from some moment in between.
    const uncertain = (clock.now().getTime() - before) / 2;
    const measured = moment.getTime() - (before + uncertain);
    ahead = measured;
    const others = await meeting.compare(measured);
    const isWrong = Math.abs(measured) > incredible && !isAloneWith(measured, others);
    if (isWrong && !isServerWrong) onServerWrong(measured / 1_000);
    isServerWrong = isWrong;
    const needed = !isWrong && Math.abs(measured) > tolerated + uncertain ? measured : 0;
    if (Math.abs(needed - behind) <= tolerated + uncertain) return;
    behind = needed;
    onCorrection(behind / 1_000);
  }
  return {
    now: () => new Date(clock.now().getTime() + behind),
    ahead: () => ahead / 1_000,
    isServerWrong: () => isServerWrong,
    async follow(meeting) {
      const checkQuietly = () => check(meeting).catch(() => undefined);
      clearInterval(timer);
      timer = setInterval(() => void checkQuietly(), every).unref();
      await checkQuietly();
    },
    close: () => clearInterval(timer),
  };
}

/** True if most other machines agree with the server, or there are none: then this machine is wrong. */
const isAloneWith = (measured: number, others: readonly number[]): boolean =>
  others.length > 0 && others.filter((one) => Math.abs(one - measured) <= alike).length * 2 < others.length;

export const systemClock: Clock = { now: () => new Date() };
