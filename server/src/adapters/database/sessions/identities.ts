import type { Account, ExtensionCodes, Identities, NewId, SignInAttempts } from "../../../ports.ts";
import { accountColumns, lockAccount, lockToChange, toAccount } from "../accounts/accounts.ts";
import { takeOverUseOf } from "../accounts/remembered-use.ts";
import { beginTakenDownPage } from "../bio/bio-pages.ts";
import { isBoolean, isText } from "../engine/columns.ts";
import { statement, transaction, type Database, type Transaction } from "../engine/statement.ts";

export const findIdentity = statement(
  "select account_id from identity where issuer = :issuer and subject = :subject",
).reading({ accountId: isText });

const signInAgain = statement(`
  update account as a set email = coalesce(:email, a.email), name = coalesce(:name, a.name)
  from identity as i where i.issuer = :issuer and i.subject = :subject and a.id = i.account_id
  returning a.*`).reading(accountColumns);

export const createAccount = statement(`
  insert into account as a (id, email, name, plan, created_at, period_anchor)
  values (:id, coalesce(:email, ''), :name, :plan, :now, :periodAnchor) returning a.*`).reading(accountColumns);

/** Claims the oldest of several accounts with the same address. */
export const claimAccount = statement(`
  update account as a set email = :email, name = coalesce(a.name, :name)
  where a.id = (
    select id from account as free
    where lower(email) = lower(:email) and not exists (select from identity where account_id = free.id)
    order by number limit 1
    for no key update
  )
  returning a.*`).reading(accountColumns);

export const createIdentity = statement(`
  insert into identity (issuer, subject, account_id) values (:issuer, :subject, :accountId)
  on conflict (issuer, subject) do nothing`);

const linkIdentity = statement(`
  insert into identity (issuer, subject, account_id)
  select :issuer, :subject, a.id from account a
  where a.id = :accountId and not exists (select from identity where account_id = a.id)
  on conflict (issuer, subject) do nothing`);

/** Removes the account of the request that lost the race. */
export class SeenMeanwhile extends Error {}

/** If U+0000, which the database refuses, were removed, one identity could pass for another. */
function refuseUnstorable({ issuer, subject }: { readonly issuer: string; readonly subject: string }): void {
  if (issuer.includes("\0") || subject.includes("\0")) throw new Error("An identity holds a character U+0000");
}

/** Adds to an account what the removed account of its new identity had used, and hides its page if that one was taken down. */
export const takeOverBy =
  (newId: NewId) =>
  async (
    inside: Transaction,
    identity: { readonly issuer: string; readonly subject: string; readonly now: Date },
    accountId: string,
  ): Promise<void> => {
    const takenDownAt = await takeOverUseOf(inside, identity, accountId);
    if (takenDownAt) await beginTakenDownPage(inside, newId, { accountId, takenDownAt, now: identity.now });
  };

export function createIdentities(database: Database, newId: NewId): Identities {
  const takeOver = takeOverBy(newId);
  const signIn: Identities["signIn"] = async (identity) => {
    refuseUnstorable(identity);
    const { issuer, subject, email, name, now } = identity;
    const verified = identity.isEmailVerified ? email : null;
    const create = async (inside: Transaction): Promise<Account> => {
      const row =
        (verified === null ? undefined : await claimAccount.row(inside, { email: verified, name })) ??
        (await createAccount.onlyRow(inside, { id: newId("acc"), email, name, plan: "free", periodAnchor: null, now }));
      const createdCount = await createIdentity.run(inside, { issuer, subject, accountId: row.id });
      if (createdCount === 0) throw new SeenMeanwhile();
      await takeOver(inside, identity, row.id);
      return toAccount(row);
    };
    const again = async (inside: Transaction, accountId: string): Promise<Account> => {
      await lockAccount(inside, accountId, lockToChange);
      return toAccount(await signInAgain.onlyRow(inside, { issuer, subject, email, name }));
    };
    const storedIdentity = await findIdentity.row(database, { issuer, subject });
    if (storedIdentity) return transaction(database, (inside) => again(inside, storedIdentity.accountId));
    return transaction(database, create).catch((error: unknown) => {
      if (error instanceof SeenMeanwhile) return signIn(identity);
      throw error;
    });
  };
  return {
    signIn,
    link({ issuer, subject, accountId, now }) {
      refuseUnstorable({ issuer, subject });
      return transaction(database, async (inside) => {
        if ((await linkIdentity.run(inside, { issuer, subject, accountId })) === 0) return false;
        await takeOver(inside, { issuer, subject, now }, accountId);
        return true;
      });
    },
  };
}

const createAttempt = statement(`
  insert into sign_in_attempt (state_hash, browser_hash, verifier, nonce, return_to, expires_at)
  values (:stateHash, :browserHash, :verifier, :nonce, :returnTo, :expiresAt)`);

const attemptColumns = { verifier: isText, nonce: isText, returnTo: isText };

const findAttempt = statement(
  "select verifier, nonce, return_to from sign_in_attempt where state_hash = :stateHash and expires_at > :now",
).reading(attemptColumns);

const takeAttempt = statement(`
  delete from sign_in_attempt where state_hash = :stateHash and browser_hash = :browserHash and expires_at > :now
  returning verifier, nonce, return_to`).reading(attemptColumns);

export const createSignInAttempts = (database: Database): SignInAttempts => ({
  async create(attempt) {
    await createAttempt.run(database, attempt);
  },
  find: (stateHash, now) => findAttempt.row(database, { stateHash, now }),
  take: (stateHash, browserHash, now) => takeAttempt.row(database, { stateHash, browserHash, now }),
});

const createCode = statement(`
  insert into extension_code (code_hash, account_id, session_id, challenge, expires_at)
  values (:codeHash, :accountId, :sessionId, :challenge, :expiresAt)`);

/** Deleted whatever the verifier is, so that nobody tries twice. */
const takeCode = statement(`
  with taken as (
    delete from extension_code where code_hash = :codeHash
    returning account_id, challenge = :verifierHash and expires_at > :now as right_one
  )
  select a.*, taken.right_one from taken join account as a on a.id = taken.account_id`).reading({
  ...accountColumns,
  rightOne: isBoolean,
});

export const createExtensionCodes = (database: Database): ExtensionCodes => ({
  async create(code) {
    await createCode.run(database, code);
  },
  async take(codeHash, verifierHash, now) {
    const row = await takeCode.row(database, { codeHash, verifierHash, now });
    return row?.rightOne ? toAccount(row) : undefined;
  },
});
