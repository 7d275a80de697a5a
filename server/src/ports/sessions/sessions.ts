import type { Account } from "../accounts.ts";

/** A person signed in with one browser, or an extension that a person connected. */
export interface StoredSession {
  readonly id: string;
  readonly kind: "browser" | "extension";
  readonly accountId: string;
  readonly createdAt: Date;
  /** Written at most once a minute. */
  readonly lastUsedAt: Date;
  /** It ends then, whatever its use; earlier when it is not used for seven days, an extension's for ninety. */
  readonly expiresAt: Date;
  /** The User-Agent header, cut; `null` when there was none. */
  readonly browser: string | null;
}

/**
 * A session is live until it expires, is not used for seven days (an extension's for ninety), or is revoked. Hashes are SHA-256 of the cookie's value.
 * The value names its session, so that one that is not the session's any more ends it, however old it is; values from before
 * that are known by their hash alone.
 */
export interface Sessions {
  /** An account has 100 at most: the one that was not used for longest makes room. */
  create(session: {
    /** When the cookie's value names it; a new one otherwise. */
    readonly id?: string;
    /** `browser` when left out. */
    readonly kind?: StoredSession["kind"];
    readonly accountId: string;
    /** The value itself is never stored. */
    readonly hash: Uint8Array;
    readonly browser: string | null;
    /** What the identity provider wants back at sign-out, sealed. */
    readonly idToken: string | null;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<StoredSession>;
  /**
   * A live session and its account. Marks it as used now, at most once a minute.
   * A value that is a day old is due to be renewed: `renewed` says that `nextHash` was taken on and the browser must be
   * given its value. The value before ends a minute after the next one was first used. Whoever comes with it later, or with any
   * other value that names the session, took it from the browser or the browser's value was taken: the session ends for both.
   */
  use(use: {
    /** The session that the value names. */
    readonly id?: string | undefined;
    readonly hash: Uint8Array;
    /** Of a value for the session with this id. */
    readonly nextHash: Uint8Array | ((sessionId: string) => Uint8Array);
    readonly now: Date;
  }): Promise<{ readonly session: StoredSession; readonly account: Account; readonly renewed: boolean } | undefined>;
  /** A live session of an extension, by the SHA-256 of its token, and its account. Marks it as used now, at most once a minute. */
  useToken(
    hash: Uint8Array,
    now: Date,
  ): Promise<{ readonly session: StoredSession; readonly account: Account } | undefined>;
  /** Those of the sessions that are live. */
  live(sessionIds: readonly string[], now: Date): Promise<string[]>;
  /** The live ones, the last used first. */
  list(accountId: string, now: Date): Promise<StoredSession[]>;
  /** Takes effect at once. False when the account has no such live session. */
  revoke(accountId: string, sessionId: string, now: Date): Promise<boolean>;
  /** Ends all but one of the account's sessions and says how many were live. */
  revokeOthers(accountId: string, sessionId: string, now: Date): Promise<number>;
  /**
   * Ends the session that the value belongs to or names, live or not; what was stored for the identity provider comes back when
   * the value is the session's.
   */
  end(hash: Uint8Array, id?: string): Promise<{ readonly idToken: string | null } | undefined>;
}
