import { ServiceError } from "@reelscript/contract";
import type { Clock } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import type { Proxy } from "../guarded-fetch/guarded-fetch.ts";
import { createPlatformTurns, type TurnOptions, type Visit } from "./platform-turns.ts";
import { SourceFailure } from "./source-failure.ts";

/** One of our addresses for requests to a platform: this machine's, or a proxy's. */
export interface Exit {
  /** `direct`, or the proxy's host and port; for people. */
  readonly name: string;
  readonly proxy: Proxy | undefined;
}

/** An exit while one visit goes through it. */
export interface OpenExit extends Exit {
  /** Waits until another page or query may be requested. */
  turn(): Promise<void>;
  /** Between two turns. */
  readonly intervalSeconds: number;
  /** True when another exit is tried if this one fails. */
  hasNext(): boolean;
}

export interface Exits {
  /**
   * Uses the exit that is free first, and then others, while walls, regions or proxies stop the work. Throws the error of the
   * work, and `ServiceError` if the turn would be too far away. If every exit rests, it throws `SourceFailure`: `walled` after
   * a wall, otherwise `unreachable`. Where exits rest, the visit's `onRest` is called if they are the reason for the end.
   */
  use<Value>(visit: Visit, work: (exit: OpenExit) => Promise<Value>): Promise<Value>;
}

export interface ExitOptions extends TurnOptions {
  /** Without one, the platform is asked directly. */
  readonly proxies?: readonly Proxy[];
  /** How long an exit rests after a wall; without it, none does. */
  readonly pauseAfterWall?: WallPause | undefined;
  /** Called with news for the operator, once per change. */
  readonly onHint?: ((hint: string) => void) | undefined;
}

const directExit: Exit = { name: "direct", proxy: undefined };

/** This machine's own address, without limits. */
export const directExits: Exits = {
  use: (_visit, work) =>
    work({ ...directExit, turn: () => Promise.resolve(), intervalSeconds: 0, hasNext: () => false }),
};

/** Seconds until a reel without a turn may try again. */
const busySeconds = 5;
/** More would only cost time if the platform is down for all. */
const mostTries = 5;
const mostSilent = 2;
export const platformBusy = (): ServiceError =>
  new ServiceError("upstreamError", "Many reels are waiting for the platform. Try again in a minute.", {
    reason: "platformBusy",
    retryAfter: busySeconds,
  });

const noPause: WallPause = { firstSeconds: 0, longestSeconds: 0 };

interface State extends Exit {
  readonly breaker: WallBreaker;
  /** The state last reported to the operator. */
  state: "well" | "walled" | "down";
  usedAt: number;
}

export function createExits(options: ExitOptions): Exits {
  const { platform, proxies = [], pauseAfterWall = noPause, clock, onHint } = options;
  const exits: readonly Exit[] =
    proxies.length === 0 ? [directExit] : proxies.map((proxy) => ({ name: proxy.name, proxy }));
  const all = exits.map((exit): State => ({
    ...exit,
    breaker: createWallBreaker(pauseAfterWall, clock),
    state: "well",
    usedAt: 0,
  }));
  const pace = createPace(options);

  function rest(exit: State, state: "walled" | "down", why: string): void {
    exit.breaker.rest(state === "walled");
    const seconds = exit.breaker.secondsLeft();
    if (exit.state !== state)
      onHint?.(`${platform} can't be asked through ${exit.name}: ${why}. It rests for ${seconds} s.`);
    exit.state = state;
  }

  function answered(exit: State): void {
    exit.breaker.answered();
    if (exit.state !== "well") onHint?.(`${platform} can be asked through ${exit.name} again.`);
    exit.state = "well";
  }

  async function use<Value>(visit: Visit, work: (exit: OpenExit) => Promise<Value>): Promise<Value> {
    const untried = new Set(all);
    const silent: State[] = [];
    let tries = 0;
    let first: SourceFailure | undefined;
    const usable = (): State[] => {
      if (tries >= mostTries || silent.length >= mostSilent) return [];
      const awake = [...untried].filter(isAwake);
      return awake.length > 0 || !visit.evenResting ? awake : [...untried];
    };
    /** A wall is the reel's own where no exit rests. */
    const isOfExits = (failure: SourceFailure | undefined): boolean =>
      failure?.meaning.exit !== "answeredHere" &&
      (failure?.meaning.exit !== "walled" || pauseAfterWall.firstSeconds > 0);
    for (;;) {
      const left = usable();
      if (left.length === 0) {
        if (isOfExits(first)) visit.onRest?.(first?.meaning.exit === "walled");
        throw first ?? allRest(all);
      }
      const exit = await pace.choose(left, visit);
      // Another reel may have met a wall meanwhile.
      if (!isAwake(exit) && !visit.evenResting) continue;
      untried.delete(exit);
      tries += 1;
      try {
        const value = await work(pace.open(exit, visit, () => usable().length > 0));
        if (!visit.evenResting) answered(exit);
        for (const one of silent) rest(one, "down", "nothing came back");
        return value;
      } catch (error) {
        if (visit.signal.aborted || !(error instanceof SourceFailure)) throw error;
        const fault = faultOf(error, exit);
        const says = error.meaning.exit;
        if ((says === "answered" || says === "answeredHere") && !visit.evenResting) answered(exit);
        // Another address may be in a country where the reel is shown.
        if (says === "answeredHere") {
          first = error;
          continue;
        }
        if (fault === undefined || (fault === "walled" && visit.evenResting)) throw error;
        if (fault === "walled") rest(exit, "walled", "the platform turns it away");
        else if (fault === "down") rest(exit, "down", (error.cause as Error).message);
        else silent.push(exit);
        if (first === undefined || (fault === "walled" && first.meaning.exit === "silent")) first = error;
      }
    }
  }

  return { use };
}

