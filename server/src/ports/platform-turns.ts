/** When requests to a platform may begin, for all processes of the service together. */
export interface PlatformTurns {
  /**
   * Reserves `turns`, each `intervalSeconds` after the one before, at the exit that is free first, and says when the
   * first begins. `undefined`, and nothing is reserved, when that is more than `withinSeconds` away. What a process reserved
   * and didn't use is lost.
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
