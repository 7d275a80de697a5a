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
    | "vid"
    | "rep"
    | "rpl"
    | "bio"
    | "lnk"
    | "idm"
    | "med"
    | "fil"
    | "whk"
    | "msg"
    | "bat"
    | "sea",
) => string;

/** Work that repeats as long as the service runs. */
export interface PeriodicTask {
  /** Unique among tasks. */
  readonly name: string;
  readonly everySeconds: number;
  /** Seconds from the start to the first run; 0 by default, and never more than `everySeconds`. */
  readonly firstAfterSeconds?: number | undefined;
  /** Either once in the whole service, one process at a time and once per interval, or in each process. */
  readonly scope: "service" | "process";
  /** A batch that takes longer counts as hung, and its signal is aborted; 600 by default. */
  readonly limitSeconds?: number | undefined;
  /** Runs one batch. Resolves to true if there is more to do now. */
  run(now: Date, signal: AbortSignal): Promise<boolean>;
}

/** Decides which process of the service does work that must be done only once. */
export interface TaskLeases {
  /**
   * Takes or extends the lease of a task until the given moment. False if another process has it, or did the work too recently.
   * One of any number of simultaneous calls succeeds.
   */
  take(task: string, holder: string, until: Date, now: Date): Promise<boolean>;
  /** Gives the lease back; nobody can take it again before `nextAt`. */
  end(task: string, holder: string, nextAt: Date): Promise<void>;
}
