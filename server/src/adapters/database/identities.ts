import type { Pool, PoolClient } from "pg";
import type { Account, Identities, NewId } from "../../ports.ts";
import { toAccount } from "./accounts.ts";
import { holdAccount } from "./hold-account.ts";
import { takeOverUseOf } from "./remembered-use.ts";
import { rowsOf, transaction, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

type AccountRow = Parameters<typeof toAccount>[0];

const findIdentity: Statement = {
  name: "find-identity",
  text: "select account_id from identity where issuer = $1 and subject = $2",
};

const signInAgain: Statement = {
  name: "sign-in-again",
  text: `
    with seen as (
      update identity
      set email = coalesce($3, email), name = coalesce($4, name), signed_in_at = $5
      where issuer = $1 and subject = $2
      returning account_id, email, name
    )
    update account as a set email = coalesce(seen.email, a.email), name = coalesce(seen.name, a.name)
    from seen where a.id = seen.account_id
    returning a.*`,
};

const createAccount: Statement = {
  name: "create-account-of-identity",
  text: `
    insert into account as a (id, email, name, plan, created_at) values ($1, coalesce($2, ''), $3, 'free', $4)
    returning a.*`,
};

const createIdentity: Statement = {
  name: "create-identity",
  text: `
    insert into identity (issuer, subject, account_id, email, name, created_at, signed_in_at)
    values ($1, $2, $3, $4, $5, $6, $6)
    on conflict (issuer, subject) do nothing
    returning account_id`,
};

const linkIdentity: Statement = {
  name: "link-identity",
  text: `
    insert into identity (issuer, subject, account_id, created_at)
    select $1, $2, a.id, $4 from account a
    where a.id = $3 and not exists (select from identity where account_id = a.id)
    on conflict (issuer, subject) do nothing
    returning account_id`,
};

/** Undoes the account of a racer who came second. */
class SeenMeanwhile extends Error {}

const stored = (text: string | null): string | null => text && storable(text);

export function createIdentities(pool: Pool, newId: NewId): Identities {
  const signIn: Identities["signIn"] = async (identity) => {
    const { issuer, subject, now } = identity;
    const [email, name] = [stored(identity.email), stored(identity.name)];
    const create = async (client: PoolClient): Promise<Account> => {
      const [row] = await rowsOf<AccountRow>(client, createAccount, [newId("acc"), email, name, now]);
      const made = await rowsOf(client, createIdentity, [issuer, subject, row!.id, email, name, now]);
      if (made.length === 0) throw new SeenMeanwhile();
      await takeOverUseOf(client, identity, row!.id);
      return toAccount(row!);
    };
    const again = async (client: PoolClient, accountId: string): Promise<Account> => {
      await holdAccount(client, accountId, "change");
      const [row] = await rowsOf<AccountRow>(client, signInAgain, [issuer, subject, email, name, now]);
      return toAccount(row!); // safe: the identity goes with its account only
    };
    const [known] = await rowsOf<{ account_id: string }>(pool, findIdentity, [issuer, subject]);
    if (known) return transaction(pool, (client) => again(client, known.account_id));
    return transaction(pool, create).catch((error: unknown) => {
      if (error instanceof SeenMeanwhile) return signIn(identity);
      throw error;
    });
  };
  return {
    signIn,
    link: ({ issuer, subject, accountId, now }) =>
      transaction(pool, async (client) => {
        const account = storable(accountId);
        const linked = await rowsOf(client, linkIdentity, [issuer, subject, account, now]);
        if (linked.length === 0) return false;
        await takeOverUseOf(client, { issuer, subject }, account);
        return true;
      }),
  };
}
