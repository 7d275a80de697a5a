import type { Claim, RetranscriptionOutcome, TranscriptionOutcome, TranscriptionOrigin } from "./transcriptions.ts";

/** A recognizer as retranscriptions tell them apart. */
export interface RecognizerVersion {
  readonly model: string;
  readonly revision: number;
}

export type RetranscriptionStart =
  | { readonly kind: "noScript" }
  /** This recognizer, or a newer one, has heard the reel already. */
  | { readonly kind: "current" }
  | Extract<TranscriptionOutcome, { readonly kind: "inProgress" | "queueFull" | "accountQueueFull" }>
  /** Done, but the account was not answered yet. */
  | { readonly kind: "finished"; readonly transcriptionId: string; readonly outcome: RetranscriptionOutcome }
  | { readonly kind: "started"; readonly transcriptionId: string };

/** Selects the transcripts of one revision; `null` selects all that this recognizer may improve. */
interface RetranscriptionSelection {
  readonly revision: number | null;
}

/** Transcribes many reels again, one after another, when nothing fresh waits. */
export interface RetranscriptionRun extends RetranscriptionSelection {
  readonly id: number;
  readonly state: "running" | "stopped" | "done";
  /** How many there were at the start. */
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
   * Puts the reel of one of the account's scripts into the queue again. Answers in this order: noScript, inProgress (for
   * anybody), finished, current, queueFull. Of any number of racers for one reel exactly one starts.
   */
  request(request: RetranscriptionRequest): Promise<RetranscriptionStart>;
  /** Reads the outcome of a finished retranscription, and notes that its account has received it. */
  takeOutcome(transcriptionId: string): Promise<RetranscriptionOutcome | undefined>;
}

/** Runs that an operator starts, at most one at a time. */
export interface RetranscriptionRuns {
  /** How many transcripts a run would transcribe again. */
  count(selection: RetranscriptionSelection, recognizer: RecognizerVersion): Promise<number>;
  /** Starts a run, or continues the same one if it was stopped. `running` when there is one under way. */
  start(
    selection: RetranscriptionSelection,
    recognizer: RecognizerVersion,
    now: Date,
  ): Promise<RetranscriptionRun | "running">;
  /** Stops the run that is under way; what is in hand is finished. `undefined` when there is none. */
  stop(): Promise<RetranscriptionRun | undefined>;
  /** The last run, under way or not. */
  find(): Promise<RetranscriptionRun | undefined>;
  /**
   * The next reel of the run that is under way, claimed; each by one worker. `undefined` while anything waits in the queue, and
   * when there is none; then the run is done. One that crashed is claimed once more.
   */
  claim(worker: string, leaseSeconds: number, recognizer: RecognizerVersion, now: Date): Promise<Claim | undefined>;
  /** Leaves a claim to another time. False when the lease was lost. */
  giveBack(claim: Claim): Promise<boolean>;
}
