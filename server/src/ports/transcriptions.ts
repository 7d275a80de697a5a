import type { ServiceError } from "@reelscript/contract";
import type { Allowance } from "./accounts.ts";
import type { ListPosition } from "./library.ts";
import type { ReelAddress, ReelIdentity } from "./reels.ts";
import type { CachedTranscript, NewTranscript, OwnText, Passage, Segment, Transcript } from "./transcripts.ts";

/** A failure that the caller may see, as it is kept with a transcription. */
export interface Failure {
  readonly code: ServiceError["code"];
  readonly status: ServiceError["status"];
  readonly message: string;
  readonly reason?: ServiceError["reason"];
  readonly retryAfter?: ServiceError["retryAfter"];
}

/** The text recognized so far; it may still be refused as a whole, or start over with another attempt. */
export interface InterimText {
  /** The attempt that the passages belong to; a later one is higher. */
  readonly attempt: number;
  /** In spoken order. */
  readonly passages: readonly Passage[];
  /** The unchecked text that follows the passages. */
  readonly draft?: Passage;
}

/** A passage on its way to callers that follow. */
export interface NumberedPassage extends Passage {
  /** From 1, in its attempt; 0 is the draft, which takes the place of the last one and is over when its text is empty. */
  readonly number: number;
}

/** Whose turn or return a transcription waits for. */
export type AwaitedNeighbor = "platform" | "recognizer";

export type TranscriptionState =
  | {
      readonly state: "queued" | "running";
      /** 0 to 1. */
      readonly progress: number;
      /** It waits for its turn to ask the platform, or until what is named is back. */
      readonly waitingFor?: AwaitedNeighbor;
      /** Present while it runs, for callers that watch it. */
      readonly interim?: InterimText;
    }
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly failure: Failure };

/** A transcription as the account that asked for it may know it. */
export type StoredTranscription = RequestedReel &
  (
    | { readonly state: "queued"; /** 0 to 1. */ readonly progress: number; readonly waitingFor?: AwaitedNeighbor }
    | { readonly state: "running"; /** 0 to 1. */ readonly progress: number; readonly waitingFor?: AwaitedNeighbor }
    | {
        readonly state: "done";
        readonly finishedAt: Date;
        readonly transcript: Transcript;
        /** `null` when the account removed it. */
        readonly scriptId: string | null;
        /** Set only for a retranscription. */
        readonly outcome?: RetranscriptionOutcome;
      }
    | { readonly state: "failed"; readonly finishedAt: Date; readonly failure: Failure }
  );

/** A transcription in a list has no transcript. */
export type ListedTranscription =
  | Exclude<StoredTranscription, { readonly state: "done" }>
  | Omit<Extract<StoredTranscription, { readonly state: "done" }>, "transcript" | "outcome">;

interface RequestedReel {
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
  /** True if the transcription may be tried once more after a fault of ours. */
  readonly mayRetry: boolean;
  /** The number of times a worker gave it back because its machine or network failed. */
  readonly setbacks: number;
  /** The reel already has a transcript, which this may improve (`Retranscriptions`). */
  readonly retranscribes?: true;
  /** The account sent the media (`SentMedia`), so they aren't fetched. */
  readonly hasSentMedia?: true;
  /** A worker died while it had this, so it is transcribed with no other. */
  readonly crashed?: true;
  /** When what it needs was first away for it (`Transcriptions.postpone`). */
  readonly awaySince?: Date;
  /** The account that asked for it, unless it is gone. */
  readonly accountId?: string;
  readonly origin?: TranscriptionOrigin;
  /** The worker before let its lease run out. */
  readonly tookOver?: true;
}

/** Whether a unit is charged; `keys`: not of people in the dashboard. */
export type Charge = boolean | "keys";

