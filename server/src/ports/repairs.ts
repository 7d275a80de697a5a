import type { Claim } from "./transcriptions.ts";

/** A recognizer as repairs tell them apart. */
export interface RecognizerVersion {
  readonly model: string;
  readonly revision: number;
}

/** What became of a repair: the new text took the place of the old one, or why the old one was kept. */
export type RepairOutcome = "replaced" | KeptReason;
type KeptReason = "empty" | "shorterAudio" | "notFewerGaps" | "fewerWords";

export type RepairRequest =
  | { readonly kind: "noScript" }
  /** This recognizer, or a newer one, has heard the reel already. */
  | { readonly kind: "current" }
  /** With its id when it is the account's own. */
  | { readonly kind: "inProgress"; readonly transcriptionId?: string | undefined }
  | { readonly kind: "queueFull" }
  /** As many of the account's reels wait as may. */
  | { readonly kind: "accountQueueFull" }
  /** Done, but the account was not answered yet. */
  | { readonly kind: "finished"; readonly transcriptionId: string; readonly outcome: RepairOutcome }
  | { readonly kind: "started"; readonly transcriptionId: string };

/** Which transcripts a run repairs: of one revision (0: made before revisions were kept), or all that are older than the current one. */
export interface RepairSelection {
  readonly revision: number | null;
}

/** Transcribes many reels again, one after another, when nothing fresh waits. */
export interface RepairRun extends RepairSelection {
  readonly id: number;
  readonly state: "running" | "stopped" | "done";
  /** How many there were to repair at the start. */
  readonly total: number;
  readonly replaced: number;
  readonly kept: number;
  readonly failed: number;
  readonly startedAt: Date;
}

/** Hearing reels again with a newer recognizer, so that damaged transcripts become whole. Nothing is held or charged. */
export interface Repairs {
  /**
   * Puts the reel of one of the account's scripts into the queue again. Answers in this order: noScript, inProgress (for
   * anybody), finished, current, queueFull. Of any number of racers for one reel exactly one starts.
   */
  request(request: {
    readonly accountId: string;
    readonly scriptId: string;
    readonly recognizer: RecognizerVersion;
    readonly queueLimit: number;
    readonly queueLimitPerAccount: number;
    readonly now: Date;
  }): Promise<RepairRequest>;
  /** What became of a repair that is done; from now on its account counts as answered. */
  takeOutcome(transcriptionId: string): Promise<RepairOutcome | undefined>;
  /** How many transcripts a run would repair. */
  count(selection: RepairSelection, recognizer: RecognizerVersion): Promise<number>;
  /** Starts a run, or continues the same one if it was stopped. `running` when there is one under way. */
  start(selection: RepairSelection, recognizer: RecognizerVersion, now: Date): Promise<RepairRun | "running">;
  /** Stops the run that is under way; what is in hand is finished. `undefined` when there is none. */
  stop(): Promise<RepairRun | undefined>;
  /** The last run, under way or not. */
  find(): Promise<RepairRun | undefined>;
  /**
   * The next reel of the run that is under way, claimed; each by one worker. `undefined` while anything waits in the queue, and
   * when there is none; then the run is done. One that crashed is claimed once more.
   */
  claim(worker: string, leaseSeconds: number, recognizer: RecognizerVersion, now: Date): Promise<Claim | undefined>;
  /** Leaves a claim to another time. False when the lease was lost. */
  giveBack(claim: Claim): Promise<boolean>;
}
