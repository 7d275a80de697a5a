import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { rowsOf, type Queryable, type Statement } from "./statement.ts";

const listIdentities: Statement = {
  name: "list-identities",
  text: "select issuer, subject from identity where account_id = $1",
};

/**
 * Units that are held count as used: the transcriptions under way go on as nobody's, and nothing will be charged or given
 * back for them.
 */
const rememberUse: Statement = {
  name: "remember-use",
  text: `
    with used as (
      select
        array(
          select coalesce(a.used + a.held, 0) from generate_series(0, 5) as s (slot)
          left join allowance as a on a.account_id = $2 and a.period = 'lifetime' and a.slot = s.slot
          order by s.slot
        ) as units,
        coalesce((select used from post_allowance where account_id = $2 and period = 'lifetime'), 0) as posts
    )
    insert into remembered_use (fingerprint, units, posts, removed_on)
    select $1, units, posts, ($3::timestamptz at time zone 'UTC')::date from used where posts > 0 or 0 < any(units)`,
};

const takeOverUse: Statement = {
  name: "take-over-use",
  text: `
    with remembered as (
      delete from remembered_use where fingerprint = $1 returning units, posts
    ), units as (
      insert into allowance as a (account_id, slot, period, used)
      select $2, unit.place - 1, 'lifetime', unit.used
      from remembered, unnest(remembered.units) with ordinality as unit (used, place)
      where unit.used > 0
      on conflict (account_id, slot, period) do update set used = a.used + excluded.used
    )
    insert into post_allowance as p (account_id, period, used)
    select $2, 'lifetime', posts from remembered where posts > 0
    on conflict (account_id, period) do update set used = p.used + excluded.used`,
};

const forgetUse: Statement = {
  name: "forget-use",
  text: "delete from remembered_use where removed_on <= ($1::timestamptz at time zone 'UTC')::date - interval '24 months'",
};

interface IdentityName {
  readonly issuer: string;
  readonly subject: string;
}

/** Each part is written with its length before it, so that no two identities are written the same. */
const fingerprintOf = ({ issuer, subject }: IdentityName): Uint8Array => {
  const parts = [issuer, subject].map((part) => `${Buffer.byteLength(part)}:${part}`);
  return createHash("sha256").update(parts.join("")).digest();
};

/** Remembers, for whoever signs in to an account, what was used there for good. The caller removes the account next. */
export async function rememberUseOf(client: PoolClient, accountId: string, now: Date): Promise<void> {
  for (const identity of await rowsOf<{ issuer: string; subject: string }>(client, listIdentities, [accountId]))
    await rowsOf(client, rememberUse, [fingerprintOf(identity), accountId, now]);
}

/** Counts in an account what its new identity had used before, once; the account holds it from now on. */
export async function takeOverUseOf(client: PoolClient, identity: IdentityName, accountId: string): Promise<void> {
  await rowsOf(client, takeOverUse, [fingerprintOf(identity), accountId]);
}

export async function forgetRememberedUse(on: Queryable, now: Date): Promise<void> {
  await rowsOf(on, forgetUse, [now]);
}
