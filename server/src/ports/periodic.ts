/** All time comes from here, so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** Makes a public id such as `acc_7Hq2…`: the prefix, an underscore, 16 random base62 characters. */
export type NewId = (
  prefix:
    | "acc"
    | "key"
    | "scr"
    | "ses"
    | "shr"
    | "trn"
    | "rep"
    | "rpl"
    | "bio"
    | "lnk"
    | "idm"
    | "med"
    | "whk"
    | "msg"
    | "bat"
    | "sea",
) => string;

/** Work that is repeated for as long as the service runs. */
export interface PeriodicTask {
  /** Unique among tasks. */
  readonly name: string;
  readonly everySeconds: number;
  /** From the start to the first run; 0 unless given, and never more than `everySeconds`. */
  readonly firstAfterSeconds?: number | undefined;
  /** In all processes of the service together, one at a time and once per interval; or in each process for itself. */
  readonly scope: "service" | "process";
  /** After so long a batch counts as hung, and its signal is aborted; 600 unless given. */
  readonly limitSeconds?: number | undefined;
  /** Does one batch. Resolves to true when there is more to do now. */
  run(now: Date, signal: AbortSignal): Promise<boolean>;
}

/** Says which process of the service does what must be done once. */
export interface TaskLeases {
  /**
   * Takes the lease of a task until the given moment, or extends it. False when another process has it, or has done the
   * work too recently. Of any number that ask at the same moment one gets it.
   */
  take(task: string, holder: string, until: Date, now: Date): Promise<boolean>;
  /** Gives the lease back; nobody gets the next one before `nextAt`. */
  end(task: string, holder: string, nextAt: Date): Promise<void>;
}
