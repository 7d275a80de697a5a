/** Another worker, as it last reported itself. */
export interface FellowWorker {
  readonly name: string;
  /** Whether it claims what waits. */
  readonly isWell: boolean;
  /** By its own clock, which may be wrong: one that lives changes it again and again. */
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
