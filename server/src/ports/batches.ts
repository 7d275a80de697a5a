import type { ListPosition } from "./library.ts";
import type { ReelAddress, ReelIdentity } from "./reels.ts";
import type { Failure } from "./transcriptions.ts";

/** A link of a batch that is to be stored. */
export interface NewBatchLink {
  /** The link as it was sent. */
  readonly url: string;
  /** `null` for share links, whose reel only the platform knows, and for links that name none. */
  readonly reel: ReelAddress | null;
  /** Why it names no reel; `null` for all others. */
  readonly failure: Failure | null;
}

/** Whose limits and quota a batch counts against. */
export interface BatchOwner {
  readonly accountId: string;
  /** 1 to 5 for a key, 0 for people. */
  readonly slot: number;
  /** The key that sent it; `null` when a person did. */
  readonly keyId: string | null;
}

export type BatchWait = "rateLimit" | "quota" | "queue" | "platform";

export interface StoredBatch {
  readonly id: string;
  readonly createdAt: Date;
  /** `null` while it is open. */
  readonly finishedAt: Date | null;
  readonly duplicates: number;
  /** The reason why the next links wait; `null` when they only wait for earlier ones. */
  readonly waitingFor: BatchWait | null;
  /** When the batch is looked at next. */
  readonly nextAt: Date;
  readonly total: number;
  readonly waiting: number;
  /** Queued or running. */
  readonly underWay: number;
  readonly done: number;
  readonly failed: number;
  readonly canceled: number;
  /** Failed and canceled ones that may work when they are tried again. */
  readonly retryable: number;
  /** Those that were transcribed for this batch and ended since `since`. */
  readonly heard: number;
  /** When it was sent or last retried. */
  readonly since: Date;
}

export interface StoredBatchLink {
  readonly url: string;
  readonly reelUrl: string | null;
  readonly state: "waiting" | "queued" | "running" | "done" | "failed" | "canceled";
  /** 0 to 1; `null` when it isn't under way. */
  readonly progress: number | null;
  readonly cached: boolean;
  readonly transcriptionId: string | null;
  readonly scriptId: string | null;
  readonly failure: Failure | null;
}

/** An open batch whose next links may be begun. */
export interface DueBatch {
  readonly id: string;
  readonly owner: BatchOwner;
  readonly languageHint: string | null;
  /** When it was sent or last retried: what the account began since then may be the batch's own work. */
  readonly since: Date;
  /** When it was due. */
  readonly nextAt: Date;
  /** Links of all of the account's batches that are under way. */
  readonly underWay: number;
  /** Those that wait, in their order. */
  readonly links: readonly WaitingLink[];
}

export interface WaitingLink {
  readonly position: number;
  readonly url: string;
  /** `null` for a share link whose reel isn't known. */
  readonly reel: ReelAddress | null;
  /** How often the platform was asked in vain for the reel of a share link. */
  readonly tries: number;
  /** When it may be asked again; `null` before it was asked. */
  readonly askAt: Date | null;
}

/** The fate of a link that waited. */
export type BatchLinkOutcome =
  | { readonly kind: "begun"; readonly transcriptionId: string }
  /** It was transcribed before. */
  | { readonly kind: "cached" }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** The reel of a share link is known; it waits on, or is left out when the batch has the reel already. */
  | { readonly kind: "located"; readonly reel: ReelAddress }
  /** The platform didn't say which reel a share link leads to. */
  | { readonly kind: "notLocated"; readonly askAt: Date };

/** Links that an account sent together, and how far each is. Any number of processes may work on them at a time. */
export interface Batches extends BatchWork {
  /**
   * The id of the new batch, or of an open one of the same owner with the same fingerprint: then nothing is stored.
   * `undefined` when the account has `mostOpenBatches` open ones, which holds under any concurrency.
   * Throws `unauthorized` when the account is gone.
   */
  create(batch: {
    readonly owner: BatchOwner;
    readonly languageHint: string | null;
    /** Tells the links and the hint from others. */
    readonly fingerprint: Uint8Array;
    readonly links: readonly NewBatchLink[];
    readonly duplicates: number;
    readonly nextAt: Date;
    readonly now: Date;
  }): Promise<{ readonly id: string; readonly isNew: boolean } | undefined>;
  find(
    accountId: string,
    id: string,
  ): Promise<{ readonly batch: StoredBatch; readonly links: readonly StoredBatchLink[] } | undefined>;
  /** The account's batches since a moment, newest first. */
  list(
    accountId: string,
    filter: {
      readonly since: Date;
      /** All when left out. */
      readonly open: boolean | undefined;
      readonly limit: number;
      readonly after: ListPosition | undefined;
    },
  ): Promise<{ readonly batches: readonly StoredBatch[]; readonly next?: ListPosition }>;
  /** Which of the reels `Transcriptions.takeCached` would find now, in their order. */
  areCached(reels: readonly ReelIdentity[], accountId: string, isOwn: boolean): Promise<readonly boolean[]>;
  /** Lets retryable links wait again. False when the account has no such batch. */
  retry(accountId: string, id: string, now: Date): Promise<boolean>;
  /** Links that wait are canceled. False when the account has no such batch. */
  cancel(accountId: string, id: string, now: Date): Promise<boolean>;
}

/** Beginning the links of batches, and ending batches. */
export interface BatchWork {
  /** Writes down which links ended, and makes their batches due. */
  settle(now: Date): Promise<void>;
  /** Finishes due batches without unfinished links, and notifies the account's webhooks in the same transaction. */
  finish(now: Date): Promise<void>;
  /** Open batches to look at, the one longest due first. With an id only that one, due or not. */
  due(most: number, now: Date, id?: string): Promise<readonly DueBatch[]>;
  /**
   * The transcription of a reel that the account requested since a moment, or any that is under way; `ownId` is `null` when
   * it is somebody else's.
   */
  findBegun(accountId: string, reel: ReelIdentity, since: Date): Promise<{ readonly ownId: string | null } | undefined>;
  /** Notes what became of a link, if it still waits. */
  note(id: string, position: number, outcome: BatchLinkOutcome): Promise<void>;
  /** Fails all links that wait. */
  failWaiting(id: string, failure: Failure): Promise<void>;
  /**
   * Says when to look at a batch again, and what it waits for. Changes nothing when it became due since it was looked at,
   * as by a link that ended. One without unfinished links is due now, to be finished.
   */
  putOff(
    batch: { readonly id: string; readonly nextAt: Date },
    until: { readonly nextAt: Date; readonly waitingFor: BatchWait | null; readonly now: Date },
  ): Promise<void>;
}
