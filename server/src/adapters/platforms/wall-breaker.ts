import type { Clock } from "../../ports.ts";
import { SourceFailure } from "./source-failure.ts";

/** Stops asking a platform that asked to wait: longer after each wall, up to a bound, until an answer comes again. */
export interface WallBreaker {
  /** Throws `SourceFailure` `walled` while the pause lasts. */
  check(): void;
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
    check() {
      const left = Math.ceil((until - clock.now().getTime()) / 1_000);
      if (left > 0) throw new SourceFailure("walled", `not asked for another ${left} s after a wall`);
    },
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
