import type { ServiceError } from "@reelscript/contract";
import type { Allowance } from "./allowances.ts";
import type { ReelAddress, ReelIdentity } from "./reels.ts";
import type { Transcript } from "./transcripts.ts";

/** A failure that the caller may see, as it is kept with a transcription. */
export type Failure = Pick<ServiceError, "code" | "status" | "message"> & { readonly retryAfter?: number | undefined };

export type TranscriptionState =
  | { readonly state: "queued" | "running"; /** 0 to 1. */ readonly progress: number }
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly failure: Failure };

/** A transcription as the account that asked for it may know it. */
export type StoredTranscription = Asked &
  (
    | { readonly state: "queued"; /** 0 to 1. */ readonly progress: number }
    | { readonly state: "running"; /** 0 to 1. */ readonly progress: number }
    | { readonly state: "done"; readonly finishedAt: Date; readonly transcript: Transcript }
    | { readonly state: "failed"; readonly finishedAt: Date; readonly failure: Failure }
  );

interface Asked {
  readonly id: string;
  readonly reelUrl: string;
  readonly queuedAt: Date;
}

/** A claimed transcription. `attempt` fences: a worker that lost its lease cannot write any more. */
export interface Claim {
  readonly transcriptionId: string;
  readonly attempt: number;
  readonly reel: ReelAddress;
  readonly languageHint: string | null;
  /** Whether the transcription may be tried once more if it ends by a fault of ours. */
  readonly mayRetry: boolean;
}

export type TranscriptionRequest =
  | { readonly kind: "cached"; readonly transcript: Transcript }
  /** With its id when it is the account's own. */
  | { readonly kind: "inProgress"; readonly transcriptionId?: string | undefined }
  | { readonly kind: "limitReached" }
  | { readonly kind: "queueFull" }
  /** The reel was not recognised by this model within the last day. */
  | { readonly kind: "refused"; readonly failure: Failure }
  | { readonly kind: "started"; readonly transcriptionId: string };

/** The shared cache, the queue with its leases, and the holds on allowances: what must change together or not at all. */
export interface Transcriptions {
  /**
   * The cached transcript, if there is one; it is put into the account's library (once; asking again moves nothing).
   */
  takeCached(reel: ReelIdentity, accountId: string, now: Date): Promise<Transcript | undefined>;
  /** Whether `takeCached` would find a transcript; nothing changes. */
  isCached(reel: ReelIdentity): Promise<boolean>;
  /**
   * Starts the one transcription of a reel: a row in the queue and a hold of one unit, in one transaction. Answers in this
   * order: cached, inProgress (queued or running for anybody), limitReached (charged + held = limit), refused, queueFull.
   * Of any number of racers for one reel exactly one starts; of any number for the last unit exactly one holds it.
   */
  request(request: {
    readonly reel: ReelAddress;
    readonly languageHint: string | null;
    readonly allowance: Allowance;
    readonly model: string;
    readonly queueLimit: number;
    readonly now: Date;
  }): Promise<TranscriptionRequest>;
  find(transcriptionId: string): Promise<TranscriptionState | undefined>;
  /** Only what this account asked for. */
  findOwn(accountId: string, transcriptionId: string): Promise<StoredTranscription | undefined>;
  /**
   * The oldest queued transcription, or one whose lease ran out and which has an attempt left; each is claimed by one worker.
   */
  claim(worker: string, leaseSeconds: number, now: Date): Promise<Claim | undefined>;
  /** False when the lease was lost. */
  extend(claim: Claim, progress: number, leaseSeconds: number, now: Date): Promise<boolean>;
  /**
   * Stores the transcript, charges the hold (or gives it back when `charge` is false), and adds the script to the library
   * of the account that asked. False, and nothing is written, when the lease was lost.
   */
  complete(claim: Claim, transcript: Transcript, charge: boolean, now: Date): Promise<boolean>;
  /**
   * Ends with a failure and gives the hold back. `refuseUntil` remembers the failure for this reel and model until then.
   * False when the lease was lost.
   */
  fail(
    claim: Claim,
    failure: Failure,
    options: { readonly now: Date; readonly refuse?: { readonly model: string; readonly until: Date } },
  ): Promise<boolean>;
  /** Puts it back into the queue; `countAttempt` false when it was given up without fault, as at shutdown. */
  release(claim: Claim, countAttempt: boolean, now: Date): Promise<boolean>;
  /** Fails what ran out of leases and attempts, and gives the holds back. Returns how many. */
  reap(failure: Failure, now: Date): Promise<number>;
  /** Ends every lease at once; only for the one process that owns an embedded database, at its start. */
  expireLeases(now: Date): Promise<void>;
  /** Queued and running. */
  queueLength(): Promise<number>;
}
