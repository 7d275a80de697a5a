/** When requests to a platform may begin, for all processes of the service together. */
export interface PlatformPace {
  /**
   * Reserves `turns`, each `intervalSeconds` after the one before, at the exit that is free first, and says when the
   * first begins. `undefined`, and nothing is reserved, when that is more than `withinSeconds` away. Turns that a process
   * reserved and didn't use are lost.
   */
  take(wish: {
    readonly platform: string;
    /** Names of the exits that will do: of the addresses from which the platform is asked. */
    readonly exits: readonly string[];
    readonly turns: number;
    readonly intervalSeconds: number;
    readonly withinSeconds: number;
    readonly now: Date;
  }): Promise<{ readonly exit: string; readonly beginsAt: Date } | undefined>;
}

/** Another worker, as it last reported itself. */
export interface FellowWorker {
  readonly name: string;
  /** True while it claims transcriptions. */
  readonly isWell: boolean;
  /** The worker's own clock, which may be wrong; a live worker updates this regularly. */
  readonly seenAt: Date;
}

/** The workers of the service, so that one whose machine or network fails knows whether another one may do better. */
export interface Workers {
  /**
   * Reports a worker, and gives the others that reported themselves within about a day, the latest first. With an embedded
   * database there are none, and nothing is written.
   */
  report(name: string, isWell: boolean, now: Date): Promise<readonly FellowWorker[]>;
}
