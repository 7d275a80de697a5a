/** Decides when requests to a platform may begin, for all processes of the service. */
export interface PlatformPace {
  /**
   * Reserves `turns`, each `intervalSeconds` after the one before, at the exit that is free first, and returns when the first
   * begins. `undefined`, and nothing is reserved, if that is more than `withinSeconds` away. Reserved turns that a process
   * doesn't use are lost.
   */
  take(wish: {
    readonly platform: string;
    /** Names of the usable exits: the addresses from which the platform is requested. */
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

/** The workers of the service, so that one whose machine or network fails knows whether another one is healthy. */
export interface Workers {
  /**
   * Reports a worker, and returns the others that reported within about a day, the latest first. With an embedded database
   * there are none, and nothing is written.
   */
  report(
    name: string,
    state: { readonly isWell: boolean; readonly makesVideos: boolean },
    now: Date,
  ): Promise<readonly FellowWorker[]>;
}
