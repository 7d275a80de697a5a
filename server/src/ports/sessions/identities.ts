import type { Account } from "../accounts.ts";

/** Who a person is to an identity provider; the subject is unique there, an email address need not be. */
interface IdentityName {
  readonly issuer: string;
  readonly subject: string;
}

export interface Identities {
  /**
   * The account of an identity. One that was never seen gets a new free account: of any number of racers one makes it.
   * An account that nobody has signed in to, because an operator made it, is found by an email that the provider has
   * verified, and is the identity's from then on; no other account is found by email. What the provider says of email and name replaces what it said before; what it
   * does not say stays. What the identity had used for good in an account that was removed is counted in the new one.
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
   * Gives an account its first identity, and counts there what that had used for good in one that was removed. False, and
   * nothing is changed, when either of them has the other already or another one.
   */
  link(identity: IdentityName & { readonly accountId: string; readonly now: Date }): Promise<boolean>;
}

/** What must be remembered between leaving for the identity provider and coming back. */
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
      /** SHA-256 of what the browser that began it holds in a cookie. */
      readonly browserHash: Uint8Array;
      readonly expiresAt: Date;
    },
  ): Promise<void>;
  /** The attempt, once and only for the browser that began it, until it expires. */
  take(stateHash: Uint8Array, browserHash: Uint8Array, now: Date): Promise<SignInAttempt | undefined>;
}
