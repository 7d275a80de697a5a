import type { SignInAttempts } from "../../../ports.ts";
import { isText } from "../engine/columns.ts";
import { execute, rowOf, statement, type Database } from "../engine/statement.ts";

const createAttempt = statement(
  "create-sign-in-attempt",
  `
    insert into sign_in_attempt (state_hash, browser_hash, verifier, nonce, return_to, expires_at)
    values (:stateHash, :browserHash, :verifier, :nonce, :returnTo, :expiresAt)`,
);

const takeAttempt = statement(
  "take-sign-in-attempt",
  `
    delete from sign_in_attempt where state_hash = :stateHash and browser_hash = :browserHash and expires_at > :now
    returning verifier, nonce, return_to as "returnTo"`,
  { verifier: isText, nonce: isText, returnTo: isText },
);

const forgetAttempts = statement("forget-sign-in-attempts", "delete from sign_in_attempt where expires_at <= :now");

export interface KeptSignInAttempts extends SignInAttempts {
  /** Removes those that expired. */
  readonly forget: (now: Date) => Promise<void>;
}

export const createSignInAttempts = (database: Database): KeptSignInAttempts => ({
  async create({ stateHash, browserHash, verifier, nonce, returnTo, expiresAt }) {
    await execute(database, createAttempt, { stateHash, browserHash, verifier, nonce, returnTo, expiresAt });
  },
  take: (stateHash, browserHash, now) => rowOf(database, takeAttempt, { stateHash, browserHash, now }),
  async forget(now) {
    await execute(database, forgetAttempts, { now });
  },
});
