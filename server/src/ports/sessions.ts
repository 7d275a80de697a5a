import type { Account } from "./accounts.ts";

/** A person signed in with one browser. */
export interface StoredSession {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Date;
  /** Written at most once a minute. */
  readonly lastUsedAt: Date;
  /** It ends then, whatever its use. */
  readonly expiresAt: Date;
  /** The User-Agent header, cut; `null` when there was none. */
  readonly browser: string | null;
}

export interface Sessions {
  create(session: {
    readonly accountId: string;
    /** SHA-256 of the cookie's value, which itself is never stored. */
    readonly hash: Uint8Array;
    readonly browser: string | null;
    /** What the identity provider wants back at sign-out. */
    readonly idToken: string | null;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<StoredSession>;
  /** A session that was neither revoked nor expired, and its account. Marks it as used now, at most once a minute. */
  use(hash: Uint8Array, now: Date): Promise<{ readonly session: StoredSession; readonly account: Account } | undefined>;
}
