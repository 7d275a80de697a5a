import type { Claim, RetranscriptionOutcome, TranscriptionOutcome, TranscriptionOrigin } from "./transcriptions.ts";

/** A recognizer as retranscriptions tell them apart. */
export interface RecognizerVersion {
  readonly model: string;
  readonly revision: number;
}

export type RetranscriptionStart =
  | { readonly kind: "noScript" }
  /** This recognizer, or a newer one, has already heard the reel. */
  | { readonly kind: "current" }
  | Extract<TranscriptionOutcome, { readonly kind: "inProgress" | "queueFull" | "accountQueueFull" }>
  /** Done, but the account has not received the outcome yet. */
  | { readonly kind: "finished"; readonly transcriptionId: string; readonly outcome: RetranscriptionOutcome }
  | { readonly kind: "started"; readonly transcriptionId: string };

/** Selects the transcripts of one revision; `null` selects all that this recognizer may improve. */
interface RetranscriptionSelection {
  readonly revision: number | null;
}

/** Transcribes many reels again, one after another, while no fresh ones wait. */
export interface RetranscriptionRun extends RetranscriptionSelection {
  readonly id: number;
  readonly state: "running" | "stopped" | "done";
  /** Number of transcripts at the start. */
  readonly total: number;
  readonly replaced: number;
  readonly kept: number;
  readonly failed: number;
  readonly startedAt: Date;
}

export interface RetranscriptionRequest {
  readonly accountId: string;
  readonly scriptId: string;
  readonly recognizer: RecognizerVersion;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly now: Date;
  readonly origin?: TranscriptionOrigin | undefined;
}

/** Transcribing reels again with a newer recognizer, so that damaged transcripts become whole. Nothing is held or charged. */
export interface Retranscriptions extends RetranscriptionRuns {
  /**
   * Puts the reel of one of the account's scripts into the queue again. Checks in this order: noScript, inProgress (for any
   * account), finished, current, queueFull. Of any number of concurrent calls for one reel exactly one starts.
   */
  request(request: RetranscriptionRequest): Promise<RetranscriptionStart>;
  /** Reads the outcome of a finished retranscription, and records that its account has received it. */
  takeOutcome(transcriptionId: string): Promise<RetranscriptionOutcome | undefined>;
}

/** Runs started by an operator, at most one at a time. */
export interface RetranscriptionRuns {
  /** Number of transcripts that a run would transcribe again. */
  count(selection: RetranscriptionSelection, recognizer: RecognizerVersion): Promise<number>;
  /** Starts a run, or continues the same one if it was stopped. `running` if a run is active. */
  start(
    selection: RetranscriptionSelection,
    recognizer: RecognizerVersion,
    now: Date,
  ): Promise<RetranscriptionRun | "running">;
  /** Stops the active run after its current reels. `undefined` if there is none. */
  stop(): Promise<RetranscriptionRun | undefined>;
  /** The last run, active or not. */
  find(): Promise<RetranscriptionRun | undefined>;
  /**
   * Claims the next reel of the active run; no other worker gets it. `undefined` while anything waits in the queue, and if
   * there is none; then the run is done. A reel that crashed is claimed once more.
   */
  claim(worker: string, leaseSeconds: number, recognizer: RecognizerVersion, now: Date): Promise<Claim | undefined>;
  /** Returns a claim for later. False if the lease was lost. */
  giveBack(claim: Claim): Promise<boolean>;
}
