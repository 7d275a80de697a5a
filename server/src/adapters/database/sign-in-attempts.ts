import type { Pool } from "pg";
import type { SignInAttempts } from "../../ports.ts";
import { rowsOf, type Statement } from "./statement.ts";

const createAttempt: Statement = {
  name: "create-sign-in-attempt",
  text: `
    insert into sign_in_attempt (state_hash, browser_hash, verifier, nonce, return_to, expires_at)
    values ($1, $2, $3, $4, $5, $6)`,
};

const takeAttempt: Statement = {
  name: "take-sign-in-attempt",
  text: `
    delete from sign_in_attempt where state_hash = $1 and browser_hash = $2 and expires_at > $3
    returning verifier, nonce, return_to as "returnTo"`,
};

const forgetAttempts: Statement = {
  name: "forget-sign-in-attempts",
  text: "delete from sign_in_attempt where expires_at <= $1",
};

export interface KeptSignInAttempts extends SignInAttempts {
  /** Removes those that expired. */
  readonly forget: (now: Date) => Promise<void>;
}

export const createSignInAttempts = (pool: Pool): KeptSignInAttempts => ({
  async create({ stateHash, browserHash, verifier, nonce, returnTo, expiresAt }) {
    await rowsOf(pool, createAttempt, [stateHash, browserHash, verifier, nonce, returnTo, expiresAt]);
  },
  async take(stateHash, browserHash, now) {
    const [attempt] = await rowsOf<{ verifier: string; nonce: string; returnTo: string }>(pool, takeAttempt, [
      stateHash,
      browserHash,
      now,
    ]);
    return attempt;
  },
  async forget(now) {
    await rowsOf(pool, forgetAttempts, [now]);
  },
});
