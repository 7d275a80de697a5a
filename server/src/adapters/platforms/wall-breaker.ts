import type { Clock } from "../../ports.ts";

/** How long one that was asked to wait rests: longer after each wall, up to a bound, until an answer comes again. */
export interface WallBreaker {
  /** Until the rest is over; 0 outside of one. */
  secondsLeft(): number;
  walled(): void;
  answered(): void;
}

export interface WallPause {
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

export function createWallBreaker(pause: WallPause, clock: Clock): WallBreaker {
  let seconds = pause.firstSeconds;
  let until = 0;
  return {
    secondsLeft: () => Math.max(0, Math.ceil((until - clock.now().getTime()) / 1_000)),
    walled() {
      const now = clock.now().getTime();
      if (now < until) return;
      until = now + seconds * 1_000;
      seconds = Math.min(seconds * 2, pause.longestSeconds);
    },
    answered() {
      seconds = pause.firstSeconds;
      until = 0;
    },
  };
}
