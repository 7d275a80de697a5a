import type { PlanName } from "@reelscript/contract";
import type { Decision } from "./moderation.ts";

export interface Account {
  readonly id: string;
  /** Empty when an identity provider names none. */
  readonly email: string;
  /** The name that the identity provider gives the person. */
  readonly name: string | null;
  readonly plan: PlanName;
  readonly createdAt: Date;
  /** Plans that the operator gave: the moment from which monthly periods are counted; `null` on Free. */
  readonly periodAnchor: Date | null;
  /** Plans that are paid for: from the last payment until the next one is due; `null` before the first payment. */
  readonly paidPeriod: { readonly start: Date; readonly end: Date } | null;
  /** When the operator suspended it; absent when it may be used. */
  readonly suspendedAt?: Date;
}

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** 1 to 5: the place among the account's keys; what is used is counted by it and outlives the key. */
  readonly slot: number;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  /** Updated at most once a minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** From this moment on it doesn't work; null when it never expires. */
  readonly expiresAt: Date | null;
  /** A read-only key may call only operations that read. */
  readonly readOnly: boolean;
  /** The address of a connected program, which fills a key's slot and uses tokens; `null` for a key. */
  readonly address: string | null;
}

export interface Accounts {
  /** The address is not unique: accounts are told apart by id. */
  create(account: { readonly email: string; readonly plan: PlanName; readonly now: Date }): Promise<Account>;
  find(accountId: string): Promise<Account | undefined>;
  /** Oldest first; at most `limit`, those that follow the account `after`. */
  list(page?: { readonly limit?: number | undefined; readonly after?: string | undefined }): Promise<Account[]>;
  /** Gives the account a plan, and writes an audit entry with it. `subscribed` when it pays for one, which then decides. */
  changePlan(accountId: string, plan: PlanName, decision: Decision): Promise<Account | "noAccount" | "subscribed">;
  /**
   * Deletes an account with all that is its own, in one step: keys, sessions, scripts, reports, bio page, use. Concurrent
   * writes for it are deleted too, or fail. A transcription under way continues for the shared cache, without an account. Its
   * handles are kept for `bioHandleLimits.keptDays`, and no account may have them. Only its lifetime use (with the units that
   * were held) is remembered, for 24 months, under a hash of its identity. False when there is no such account.
   */
  remove(accountId: string, now: Date): Promise<boolean>;
}

export interface Keys {
  /**
   * Takes the lowest free slot of 1 to 5 under a lock on the account: of any number of racers at most five win. Without a
   * free one it takes that of the key that expired first, which is revoked. `"full"` when five keys are live, `"noAccount"` when
   * there is no such account. With an address it is a program; one of the same name, address and access is the same one, and
   * lives on until `expiresAt` at least.
   */
  create(key: {
    readonly accountId: string;
    readonly name: string;
    /** SHA-256 of the key; the key itself is never stored. */
    readonly hash: Uint8Array;
    readonly lastFour: string;
    /** Never when left out. */
    readonly expiresAt?: Date | undefined;
    readonly readOnly?: boolean | undefined;
    readonly address?: string | undefined;
    readonly now: Date;
  }): Promise<ApiKey | "full" | "noAccount">;
  /** A key that is not revoked, and its account. Marks the key as used now, at most once a minute, unless it has expired. */
  use(hash: Uint8Array, now: Date): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>;
  /** Like `use`, for a program: takes the SHA-256 of its live access token, and also returns the token's audience and scopes. */
  useToken(
    hash: Uint8Array,
    now: Date,
  ): Promise<
    | {
        readonly key: ApiKey;
        readonly account: Account;
        readonly audience: string;
        readonly scopes: readonly string[];
      }
    | undefined
  >;
  /** Returns the keys that are live: neither revoked nor expired. */
  live(keyIds: readonly string[], now: Date): Promise<string[]>;
  /** Live, expired and revoked, oldest first. */
  list(accountId: string): Promise<ApiKey[]>;
  /** The renamed key. Undefined when the account has no such key, or it was revoked. */
  rename(accountId: string, keyId: string, name: string): Promise<ApiKey | undefined>;
  /** For the operator: revokes a key of any account, effective immediately. False when the key is missing or already revoked. */
  revoke(keyId: string, now: Date): Promise<boolean>;
  /** Like `revoke`, but only for this account's keys. */
  revokeOwn(accountId: string, keyId: string, now: Date): Promise<boolean>;
}

/** A call that was answered for a key; never what was in it. */
export interface KeyRequest {
  /** When it came. */
  readonly at: Date;
  /** The operation's id. */
  readonly operation: string;
  readonly door: "rest" | "mcp";
  /** HTTP status. */
  readonly status: number;
}

/** The last requests of each key. */
export interface KeyRequests {
  /**
   * Adds requests by the ids of their keys, and forgets all but the last `rememberedRequests` of each key, under any
   * concurrency. Does not wait for the disk. Keys that are not there any more are passed over.
   */
  add(requests: ReadonlyMap<string, readonly KeyRequest[]>): Promise<void>;
  /** Newest first. */
  list(keyId: string): Promise<KeyRequest[]>;
}

/** The slot of an account whose use is counted. The dashboard and the extension use slot 0. */
interface Subject {
  readonly accountId: string;
  readonly slot: number;
}

/** The quota that a caller has now. */
export interface Allowance {
  readonly subject: Subject;
  /** Names the period in which units are counted: `lifetime`, or the period's first moment. */
  readonly period: string;
  readonly limit: number;
  /** `null` when the allowance never resets. */
  readonly resetsAt: Date | null;
}

export interface UsedBySlot {
  readonly slot: number;
  /** Units charged in the period. */
  readonly used: number;
  /** Units charged, by the day in UTC on which they were held, `2026-11-01`. They may be fewer than `used`, never more. */
  readonly byDay: ReadonlyMap<string, number>;
  /** When the first and the last of these units were held; `null` without any. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

export interface Allowances {
  /** Units charged and units held in the period. */
  read(subject: Subject, period: string): Promise<{ readonly used: number; readonly held: number }>;
  /** Reads the use of each slot up to `lastSlot` in one snapshot; slots that never held a unit are left out. */
  bySlot(accountId: string, period: string, lastSlot: number): Promise<UsedBySlot[]>;
  /**
   * The period before this one in which one of the slots used something: of those that have a beginning the last, and
   * only without any of these the one that never resets.
   */
  periodBefore(accountId: string, period: string, lastSlot: number): Promise<string | undefined>;
  /**
   * When the period ended that a payment began at this moment: with the next payment for the same subscription, else when
   * that was over. The end may be ahead. Undefined when no payment began a period then.
   */
  endOfPaidPeriod(accountId: string, startsAt: Date): Promise<Date | undefined>;
}
