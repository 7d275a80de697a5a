import type { ServiceError } from "@reelscript/contract";
import type { Allowance } from "./accounts.ts";
import type { ListPosition } from "./library.ts";
import type { ReelAddress, ReelIdentity } from "./reels.ts";
import type { CachedTranscript, NewTranscript, OwnText, Passage, Segment, Transcript } from "./transcripts.ts";

/** A failure as it is stored with a transcription; the caller may see it. */
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
  /** From 1, within its attempt; 0 is the draft, which replaces the previous one and ends when its text is empty. */
  readonly number: number;
}

/** The dependency that a transcription waits for. */
export type AwaitedDependency = "platform" | "recognizer" | "storage";

export type TranscriptionState =
  | {
      readonly state: "queued" | "running";
      /** 0 to 1. */
      readonly progress: number;
      /** It waits for its turn at the platform, or until the named dependency is back, even if it was never tried. */
      readonly waitingFor?: AwaitedDependency;
      /** Present while it runs, for callers that watch it. */
      readonly interim?: InterimText;
    }
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly failure: Failure };

/** A transcription as its account may see it. */
export type StoredTranscription = RequestedReel &
  (
    | { readonly state: "queued"; /** 0 to 1. */ readonly progress: number; readonly waitingFor?: AwaitedDependency }
    | { readonly state: "running"; /** 0 to 1. */ readonly progress: number; readonly waitingFor?: AwaitedDependency }
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
  /** It writes the translation of a transcript that is there. */
  readonly translates?: true;
}

/** A claimed transcription. `attempt` fences: a worker that lost its lease can't write any more. */
export interface Claim {
  readonly transcriptionId: string;
  readonly attempt: number;
  readonly reel: ReelAddress;
  readonly languageHint: string | null;
  /** True if the transcription may be tried once more after a fault of ours. */
  readonly mayRetry: boolean;
  /** Number of times that a worker gave it back because its machine or network failed. */
  readonly setbacks: number;
  /** The reel already has a transcript, which this one may improve (`Retranscriptions`). */
  readonly retranscribes?: true;
  /** It writes the translation of a transcript (`Translations`), whose language is the hint. */
  readonly translates?: true;
  /** The account sent the media (`SentMedia`), so they aren't fetched. */
  readonly hasSentMedia?: true;
  /** A worker died while transcribing it, so nothing else is transcribed at the same time. */
  readonly crashed?: true;
  /** The dependency that it waited for until now, and since when (`Transcriptions.postpone`). */
  readonly away?: { readonly dependency: AwaitedDependency; readonly since: Date };
  /** The account that requested it, unless it was deleted. */
  readonly accountId?: string;
  readonly origin?: TranscriptionOrigin;
  /** The previous worker's lease expired. */
  readonly tookOver?: true;
}

/** Whether a unit is charged; `keys`: only if a key requested it, not for people in the dashboard. */
export type Charge = boolean | "keys";

export type TranscriptionOutcome =
  | { readonly kind: "cached"; readonly transcript: CachedTranscript }
  /** Includes its id if it belongs to the account. */
  | { readonly kind: "inProgress"; readonly transcriptionId?: string | undefined }
  | { readonly kind: "limitReached" }
  /** The account already has `queueLimitPerAccount` waiting reels. */
  | { readonly kind: "accountQueueFull" }
  | { readonly kind: "queueFull" }
  /** The reel was refused by this recognizer within the last day, or was taken down. */
  | { readonly kind: "refused"; readonly failure: Failure }
  /** Includes the number of charged units. */
  | { readonly kind: "started"; readonly transcriptionId: string; readonly used: number };

/** A span of a trace, by its ids in hexadecimal digits. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** The request that started a transcription, so that operators can trace the work back to it. */
export interface TranscriptionOrigin {
  readonly requestId: string;
  /** Present only if traces are collected. */
  readonly span?: SpanContext | undefined;
}

export interface TranscriptionRequest {
  readonly reel: ReelAddress;
  readonly languageHint: string | null;
  readonly allowance: Allowance;
  /** `refusalKey`: another recognizer may recognize what one refused, and so may the same one with another hint. */
  readonly model: string;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly now: Date;
  /** A batch requests it, so its account may cancel it with the batch, unless a single call requests it too. */
  readonly isBatched?: boolean;
  readonly origin?: TranscriptionOrigin | undefined;
}

export interface TranscriptBeginning {
  readonly handle: string | null;
  readonly language: string;
  /** The first 400 characters. */
  readonly text: string;
  /** At most 50. */
  readonly segments: readonly Segment[];
  /** Length of the audio. */
  readonly seconds: number;
}

/** The transcriptions that accounts asked for. */
export interface OwnTranscriptions {
  /** Mean seconds from request to result of the latest transcriptions of all accounts; `undefined` before the first. */
  usualSeconds(): Promise<number | undefined>;
  /** Only transcriptions of this account. */
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
   * The account's latest transcription of a reel that is queued or running, or that took longer than `seconds` and finished
   * after `since`, because the caller may not have its result yet.
   */
  findAwaited(
    reel: ReelIdentity,
    accountId: string,
    awaited: { readonly seconds: number; readonly since: Date },
  ): Promise<string | undefined>;
}

