/**
 * What programs and people are in the middle of, and what programs hold: registrations, interactions, codes, grants, tokens.
 * Hashes are SHA-256 of what only its holder knows; what belongs to a program that was disconnected is not found any more.
 */
export interface OauthArtifacts {
  /**
   * Creates or replaces one. A refresh token makes its grant, its program and the registration of its program (`clientHash`)
   * last as long as itself. Of 10,000 registrations that nobody allowed, the oldest makes room for a new one.
   */
  save(artifact: {
    readonly kind: string;
    readonly hash: Uint8Array;
    /** The program that it belongs to. */
    readonly keyId: string | null;
    readonly grantHash: Uint8Array | null;
    readonly clientHash: Uint8Array | null;
    readonly payload: object;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<void>;
  /** A refresh token counts as consumed half a minute later, so that a program may use it for several calls at once. */
  find(
    kind: string,
    hash: Uint8Array,
    now: Date,
  ): Promise<{ readonly payload: object; readonly isConsumed: boolean; readonly expiresAt: Date } | undefined>;
  /** Of any number of racers one gets true; with a refresh token, all within its half minute. */
  consume(kind: string, hash: Uint8Array, now: Date): Promise<boolean>;
  remove(kind: string, hash: Uint8Array): Promise<void>;
  /** Ends a grant with all codes and tokens, and disconnects the program when it was its last. */
  revokeGrant(grantHash: Uint8Array, now: Date): Promise<void>;
}

/** The document in which a program says who it is; a few kilobytes, in seconds, and never from a private address. Throws otherwise. */
export type FetchDocument = (
  url: URL,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly cacheControl: string | undefined; readonly bytes: Uint8Array }>;
