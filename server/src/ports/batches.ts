import type { ListPosition } from "./library.ts";
import type { ReelAddress, ReelIdentity } from "./reels.ts";
import type { Failure } from "./transcriptions.ts";
import type { Transcript } from "./transcripts.ts";

/** A link of a batch, before it is stored. */
export interface NewBatchLink {
  /** The link as it was sent. */
  readonly url: string;
  /** `null` for share links, whose reel only the platform knows, and for links that name none. */
  readonly reel: ReelAddress | null;
  /** The reason why it names no reel; `null` for all others. */
  readonly failure: Failure | null;
  /** The id of a file of the account's own, which is its `url` too; `null` for links. */
  readonly fileId: string | null;
}

/** The owner of the limits and the quota that a batch uses. */
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
  /** When the batch is checked next. */
  readonly nextAt: Date;
  readonly total: number;
  readonly waiting: number;
  /** Queued or running. */
  readonly underWay: number;
  readonly done: number;
  readonly failed: number;
  readonly canceled: number;
  /** Files among the waiting that haven't arrived. */
  readonly receiving: number;
  /** Failed and canceled links that may succeed when they are retried. */
  readonly retryable: number;
  /** Links that were transcribed for this batch and ended since `since`. */
  readonly transcribedLinks: number;
  /** Shares of the running links that are done, added up. */
  readonly runningShares: number;
  /** When it was sent or last retried. */
  readonly since: Date;
}

export interface StoredBatchLink {
  readonly url: string;
  readonly fileId: string | null;
  /** Title of the file; `null` for links, and when the file is forgotten. */
  readonly title: string | null;
  readonly reelUrl: string | null;
  readonly state: "waiting" | "queued" | "running" | "done" | "failed" | "canceled";
  /** 0 to 1; `null` if it isn't running. */
  readonly progress: number | null;
  readonly cached: boolean;
  readonly transcriptionId: string | null;
  readonly scriptId: string | null;
  /** How the script begins; `null` without one. */
  readonly beginning: Pick<Transcript, "text" | "segments"> | null;
  readonly failure: Failure | null;
}

/** An open batch whose next links may be started. */
export interface DueBatch {
  readonly id: string;
  readonly owner: BatchOwner;
  readonly languageHint: string | null;
  /** When it was sent or last retried: transcriptions that the account started since then may belong to the batch. */
  readonly since: Date;
  /** When it was due. */
  readonly nextAt: Date;
  /** Running links of all of the account's batches. */
  readonly underWay: number;
  /** The waiting links, in order; files begin by themselves. */
  readonly links: readonly WaitingLink[];
}

export interface WaitingLink {
  readonly position: number;
  readonly url: string;
  /** `null` for a share link whose reel isn't known. */
  readonly reel: ReelAddress | null;
  /** When the platform may be asked again; `null` before the first request. */
  readonly askAt: Date | null;
}

