import { plans } from "@reelscript/contract";
import type { AccountPassword, Invitation, NewId, Passwords } from "../../../ports.ts";
import { accountColumns, lockAccount, lockToChange, toAccount } from "../accounts/accounts.ts";
import { isBoolean, isMoment, isText } from "../engine/columns.ts";
import { statement, transaction, type Database, type Transaction } from "../engine/statement.ts";
import { claimAccount, createAccount, createIdentity, findIdentity, SeenMeanwhile, takeOverBy } from "./identities.ts";

/** The issuer of the identities with which people sign in by password. */
const issuer = "password";

const passwordColumns = { accountId: isText, email: isText, hash: isText };

const findByEmail = statement(`
  select p.account_id, i.subject as email, p.hash
  from identity as i join account_password as p on p.account_id = i.account_id
  where i.issuer = '${issuer}' and i.subject = :email`).reading(passwordColumns);

const findByAccount = statement(`
  select p.account_id, i.subject as email, p.hash
  from account_password as p join identity as i on i.account_id = p.account_id and i.issuer = '${issuer}'
  where p.account_id = :accountId`).reading(passwordColumns);

const countPasswords = statement("select exists (select from account_password) as exist").reading({ exist: isBoolean });

const changePassword = statement(`
  with changed as (
    update account_password set hash = :hash, changed_at = :now
    where account_id = :accountId and hash = :former
    returning account_id
  ), ended as (
    delete from session where account_id in (select account_id from changed) and id <> :sessionId
  ), withdrawn as (
    delete from invitation where account_id in (select account_id from changed)
  )
  select account_id from changed`);

const createInvitation = statement(`
  insert into invitation (token_hash, account_id, created_at, expires_at)
  values (:tokenHash, :accountId, :now, :expiresAt)`);

/** More than anybody has sent and not used. */
const mostOfAccount = 5;

const forgetFormer = statement(`
  delete from invitation where token_hash in (
    select token_hash from invitation where account_id = :accountId
    order by created_at desc, token_hash offset ${mostOfAccount}
  )`);

const noteInvitation = statement(`
  insert into invitation_note (at, actor, account_id, is_reset, reason)
  values (:now, :by, :accountId, :isReset, :reason)`);

const findInvitation = statement(`
  select a.*, i.subject as sign_in_email, v.expires_at,
    exists (select from account_password where account_id = a.id) as is_reset
  from invitation as v
  join account as a on a.id = v.account_id
  join identity as i on i.account_id = a.id and i.issuer = '${issuer}'
  where v.token_hash = :tokenHash and v.expires_at > :now`).reading({
  ...accountColumns,
  signInEmail: isText,
  expiresAt: isMoment,
  isReset: isBoolean,
});

const useInvitation = statement("delete from invitation where token_hash = :tokenHash and expires_at > :now");

const withdrawInvitations = statement("delete from invitation where account_id = :accountId");

const setPassword = statement(`
  insert into account_password (account_id, hash, changed_at) values (:accountId, :hash, :now)
  on conflict (account_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`);

const endSessions = statement("delete from session where account_id = :accountId");

export function createPasswords(database: Database, newId: NewId): Passwords {
  const takeOver = takeOverBy(newId);

  const find = async (tokenHash: Uint8Array, now: Date, on: Database | Transaction = database) => {
    const row = await findInvitation.row(on, { tokenHash, now });
    if (row === undefined) return undefined;
    const { signInEmail: email, expiresAt, isReset } = row;
    return { account: toAccount(row), email, expiresAt, isReset };
  };

  const invite: Passwords["invite"] = (invitation) => {
    const { plan, tokenHash, expiresAt, by, reason, now } = invitation;
    const email = invitation.email.toLowerCase();
    const identity = { issuer, subject: email, now };
    const newAccount = async (inside: Transaction): Promise<string> => {
      const periodAnchor = plans[plan].period === "lifetime" ? null : now;
      const { id } =
        (await claimAccount.row(inside, { email, name: null })) ??
        (await createAccount.onlyRow(inside, { id: newId("acc"), email, name: null, plan, periodAnchor, now }));
      if ((await createIdentity.run(inside, { issuer, subject: email, accountId: id })) === 0)
        throw new SeenMeanwhile();
      await takeOver(inside, identity, id);
      return id;
    };
    return transaction(database, async (inside): Promise<Invitation> => {
      const identityRow = await findIdentity.row(inside, { issuer, subject: email });
      if (identityRow) await lockAccount(inside, identityRow.accountId, lockToChange);
      const accountId = identityRow?.accountId ?? (await newAccount(inside));
      await createInvitation.run(inside, { tokenHash, accountId, now, expiresAt });
      await forgetFormer.run(inside, { accountId });
      const stored = await find(tokenHash, now, inside);
      if (stored === undefined) throw new Error("An invitation must expire later than now");
      await noteInvitation.run(inside, { now, by, accountId, isReset: stored.isReset, reason });
      return stored;
    }).catch((error: unknown) => {
      if (error instanceof SeenMeanwhile) return invite(invitation);
      throw error;
    });
  };

  return {
    findByEmail: (email) => findByEmail.row(database, { email: email.toLowerCase() }),
    findByAccount: (accountId) => findByAccount.row(database, { accountId }),
    exist: async () => (await countPasswords.onlyRow(database)).exist,
    change: async ({ accountId, former, hash, sessionId, now }) =>
      (await changePassword.run(database, { accountId, former, hash, sessionId, now })) === 1,
    invite,
    findInvitation: (tokenHash, now) => find(tokenHash, now),

    async accept({ tokenHash, hash, now }) {
      const invitation = await find(tokenHash, now);
      if (invitation === undefined) return undefined;
      const { account, email } = invitation;
      const accountId = account.id;
      return transaction(database, async (inside): Promise<AccountPassword | undefined> => {
        await lockAccount(inside, accountId, lockToChange);
        if ((await useInvitation.run(inside, { tokenHash, now })) === 0) return undefined;
        await withdrawInvitations.run(inside, { accountId });
        await setPassword.run(inside, { accountId, hash, now });
        await endSessions.run(inside, { accountId });
        return { accountId, email, hash };
      });
    },
  };
}
