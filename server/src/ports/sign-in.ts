import type { PlanName } from "@reelscript/contract";
import type { Account } from "./accounts.ts";
import type { Decision } from "./moderation.ts";

/** A person's identity at a provider, where the subject is unique; an email address need not be. */
interface IdentityName {
  readonly issuer: string;
  readonly subject: string;
}

export interface Identities {
  /**
   * The account of an identity. An unknown identity gets a new free account, created by one of any number of concurrent calls.
   * An account that an operator created and nobody has signed in to is found by an email address that the provider has
   * verified, and then belongs to the identity; no other account is found by email. The provider's email and name replace
   * earlier ones; values that it omits stay. The lifetime use of an identity's removed account is added to the new one.
   */
  signIn(
    identity: IdentityName & {
      readonly email: string | null;
      readonly isEmailVerified?: boolean;
      readonly name: string | null;
      readonly now: Date;
    },
  ): Promise<Account>;
  /**
   * Gives an account its first identity, and adds the lifetime use of that identity's removed account. False, without a change,
   * if either is already linked, to the other or to anything else.
   */
  link(identity: IdentityName & { readonly accountId: string; readonly now: Date }): Promise<boolean>;
}

/** State kept between the redirect to the identity provider and the return. */
interface SignInAttempt {
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
}

export interface SignInAttempts {
  create(
    attempt: SignInAttempt & {
      /** SHA-256 of what the provider sends back. */
      readonly stateHash: Uint8Array;
      /** SHA-256 of the cookie of the browser that started it. */
      readonly browserHash: Uint8Array;
      readonly expiresAt: Date;
    },
  ): Promise<void>;
  /** Returns the attempt until it is taken or expires. */
  find(stateHash: Uint8Array, now: Date): Promise<SignInAttempt | undefined>;
  /** Returns the attempt, once and only to the browser that started it, until it expires. */
  take(stateHash: Uint8Array, browserHash: Uint8Array, now: Date): Promise<SignInAttempt | undefined>;
}

/** The password with which a person signs in to an account. */
export interface AccountPassword {
  readonly accountId: string;
  /** The address with which the person signs in, in small letters. */
  readonly email: string;
  /** The form that `password-hash.ts` writes. */
  readonly hash: string;
}

/** A link with which a person sets the password of an account. */
export interface Invitation {
  readonly account: Account;
  /** The address with which the person will sign in, in small letters. */
  readonly email: string;
  /** True if the account has a password, which the new one will replace. */
  readonly isReset: boolean;
  readonly expiresAt: Date;
}

/** Passwords of accounts, and invitations to set them. Addresses are compared in small letters. */
export interface Passwords {
  findByEmail(email: string): Promise<AccountPassword | undefined>;
  findByAccount(accountId: string): Promise<AccountPassword | undefined>;
  /** True if anybody has a password. */
  exist(): Promise<boolean>;
  /**
   * Replaces a password, ends the account's other sessions, and withdraws its invitations. False, without a change, if `former`
   * isn't the stored hash any more.
   */
  change(change: {
    readonly accountId: string;
    readonly former: string;
    readonly hash: string;
    readonly sessionId: string;
    readonly now: Date;
  }): Promise<boolean>;
  /**
   * Stores an invitation for the account with this address, and an audit entry. An address that nobody signs in with gets an
   * account: one that an operator created and nobody has signed in to, or a new one on `plan`. Of an account's invitations the
   * last five are kept.
   */
  invite(
    invitation: Decision & {
      readonly email: string;
      readonly plan: PlanName;
      /** SHA-256 of the link's token. */
      readonly tokenHash: Uint8Array;
      readonly expiresAt: Date;
    },
  ): Promise<Invitation>;
  /** An invitation that isn't used up, until it expires. */
  findInvitation(tokenHash: Uint8Array, now: Date): Promise<Invitation | undefined>;
  /**
   * Sets the password of the invited account, ends all its sessions, and uses up its invitations. `undefined`, without a change,
   * if the invitation was used up or has expired. One of any number of concurrent calls succeeds.
   */
  accept(acceptance: {
    readonly tokenHash: Uint8Array;
    readonly hash: string;
    readonly now: Date;
  }): Promise<AccountPassword | undefined>;
}

/** A person signed in with one browser, or an extension that a person connected. */
export interface StoredSession {
  readonly id: string;
  readonly kind: "browser" | "extension";
  readonly accountId: string;
  readonly createdAt: Date;
  /** Updated at most once a minute. */
  readonly lastUsedAt: Date;
  /** The session ends at this time at the latest; earlier if it is not used for seven days, or an extension's for ninety. */
  readonly expiresAt: Date;
  /** The User-Agent header, cut; `null` when there was none. */
  readonly browser: string | null;
}