export type TranscriptionOutcome =
  | { readonly kind: "cached"; readonly transcript: CachedTranscript }
  /** With its id when it is the account's own. */
  | { readonly kind: "inProgress"; readonly transcriptionId?: string | undefined }
  | { readonly kind: "limitReached" }
  /** The account has `queueLimitPerAccount` reels waiting. */
  | { readonly kind: "accountQueueFull" }
  | { readonly kind: "queueFull" }
  /** The reel was not recognized by this recognizer within the last day, or was taken down. */
  | { readonly kind: "refused"; readonly failure: Failure }
  /** With the units that are charged so far. */
  | { readonly kind: "started"; readonly transcriptionId: string; readonly used: number };

/** A span of a trace, by its ids in hexadecimal digits. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** The request for which a transcription was started, so that what operators see of the work leads back to it. */
export interface TranscriptionOrigin {
  readonly requestId: string;
  /** Only there when traces are collected. */
  readonly span?: SpanContext | undefined;
}

export interface TranscriptionRequest {
  readonly reel: ReelAddress;
  readonly languageHint: string | null;
  readonly allowance: Allowance;
  /** `refusalKey`: what one recognizer refused with a hint, another may hear, or the same one with another hint. */
  readonly model: string;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly now: Date;
  readonly origin?: TranscriptionOrigin | undefined;
}

export interface TranscriptBeginning {
  readonly handle: string | null;
  readonly language: string;
  /** The first 400 characters. */
  readonly text: string;
  /** At most 50. */
  readonly segments: readonly Segment[];
  /** Length of the sound. */
  readonly seconds: number;
}

/** The transcriptions that accounts asked for. */
export interface OwnTranscriptions {
  /** Only what this account asked for. */
  findOwn(accountId: string, transcriptionId: string): Promise<StoredTranscription | undefined>;
  /** Lists this account's transcriptions since a moment, newest first, filtered by state if one is given. */
  listOwn(
    accountId: string,
    filter: {
      readonly since: Date;
      readonly state: TranscriptionState["state"] | undefined;
      readonly limit: number;
      readonly after: ListPosition | undefined;
    },
  ): Promise<{ readonly transcriptions: readonly ListedTranscription[]; readonly next?: ListPosition }>;
  /**
   * The latest of this account for a reel that is queued or running, or that took longer than `seconds` and finished after
   * `since`, because the caller may not have its result yet.
   */
  findAwaited(
    reel: ReelIdentity,
    accountId: string,
    awaited: { readonly seconds: number; readonly since: Date },
  ): Promise<string | undefined>;
}

/** The queue as workers see it: what they claim, and what becomes of it. */
export interface Claims {
  /**
   * Claims one whose lease ran out and which has an attempt left, or the oldest of the account whose turn it is: the one with
   * the fewest running, then with the turn longest ago. One worker claims each. One that a worker had when it died goes only
   * to a worker that is `alone`, with nothing else to do (unless said otherwise); while that is next, others get nothing. Of
   * the platforms in `away` it claims only what was sent.
   */
  claim(
    worker: string,
    leaseSeconds: number,
    now: Date,
    options?: { readonly alone?: boolean; readonly away?: readonly string[] },
  ): Promise<Claim | undefined>;
  /**
   * False when the lease was lost. `passages` were recognized since; one that is given again is not kept twice. All are
   * forgotten when the attempt ends. `waitingFor` says that it waits for its turn to ask the platform.
   */
  extend(
    claim: Claim,
    progress: number,
    leaseSeconds: number,
    now: Date,
    passages?: readonly NumberedPassage[],
    waitingFor?: "platform",
  ): Promise<boolean>;
  /**
   * Stores the transcript, charges the hold (or gives it back when `charge` is false), and adds the script to the library of
   * the requesting account. A transcript that its hint decided, or of media that it sent, is the account's alone. False, and
   * nothing is written, when the lease was lost. A retranscription charges and adds nothing; its transcript replaces the old
   * one only when that loses nothing.
   */
  complete(claim: Claim, transcript: NewTranscript, charge: Charge, now: Date): Promise<boolean>;
  /**
   * Ends with a failure and gives the hold back. `refuse` remembers the failure for this reel and recognizer until then; a
   * retranscription isn't tried with it again. False when the lease was lost.
   */
  fail(
    claim: Claim,
    failure: Failure,
    options: {
      readonly now: Date;
      readonly refuse?: {
        /** `refusalKey`; of a retranscription `recognizerKey`. */ readonly model: string;
        readonly until: Date;
      };
    },
  ): Promise<boolean>;
  /**
   * Puts it back into the queue; `countAttempt` false when it was given up without fault, as at shutdown. The worker that
   * gives it back gets it again at `avoidUntil` at the earliest. Without fault and with `avoidUntil`, because the worker's
   * machine failed, costs nothing the first few times.
   */
  release(claim: Claim, countAttempt: boolean, avoidUntil?: Date): Promise<boolean>;
  /**
   * Puts it back into the queue without using a try, because what it needs has been away `since`: no worker gets it before
   * `until`. Callers see what it waits for. False when the lease was lost.
   */
  postpone(
    claim: Claim,
    waiting: { readonly until: Date; readonly since: Date; readonly waitingFor?: AwaitedNeighbor },
  ): Promise<boolean>;
  /**
   * Fails the reels that have been waiting for `platform` since `before` or longer, or without it those that wait for the
   * recognizer, and gives their holds back; at most 1,000 at a time.
   */
  endOverdue(
    failure: Failure,
    overdue: { readonly platform?: string | undefined; readonly before: Date; readonly now: Date },
  ): Promise<void>;
}

