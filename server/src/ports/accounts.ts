import type { PlanName } from "@reelscript/contract";
import type { Decision } from "./moderation.ts";

export interface Account {
  readonly id: string;
  /** Empty if the identity provider gives none. */
  readonly email: string;
  /** The name that the identity provider gives the person. */
  readonly name: string | null;
  readonly plan: PlanName;
  readonly createdAt: Date;
  /** For plans set by the operator: the start from which monthly periods are counted; `null` on Free. */
  readonly periodAnchor: Date | null;
  /** For paid plans: from the last payment until the next one is due; `null` before the first payment. */
  readonly paidPeriod: { readonly start: Date; readonly end: Date } | null;
  /** When the operator suspended it; absent for an active account. */
  readonly suspendedAt?: Date;
}

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** 1 to 5: the key's slot in the account. Use is counted per slot and outlives the key. */
  readonly slot: number;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  /** Updated at most once a minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key stops working at this time; null if it never expires. */
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
  /**
   * Oldest first; at most `limit`, those that follow the account `after`. With `search`, those whose email address begins with
   * it, in any case, by address; or the account with that id.
   */
  list(page?: {
    readonly limit?: number | undefined;
    readonly after?: string | undefined;
    readonly search?: string | undefined;
  }): Promise<Account[]>;
  /** Sets the account's plan, and writes an audit entry. `subscribed` if it pays for one, which then takes precedence. */
  changePlan(accountId: string, plan: PlanName, decision: Decision): Promise<Account | "noAccount" | "subscribed">;
  /**
   * Deletes an account with all its data, in one step: keys, sessions, scripts, reports, bio page, use. Concurrent writes for
   * it are deleted too, or fail. A running transcription continues for the shared cache, without an account. Its handles stay
   * reserved for `bioHandleLimits.keptDays`, for no account. Only its lifetime use (including held units) is kept, for 24
   * months, under a hash of its identity. False if there is no such account.
   */
  remove(accountId: string, now: Date): Promise<boolean>;
}

export interface Keys {
  /**
   * Takes the lowest free slot of 1 to 5 under a lock on the account, so at most five of any number of concurrent calls
   * succeed. Without a free slot it takes that of the key that expired first, which is revoked. `"full"` if five keys are
   * active, `"noAccount"` if there is no such account. With an address it is a program; a program with the same name, address
   * and access is the same one, and lives at least until `expiresAt`.
   */
  create(key: {
    readonly accountId: string;
    readonly name: string;
    /** SHA-256 of the key; the key itself is never stored. */
    readonly hash: Uint8Array;
    readonly lastFour: string;
    /** Never expires if left out. */
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
  /** Filters out keys that are revoked or expired. */
  live(keyIds: readonly string[], now: Date): Promise<string[]>;
  /** Active, expired and revoked keys, oldest first. */
  list(accountId: string): Promise<ApiKey[]>;
  /** Returns the renamed key; undefined if the account has no such key, or it was revoked. */
  rename(accountId: string, keyId: string, name: string): Promise<ApiKey | undefined>;
  /** For the operator: revokes a key of any account, effective immediately. False when the key is missing or already revoked. */
  revoke(keyId: string, now: Date): Promise<boolean>;
  /** Like `revoke`, but only for this account's keys. */
  revokeOwn(accountId: string, keyId: string, now: Date): Promise<boolean>;
}

/** An answered call of a key, without its contents. */
export interface KeyRequest {
  /** When the call arrived. */
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
   * Adds requests by the ids of their keys, and deletes all but the last `rememberedRequests` of each key, under any
   * concurrency. Does not wait for the disk. Skips keys that no longer exist.
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

/** A caller's current quota. */
export interface Allowance {
  readonly subject: Subject;
  /** Identifies the period in which units are counted: `lifetime`, or the period's first moment. */
  readonly period: string;
  readonly limit: number;
  /** `null` if the quota never resets. */
  readonly resetsAt: Date | null;
}

export interface UsedBySlot {
  readonly slot: number;
  /** Units charged in the period. */
  readonly used: number;
  /** Units charged, by the day in UTC on which they were held, `2026-11-01`. They may be fewer than `used`, never more. */
  readonly byDay: ReadonlyMap<string, number>;
  /** When the first and the last of these units were held; `null` if there are none. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

export interface Allowances {
  /** Units charged and units held in the period. */
  read(subject: Subject, period: string): Promise<{ readonly used: number; readonly held: number }>;
  /** Units charged and held in the period of each account, by slots up to `lastSlot`; slots that never held a unit are left out. */
  ofAccounts(
    periods: readonly { readonly accountId: string; readonly period: string }[],
    lastSlot: number,
  ): Promise<(Subject & { readonly used: number; readonly held: number })[]>;
  /** Reads the use of each slot up to `lastSlot` in one snapshot; slots that never held a unit are left out. */
  bySlot(accountId: string, period: string, lastSlot: number): Promise<UsedBySlot[]>;
  /**
   * The last period before this one in which one of the slots was used; the lifetime period, which has no beginning, only if
   * there is no other.
   */
  periodBefore(accountId: string, period: string, lastSlot: number): Promise<string | undefined>;
  /**
   * The end of the period that a payment began at this moment: the next payment for the same subscription, or else the
   * subscription's end. It may be in the future. Undefined if no payment began a period then.
   */
  endOfPaidPeriod(accountId: string, startsAt: Date): Promise<Date | undefined>;
}