const isAwake = ({ breaker }: State): boolean => breaker.secondsLeft() === 0;

/** A fault that another exit may not have; `undefined` if trying one is pointless. */
function faultOf({ meaning, cause }: SourceFailure, { proxy }: Exit): "walled" | "down" | "silent" | undefined {
  if (meaning.exit === "walled") return "walled";
  if (meaning.exit !== "silent" || proxy === undefined) return undefined;
  return cause instanceof FetchFailure && cause.reason === "proxyFailed" ? "down" : "silent";
}

/** Chooses exits by their next turn, and waits for turns. */
function createPace(options: ExitOptions) {
  const turns = createPlatformTurns(options);
  const intervalSeconds = turns?.intervalSeconds ?? 0;
  let uses = 0;
  return {
    async choose(exits: readonly State[], visit: Visit): Promise<State> {
      const oldest = exits.toSorted((one, other) => one.usedAt - other.usedAt)[0]!; // safe: there is one
      let choice = oldest;
      const { turns: reserved = 1 } = visit;
      if (turns && reserved > 0) {
        const exit = await turns.wait(
          exits.map(({ name }) => name),
          reserved,
          visit,
        );
        if (exit === undefined) throw platformBusy();
        choice = exits.find(({ name }) => name === exit) ?? oldest;
      }
      choice.usedAt = uses += 1;
      return choice;
    },
    open({ name, proxy }: State, visit: Visit, hasNext: () => boolean): OpenExit {
      let left = visit.turns ?? 1;
      return {
        name,
        proxy,
        intervalSeconds,
        hasNext,
        async turn() {
          left -= 1;
          if (left < 0) await turns?.waitForNext(name, visit);
        },
      };
    },
  };
}

function allRest(exits: readonly State[]): SourceFailure {
  const seconds = Math.min(...exits.map(({ breaker }) => breaker.secondsLeft()));
  return exits.some(({ state }) => state === "walled")
    ? new SourceFailure("walled", `not asked for another ${seconds} s after a wall`)
    : new SourceFailure("unreachable", `not asked for another ${seconds} s, because no proxy opens a tunnel`);
}

interface WallPause {
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

interface WallBreaker {
  /** Milliseconds until the rest is over; 0 if there is none. */
  readonly secondsLeft: () => number;
  readonly rest: (isAfterWall: boolean) => void;
  readonly answered: () => void;
}

/**
 * How long an exit rests after it was told to wait: longer after each wall, up to a bound, until a request succeeds. A proxy
 * that fails is tried again after the shortest rest, because trying annoys nobody.
 */
function createWallBreaker(pause: WallPause, clock: Clock): WallBreaker {
  let seconds = pause.firstSeconds;
  let until = 0;
  return {
    secondsLeft: () => Math.max(0, Math.ceil((until - clock.now().getTime()) / 1_000)),
    rest(isAfterWall): void {
      const now = clock.now().getTime();
      if (now < until) return;
      until = now + (isAfterWall ? seconds : pause.firstSeconds) * 1_000;
      if (isAfterWall) seconds = Math.min(seconds * 2, pause.longestSeconds);
    },
    answered(): void {
      seconds = pause.firstSeconds;
      until = 0;
    },
  };
}