/** The shared cache, the queue with its leases, and the holds on allowances: what must change together or not at all. */
export interface Transcriptions extends OwnTranscriptions, Claims {
  /**
   * Returns a cached reel's text, and adds its script to the account's library (once; repeating the call changes nothing).
   * `own`: also looks for a transcript of the account's own if there is no shared one.
   */
  takeCached(
    reel: ReelIdentity,
    allowance: { readonly subject: Allowance["subject"]; readonly period: Allowance["period"] },
    now: Date,
    options?: { readonly isOwn?: boolean },
  ): Promise<CachedTranscript | undefined>;
  /** Reads the text of a cached reel, shared or this account's own, without changes. Throws `unauthorized` when the account is gone. */
  readText(reel: ReelIdentity, accountId: string): Promise<OwnText | undefined>;
  /**
   * Reads how a cached reel begins, for people without an account: lines that begin before `seconds`. Only what everybody may
   * have, so nothing of a reel that was taken down.
   */
  readBeginning(reel: ReelIdentity, seconds: number): Promise<TranscriptBeginning | undefined>;
  /** True if `takeCached` would find a transcript; nothing changes. */
  isCached(reel: ReelIdentity): Promise<boolean>;
  /**
   * Starts the one transcription of a reel: a row in the queue and a hold of one unit, in one transaction. Answers in this
   * order: cached, inProgress (queued or running for anybody), limitReached (charged + held = limit), refused,
   * accountQueueFull (`queueLimitPerAccount` wait), queueFull (`queueLimit` wait or run; for an account with none of its own
   * twice as many). Of any number of racers for one reel exactly one starts; of any number for the last unit exactly one
   * holds it; an account's limit is exact, that of the whole queue may be passed by those who start at the same moment.
   * Waits for nobody but starters of the same reel or account.
   */
  request(request: TranscriptionRequest): Promise<TranscriptionOutcome>;
  find(transcriptionId: string): Promise<TranscriptionState | undefined>;
  /** Fails what ran out of leases and attempts, and gives the holds back. Returns how many, and how many leases ran out. */
  reap(failure: Failure, now: Date): Promise<{ readonly failed: number; readonly expired: number }>;
  /** Ends every lease at once; only for the one process that owns an embedded database, at its start. */
  expireLeases(now: Date): Promise<void>;
  /** Queued and running. */
  queueLength(): Promise<number>;
}

/** `replaced`: the new text took the place of the old one. The others say why the old one was kept. */
export const retranscriptionOutcomes = ["replaced", "empty", "shorterAudio", "notFewerGaps", "fewerWords"] as const;
export type RetranscriptionOutcome = (typeof retranscriptionOutcomes)[number];