/** The queue as workers use it: claims and their outcomes. */
export interface Claims {
  /**
   * Claims a transcription whose lease expired and which has an attempt left, or the oldest one of the next account: the one
   * with the fewest running reels, and among these the one whose last turn is longest ago. Only one worker claims each. A reel
   * that a worker was transcribing when it died goes only to a worker that is `alone`, without other work (unless said
   * otherwise); while it is next, others get nothing. For platforms in `away` it claims only sent media. Without `files` it
   * claims neither files of an account's own nor translations.
   */
  claim(
    worker: string,
    leaseSeconds: number,
    now: Date,
    options?: { readonly alone?: boolean; readonly away?: readonly string[]; readonly files?: boolean },
  ): Promise<Claim | undefined>;
  /**
   * False if the lease was lost. `passages` are the new ones; repeated ones are stored once. All are deleted when the attempt
   * ends. `waitingFor` means that it waits for its turn at the platform.
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
   * Stores the transcript, charges the hold (or returns it if `charge` is false), and adds the script to the library of the
   * requesting account. A transcript that depends on its hint, or on sent media, belongs to the account alone. False, and
   * nothing is written, if the lease was lost. A retranscription charges and adds nothing; its transcript replaces the old one
   * only if that loses nothing. If its account asked for a translation and `isTranslatable`, that is queued.
   */
  complete(
    claim: Claim,
    transcript: NewTranscript,
    charge: Charge,
    now: Date,
    options?: {
      readonly isTranslatable?: boolean;
      /** Called with the id of the queued translation, as a rule before anybody claims it. */
      readonly onTranslation?: (transcriptionId: string) => void;
    },
  ): Promise<boolean>;
  /**
   * Ends with a failure and returns the hold. `refuse` remembers the failure for this reel and recognizer until then; a
   * retranscription isn't tried with that recognizer again. False if the lease was lost.
   */
  fail(
    claim: Claim,
    failure: Failure,
    options: {
      readonly now: Date;
      readonly refuse?: {
        /** `refusalKey`; for a retranscription `recognizerKey`. */ readonly model: string;
        readonly until: Date;
      };
    },
  ): Promise<boolean>;
  /**
   * Puts it back into the queue; `countAttempt` is false if it was given up without a fault, for example at shutdown. The
   * worker that gives it back can't claim it before `avoidUntil`. Without a fault and with `avoidUntil`, because the worker's
   * machine failed, it uses no attempt the first few times.
   */
  release(claim: Claim, countAttempt: boolean, avoidUntil?: Date): Promise<boolean>;
  /**
   * Puts it back into the queue without using an attempt, because a dependency has been down `since`: no worker gets it before
   * `until`. Callers see what it waits for. If `isShared`, so do callers of other queued reels that need the same dependency,
   * until a minute later or `noteAnswer`. False if the lease was lost.
   */
  postpone(
    claim: Claim,
    waiting: {
      readonly until: Date;
      readonly since: Date;
      readonly waitingFor: AwaitedDependency;
      readonly isShared: boolean;
    },
  ): Promise<boolean>;
  /** The dependency answered a worker, so nothing waits for it any more. */
  noteAnswer(dependency: AwaitedDependency, platform?: string): Promise<void>;
  /**
   * Fails the reels that have been waiting for the dependency since `before` or longer, if it is a platform for this one, and
   * returns their holds; at most 1,000 at a time.
   */
  endOverdue(
    failure: Failure,
    overdue: {
      readonly waitingFor: AwaitedDependency;
      readonly platform?: string | undefined;
      readonly before: Date;
      readonly now: Date;
    },
  ): Promise<void>;
}

/** The shared cache, the queue with its leases, and the holds of units, which must change together or not at all. */
export interface Transcriptions extends OwnTranscriptions, Claims {
  /**
   * Returns a cached reel's text, and adds its script to the account's library (repeating the call changes nothing). `own`: if
   * there is no shared transcript, also looks for one of the account's own.
   */
  takeCached(
    reel: ReelIdentity,
    allowance: { readonly subject: Allowance["subject"]; readonly period: Allowance["period"] },
    now: Date,
    options?: { readonly isOwn?: boolean },
  ): Promise<CachedTranscript | undefined>;
  /**
   * Reads the text of a cached reel, shared or this account's own, without changes. Throws `unauthorized` if the account is
   * gone.
   */
  readText(reel: ReelIdentity, accountId: string): Promise<OwnText | undefined>;
  /**
   * Reads the beginning of a cached reel's transcript for people without an account: lines that begin before `seconds`. Uses
   * only shared transcripts, so nothing of a reel that was taken down.
   */
  readBeginning(reel: ReelIdentity, seconds: number): Promise<TranscriptBeginning | undefined>;
  /** True if `takeCached` would find a transcript; nothing changes. */
  isCached(reel: ReelIdentity): Promise<boolean>;
  /**
   * Starts the one transcription of a reel: a row in the queue and a hold of one unit, in one transaction. Checks in this
   * order: cached, inProgress (queued or running for any account), limitReached (charged + held = limit), refused,
   * accountQueueFull (`queueLimitPerAccount` wait), queueFull (`queueLimit` wait or run; twice as many for an account without
   * any). Of any number of concurrent calls for one reel exactly one starts, and for the last unit exactly one holds it. An
   * account's limit is exact; that of the whole queue may be exceeded by simultaneous starts. Waits only for starts of the same
   * reel or account.
   */
  request(request: TranscriptionRequest): Promise<TranscriptionOutcome>;
  find(transcriptionId: string): Promise<TranscriptionState | undefined>;
  /**
   * Fails transcriptions without a lease or an attempt left, and returns their holds. Returns how many, and how many leases
   * expired.
   */
  reap(failure: Failure, now: Date): Promise<{ readonly failed: number; readonly expired: number }>;
  /** Ends every lease; only for the one process that owns an embedded database, at its start. */
  expireLeases(now: Date): Promise<void>;
  /** Queued and running. */
  queueLength(): Promise<number>;
}

/** `replaced`: the new text replaced the old one. The others say why the old one was kept. */
export const retranscriptionOutcomes = ["replaced", "empty", "shorterAudio", "notFewerGaps", "fewerWords"] as const;
export type RetranscriptionOutcome = (typeof retranscriptionOutcomes)[number];