/** The result of trying a waiting link. */
export type BatchLinkOutcome =
  | { readonly kind: "begun"; readonly transcriptionId: string }
  /** The reel was already transcribed. */
  | { readonly kind: "cached" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** A share link of an open batch whose reel isn't known. */
export interface UnlocatedLink {
  readonly batchId: string;
  readonly position: number;
  readonly url: string;
  /** Number of failed looks. */
  readonly tries: number;
}

/** The platform's answer about a share link. */
export type LookOutcome =
  | { readonly kind: "failed"; readonly failure: Failure }
  /** The link keeps waiting, or is left out if the batch already has the reel. */
  | { readonly kind: "located"; readonly reel: ReelAddress }
  /** The platform didn't say which reel a share link leads to. */
  | { readonly kind: "notLocated"; readonly askAt: Date };

/** Links that an account sent together, and their progress. Any number of processes may work on them at a time. */
export interface Batches extends BatchWork {
  /**
   * The id of the new batch, or of an open one of the same owner with the same fingerprint: then nothing is stored. `undefined`
   * if the account has `mostOpenBatches` open ones, which holds under any concurrency. Throws `unauthorized` if the account is
   * gone.
   */
  create(batch: {
    readonly owner: BatchOwner;
    readonly languageHint: string | null;
    /** Identifies the links together with the hint. */
    readonly fingerprint: Uint8Array;
    readonly links: readonly NewBatchLink[];
    readonly duplicates: number;
    readonly nextAt: Date;
    readonly now: Date;
  }): Promise<{ readonly id: string; readonly isNew: boolean } | undefined>;
  /** The id of the open batch that `create` would return instead of a new one. */
  findOpen(owner: Pick<BatchOwner, "accountId" | "slot">, fingerprint: Uint8Array): Promise<string | undefined>;
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
  /**
   * Makes retryable links wait again, and changes nothing if there are none. `missing` if the account has no such batch; `full`
   * if this would open more than `mostOpenBatches`, which holds under any concurrency.
   */
  retry(accountId: string, id: string, now: Date): Promise<"retried" | "missing" | "full">;
  /**
   * Cancels waiting links and files, and queued links like `endCanceled`. Returns the ids of files that no other open batch of the
   * account has, for the caller to end. `undefined` if the account has no such batch.
   */
  cancel(accountId: string, id: string, failure: Failure, now: Date): Promise<readonly string[] | undefined>;
}

/** Starts the links of batches, and ends batches. */
export interface BatchWork {
  /** Records which links and files ended, and makes their batches due. */
  settle(now: Date): Promise<void>;
  /**
   * Finishes due batches without unfinished links, and notifies the account's webhooks in the same transaction. With an id only
   * that one.
   */
  finish(now: Date, id?: string): Promise<void>;
  /**
   * Open batches to check: one of each account, longest due first, and then the others. With an id only that one, even if it
   * isn't due.
   */
  due(most: number, now: Date, id?: string): Promise<readonly DueBatch[]>;
  /**
   * The transcription of a reel that the account requested since a moment, or any running one; `ownId` is `null` if it belongs
   * to another account.
   */
  findBegun(accountId: string, reel: ReelIdentity, since: Date): Promise<{ readonly ownId: string | null } | undefined>;
  /** Records the result of a link. False if it isn't waiting any more, because the batch was canceled. */
  note(id: string, position: number, outcome: BatchLinkOutcome): Promise<boolean>;
  /**
   * Ends transcriptions of a canceled batch, with the failure and without a charge: those that were started for batches and are
   * queued, if neither another open batch of the account nor a single call wants them. A worker finishes what it has claimed.
   */
  endCanceled(accountId: string, id: string, failure: Failure, now: Date): Promise<void>;
  /** At most 200 accounts, without those given, that have a share link to look at, longest due first. */
  accountsToLocate(without: readonly string[], now: Date): Promise<readonly string[]>;
  /** The account's next share link; `undefined` if there is none. Only one process at a time asks. */
  nextShareLink(accountId: string, now: Date): Promise<UnlocatedLink | undefined>;
  /** Records the result of a look at a share link, if it is still waiting. Makes its batch due. */
  noteLook(link: UnlocatedLink, outcome: LookOutcome, now: Date): Promise<void>;
  /** Looks at none of the account's share links until then. */
  pauseLocating(accountId: string, until: Date): Promise<void>;
  /** Fails all waiting links, but for files. */
  failWaiting(id: string, failure: Failure): Promise<void>;
  /**
   * Records when to check a batch again, and what it waits for. Changes nothing if the batch became due since it was checked,
   * for example because a link ended. A batch without unfinished links is due immediately, to be finished.
   */
  putOff(
    batch: { readonly id: string; readonly nextAt: Date },
    until: { readonly nextAt: Date; readonly waitingFor: BatchWait | null; readonly now: Date },
  ): Promise<void>;
}
