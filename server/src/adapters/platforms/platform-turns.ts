import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";
import type { Clock, PlatformPace } from "../../ports.ts";
import { createFairLine, NoTurn } from "../../rules/fair-line.ts";

/** Later turns aren't waited for, so that requests don't queue behind them. */
const patience = { hurriedSeconds: 15, seconds: 60 };
const longestReservation = 3_600;
const retryMilliseconds = 1_000;
/** Requests for waiting people of one process, of which each account may have as many as could get their turn in time. */
const hurried = { atATime: 1, waiting: 1_000 };

export interface Visit {
  readonly signal: AbortSignal;
  /** Reserved ahead; 0 for what is not paced. Default 1. */
  readonly turns?: number;
  /** The account of a waiting caller: its request begins soon or not at all, and accounts take turns. */
  readonly hurriedFor?: string | undefined;
  /** Uses an exit even if all rest; then walls and answers don't change which ones rest. */
  readonly evenResting?: boolean;
  /** Called when waiting for a turn begins and ends. */
  readonly onWait?: ((isWaiting: boolean) => void) | undefined;
  /** See `PlatformContact.onRest`. */
  readonly onRest?: ((isRefused: boolean) => void) | undefined;
}

export interface TurnOptions {
  /** Its name. */
  readonly platform: string;
  readonly clock: Clock;
  /** Without it, nothing is paced. */
  readonly pace?: { readonly turns: PlatformPace; readonly intervalSeconds: number } | undefined;
}

/** Decides when requests to one platform may begin. */
export interface PlatformTurns {
  readonly intervalSeconds: number;
  /** Waits for the turn at one of the exits and returns that exit; `undefined` if the turn would be too far away. */
  wait(exits: readonly string[], turns: number, visit: Visit): Promise<string | undefined>;
  /** Waits for another turn at the exit of a visit. */
  waitForNext(exit: string, visit: Visit): Promise<void>;
}

interface Wish {
  readonly exits: readonly string[];
  readonly turns: number;
  readonly withinSeconds: number;
}

/**
 * Turns are reserved in the database, for all processes. For waiting callers each process reserves one at a time, so that a
 * worker never queues behind more, and accounts take turns. `undefined` if nothing is paced.
 */
export function createPlatformTurns({ platform, clock, pace }: TurnOptions): PlatformTurns | undefined {
  if (pace === undefined || pace.intervalSeconds <= 0) return undefined;
  const { turns: store, intervalSeconds } = pace;
  const line = createFairLine(hurried);

  /** While the database is down, a reel waits, but a person doesn't. */
  async function reserve(wish: Wish, { signal, hurriedFor }: Visit): ReturnType<PlatformPace["take"]> {
    for (;;)
      try {
        return await store.take({ ...wish, platform, intervalSeconds, now: clock.now() });
      } catch (error) {
        if (hurriedFor !== undefined || !(error instanceof ServiceError) || error.code !== "unavailable") throw error;
        await sleep(retryMilliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
  }

  async function waitUntil(moment: Date, { signal, onWait }: Visit): Promise<void> {
    const milliseconds = moment.getTime() - clock.now().getTime();
    if (milliseconds <= 0) return;
    onWait?.(true);
    try {
      await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
    } finally {
      onWait?.(false);
    }
  }

  async function reserveAndWait(wish: Wish, visit: Visit): Promise<string | undefined> {
    const taken = await reserve(wish, visit);
    if (taken) await waitUntil(taken.beginsAt, visit);
    return taken?.exit;
  }

  async function waitInLine(accountId: string, wish: Wish, visit: Visit): Promise<string | undefined> {
    const { exits, turns, withinSeconds: seconds } = wish;
    const began = performance.now();
    // Admits no more of an account than could get their turn in time.
    const mostWaiting = exits.length * Math.max(1, Math.floor(seconds / (turns * intervalSeconds)));
    const work = (): Promise<string | undefined> => {
      const withinSeconds = Math.max(0, seconds - (performance.now() - began) / 1_000);
      return reserveAndWait({ exits, turns, withinSeconds }, visit);
    };
    try {
      return await line.run(accountId, work, { signal: visit.signal, seconds, mostWaiting });
    } catch (error) {
      if (error instanceof NoTurn) return undefined;
      throw error;
    }
  }

  const inTurn = (wish: Wish, visit: Visit): Promise<string | undefined> =>
    visit.hurriedFor === undefined ? reserveAndWait(wish, visit) : waitInLine(visit.hurriedFor, wish, visit);

  return {
    intervalSeconds,
    wait: (exits, turns, visit) => {
      const withinSeconds = visit.hurriedFor === undefined ? patience.seconds : patience.hurriedSeconds;
      return inTurn({ exits, turns, withinSeconds }, visit);
    },
    async waitForNext(exit, visit) {
      await inTurn({ exits: [exit], turns: 1, withinSeconds: longestReservation }, visit);
    },
  };
}