/**
 * A session is live until it expires, is not used for seven days (an extension's for ninety), or is revoked. Hashes are SHA-256
 * of the cookie's value. The value names its session, so an outdated value ends it, however old; values from before that are
 * found only by their hash.
 */
export interface Sessions {
  /** An account has at most 100: the least recently used one is removed. */
  create(session: {
    /** When the cookie's value names it; a new one otherwise. */
    readonly id?: string;
    /** `browser` when left out. */
    readonly kind?: StoredSession["kind"];
    readonly accountId: string;
    /** The value itself is never stored. */
    readonly hash: Uint8Array;
    readonly browser: string | null;
    /** The sealed ID token, which the identity provider wants back at sign-out. */
    readonly idToken: string | null;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<StoredSession>;
  /**
   * A live session and its account. Marks it as used now, at most once a minute. A value that is a day old is due for renewal:
   * `renewed` means that `nextHash` was accepted and the browser must get its value. The previous value expires a minute after
   * the next one was first used. If somebody uses it later, or any other value that names the session, one of the two was
   * stolen, so the session ends for both.
   */
  use(use: {
    /** The session that the value names. */
    readonly id?: string | undefined;
    readonly hash: Uint8Array;
    /** The hash of the next value, or a function that returns the hash of the next value for this session. */
    readonly nextHash: Uint8Array | ((sessionId: string) => Uint8Array);
    readonly now: Date;
  }): Promise<{ readonly session: StoredSession; readonly account: Account; readonly renewed: boolean } | undefined>;
  /** A live session of an extension, by the SHA-256 of its token, and its account. Marks it as used now, at most once a minute. */
  useToken(
    hash: Uint8Array,
    now: Date,
  ): Promise<{ readonly session: StoredSession; readonly account: Account } | undefined>;
  /** Filters out sessions that are not live. */
  live(sessionIds: readonly string[], now: Date): Promise<string[]>;
  /** The live ones, the last used first. */
  list(accountId: string, now: Date): Promise<StoredSession[]>;
  /** Takes effect immediately. False if the account has no such live session. */
  revoke(accountId: string, sessionId: string, now: Date): Promise<boolean>;
  /** Ends all but one of the account's sessions and returns how many were live. */
  revokeOthers(accountId: string, sessionId: string, now: Date): Promise<number>;
  /**
   * Ends the session that the value belongs to or names, live or not; returns what was stored for the identity provider if the
   * value is current.
   */
  end(hash: Uint8Array, id?: string): Promise<{ readonly idToken: string | null } | undefined>;
}

/** One-time codes with which extensions fetch their tokens. Hashes are SHA-256. */
export interface ExtensionCodes {
  create(code: {
    readonly codeHash: Uint8Array;
    readonly accountId: string;
    /** The session in which it was approved; the code ends with that session. */
    readonly sessionId: string;
    /** The hash of the verifier that the extension keeps. */
    readonly challenge: Uint8Array;
    readonly expiresAt: Date;
  }): Promise<void>;
  /**
   * Ends the code and returns its account; `undefined` if there is none, it expired, or the verifier is wrong. One of any
   * number of concurrent calls gets it.
   */
  take(codeHash: Uint8Array, verifierHash: Uint8Array, now: Date): Promise<Account | undefined>;
}

/**
 * Interactions in progress, and the codes, grants and tokens of programs. Hashes are SHA-256 of secrets that only their
 * holders know. Artifacts of a disconnected program are not found.
 */
export interface OauthArtifacts {
  /** Creates or replaces one. A refresh token extends the life of its grant and its program to its own. */
  save(artifact: {
    readonly kind: string;
    readonly hash: Uint8Array;
    /** The program that it belongs to. */
    readonly keyId: string | null;
    readonly grantHash: Uint8Array | null;
    readonly payload: object;
    readonly expiresAt: Date;
  }): Promise<void>;
  /** A refresh token counts as consumed half a minute later, so that a program may use it for several calls at once. */
  find(
    kind: string,
    hash: Uint8Array,
    now: Date,
  ): Promise<{ readonly payload: object; readonly isConsumed: boolean; readonly expiresAt: Date } | undefined>;
  /** True for exactly one of any number of concurrent calls; for a refresh token, true for all within half a minute. */
  consume(kind: string, hash: Uint8Array, now: Date): Promise<boolean>;
  remove(kind: string, hash: Uint8Array): Promise<void>;
  /** True when the account connected the program with this client id and hasn't disconnected it. */
  isAllowed(accountId: string, clientId: string, now: Date): Promise<boolean>;
  /** Ends a grant with all codes and tokens, and disconnects the program if that was its last grant. */
  revokeGrant(grantHash: Uint8Array, now: Date): Promise<void>;
}

/** The metadata document of a program; a few kilobytes, in seconds, and never from a private address. Throws otherwise. */
export type FetchDocument = (
  url: URL,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly cacheControl: string | undefined; readonly bytes: Uint8Array }>;
