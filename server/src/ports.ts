import type { PlanName, Reel, ServiceError } from "@reelscript/contract";

/** All time comes from here, so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** Makes a public id such as `acc_7Hq2…`: the prefix, an underscore, 16 random base62 characters. */
export type NewId = (prefix: "acc" | "key" | "scr" | "trn") => string;

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanName;
  readonly createdAt: Date;
  /** Paid plans: the moment from which monthly periods are counted; `null` on Free. */
  readonly periodAnchor: Date | null;
}

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** 1 to 5: the place among the account's keys; what is used is counted by it and outlives the key. */
  readonly slot: number;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  /** Written at most once a minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface Accounts {
  /** The address is not unique: accounts are told apart by id. */
  create(account: { readonly email: string; readonly plan: PlanName; readonly now: Date }): Promise<Account>;
  find(accountId: string): Promise<Account | undefined>;
  /** Oldest first. */
  list(): Promise<Account[]>;
}

export interface Keys {
  /**
   * Takes the lowest free slot of 1 to 5 under a lock on the account: of any number of racers at most five win.
   * `"full"` when five keys are live, `"noAccount"` when there is no such account.
   */
  create(key: {
    readonly accountId: string;
    readonly name: string;
    /** SHA-256 of the key; the key itself is never stored. */
    readonly hash: Uint8Array;
    readonly lastFour: string;
    readonly now: Date;
  }): Promise<ApiKey | "full" | "noAccount">;
  /** A live key and its account. Marks the key as used now, at most once a minute. */
  use(hash: Uint8Array, now: Date): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>;
  /** Live and revoked, oldest first. */
  list(accountId: string): Promise<ApiKey[]>;
  /** Takes effect at once. False when there is no such live key. */
  revoke(keyId: string, now: Date): Promise<boolean>;
}

export interface RateBucket {
  readonly name: "default" | "transcribe" | "bioWrite" | "address";
  /** Calls in any rolling hour. */
  readonly limit: number;
}

export interface RateState {
  readonly bucket: RateBucket;
  readonly remaining: number;
  /** Seconds until one more call is free again (0 when one is free now and nothing is used). */
  readonly resetSeconds: number;
}

export interface RateLimits {
  /**
   * Counts one call against every bucket, or against none when one of them is full: one statement, exact in any rolling
   * hour under any concurrency. `taken` says which; the states follow the order of `buckets`.
   * `subject` is whose calls are counted: a key's id or `address:…`.
   */
  take(
    subject: string,
    buckets: readonly RateBucket[],
    now: Date,
  ): Promise<{ readonly taken: boolean; readonly states: readonly RateState[] }>;
  /** The same states without counting. */
  peek(subject: string, buckets: readonly RateBucket[], now: Date): Promise<readonly RateState[]>;
}

/** Whose use is counted: a slot of an account. Slot 0 is the dashboard's and the extension's. */
interface Subject {
  readonly accountId: string;
  readonly slot: number;
}

/** What a caller may use now. */
export interface Allowance {
  readonly subject: Subject;
  /** Names the period in which units are counted: `lifetime`, or the period's first moment. */
  readonly period: string;
  readonly limit: number;
  /** `null` when the allowance never resets. */
  readonly resetsAt: Date | null;
}

export interface Allowances {
  /** Units charged and units held in the period. */
  read(subject: Subject, period: string): Promise<{ readonly used: number; readonly held: number }>;
}

/** A reel, whatever the shape of its URL was. */
export interface ReelAddress {
  readonly platform: string;
  readonly mediaId: string;
  readonly shortcode: string;
  /** Canonical. */
  readonly url: string;
}

export type ReelIdentity = Pick<ReelAddress, "platform" | "mediaId">;

/** What a source knows about a reel at the moment of asking. */
export type ReelDetails = Omit<Reel, "resolvedAt">;

export interface Segment {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What the transcriber made of a reel's sound. */
interface Speech {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Primary subtag; `und` when nothing is said. */
  readonly language: string;
  readonly languageProbability: number | null;
  readonly seconds: number;
  readonly speechSeconds: number;
  /** Whether audio was left over after the longest length that is transcribed. */
  readonly truncated: boolean;
  readonly model: string;
}

/** A row of the shared cache. */
export interface Transcript extends Speech {
  readonly reel: ReelDetails;
  readonly createdAt: Date;
}

/** A failure that the caller may see, as it is kept with a transcription. */
export type Failure = Pick<ServiceError, "code" | "status" | "message">;

export type TranscriptionState =
  | { readonly state: "queued" | "running"; /** 0 to 1. */ readonly progress: number }
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly failure: Failure };

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
  | { readonly kind: "inProgress" }
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

export interface ScriptRow {
  readonly id: string;
  readonly transcript: Transcript;
  readonly addedAt: Date;
}

export interface Scripts {
  /**
   * The account's scripts that match all words of `query` (a quoted phrase as a phrase, the last word as a prefix) and the
   * handle, sorted with a stable tie-breaker; unknown views and rates come last. `total` counts all matches.
   */
  search(
    accountId: string,
    search: {
      readonly query?: string | undefined;
      /** Handle, compared without case and without a leading @. */
      readonly handle?: string | undefined;
      readonly sort: "views" | "engagement" | "date";
      readonly limit: number;
    },
  ): Promise<{ readonly scripts: ScriptRow[]; readonly total: number }>;
}

/** Everything that is kept. Implementations: PGlite embedded, PostgreSQL. One conformance suite holds for both. */
export interface Store {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly rateLimits: RateLimits;
  readonly allowances: Allowances;
  readonly transcriptions: Transcriptions;
  readonly scripts: Scripts;
  /**
   * Calls back soon after a transcription was queued or finished, in any process where the engine can tell. A call may be
   * missed or come late: correctness never depends on it. Returns the function that ends it.
   */
  subscribe(topic: "queued" | "finished", listener: () => void): () => void;
  /** Cheap; throws when the database is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Finds out which reel a URL names. */
export interface ReelLocator {
  /**
   * Every shape of a reel's URL gives the same address. Only share links cost a request.
   * Throws `ServiceError`: `invalidRequest` when it names no reel, `notFound`, `upstreamError`.
   */
  locate(url: string, signal: AbortSignal): Promise<ReelAddress>;
}

/**
 * Gets public reels from a platform. Throws `ServiceError`: `notFound` (private, deleted, age-gated), `upstreamError`
 * (walled, changed, unreachable), `invalidRequest` 422 (no video, over the size limit).
 */
export interface ReelSource {
  resolve(reel: ReelAddress, signal: AbortSignal): Promise<ReelDetails>;
  /** Writes the media into `file`, which the caller made and removes, and returns the details read on the way. */
  fetch(reel: ReelAddress, file: string, signal: AbortSignal): Promise<ReelDetails>;
}

/**
 * Media file in, text out. Throws `SpeechNotRecognised`, or `ServiceError`: `invalidRequest` 422 (this media can never be
 * transcribed here), `internalError` (a crash or overrun of ours; may be tried again), `unavailable`.
 */
export interface Transcriber {
  readonly model: string;
  transcribe(
    file: string,
    options: {
      readonly language: string | null;
      readonly signal: AbortSignal;
      readonly onProgress: (done: number) => void;
    },
  ): Promise<Speech>;
}
