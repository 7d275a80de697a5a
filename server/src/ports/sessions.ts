import type { Account } from "./accounts.ts";

/** A person signed in with one browser. */
export interface StoredSession {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Date;
  /** Written at most once a minute. */
  readonly lastUsedAt: Date;
  /** It ends then, whatever its use; earlier when it is not used for seven days. */
  readonly expiresAt: Date;
  /** The User-Agent header, cut; `null` when there was none. */
  readonly browser: string | null;
}

/** A session is live until it expires, is not used for seven days, or is revoked. Hashes are SHA-256 of the cookie's value. */
export interface Sessions {
  create(session: {
    readonly accountId: string;
    /** The value itself is never stored. */
    readonly hash: Uint8Array;
    readonly browser: string | null;
    /** What the identity provider wants back at sign-out. */
    readonly idToken: string | null;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<StoredSession>;
  /**
   * A live session and its account. Marks it as used now, at most once a minute.
   * A value that is a day old is due to be renewed: `renewed` says that `nextHash` was taken on and the browser must be
   * given its value. The value before ends a minute after the next one was first used; whoever comes with it later took
   * it from the browser or the browser's value was taken, and the session ends for both.
   */
  use(use: {
    readonly hash: Uint8Array;
    readonly nextHash: Uint8Array;
    readonly now: Date;
  }): Promise<{ readonly session: StoredSession; readonly account: Account; readonly renewed: boolean } | undefined>;
  /** The live ones, the last used first. */
  list(accountId: string, now: Date): Promise<StoredSession[]>;
  /** Takes effect at once. False when the account has no such live session. */
  revoke(accountId: string, sessionId: string, now: Date): Promise<boolean>;
  /** Ends all but one of the account's sessions and says how many were live. */
  revokeOthers(accountId: string, sessionId: string, now: Date): Promise<number>;
  /** Ends the session that the value belongs to, live or not; what was stored for the identity provider comes back. */
  end(hash: Uint8Array): Promise<{ readonly idToken: string | null } | undefined>;
}
