import { createHash } from "node:crypto";
import { isMoment, isText, orNull } from "../engine/columns.ts";
import { statement, type Transaction } from "../engine/statement.ts";

const listIdentities = statement("select issuer, subject from identity where account_id = :accountId").reading({
  issuer: isText,
  subject: isText,
});

/** Held units count as used: their transcriptions continue without an account, and nothing will charge or return them. */
const rememberUse = statement(`
  with used as (
    select
      array(
        select coalesce(a.used + a.held, 0) from generate_series(0, 5) as s (slot)
        left join allowance as a on a.account_id = :accountId and a.period = 'lifetime' and a.slot = s.slot
        order by s.slot
      ) as units,
      coalesce((select used from post_allowance where account_id = :accountId and period = 'lifetime'), 0) as posts,
      (select taken_down_at from bio_page where account_id = :accountId) as page_taken_down_at
  )
  insert into remembered_use (fingerprint, units, posts, page_taken_down_at, removed_on)
  select :fingerprint, units, posts, page_taken_down_at, (:now::timestamptz at time zone 'UTC')::date
  from used where posts > 0 or 0 < any(units) or page_taken_down_at is not null`);

/** The calls of the last hour; unused rows are deleted like all others. */
const rememberRates = statement(`
  insert into rate_limit (subject, at, buckets, calls, used)
  select 'removed:' || encode(:fingerprint::bytea, 'hex') || ':' || slot, r.at, r.buckets, r.calls, r.used
  from generate_series(0, 5) as slot join rate_limit as r on r.subject = :accountId::text || ':' || slot
  on conflict (subject) do update set at = excluded.at, buckets = excluded.buckets, calls = excluded.calls, used = excluded.used`);

/** An account that already made calls before it had this identity keeps its own. */
const takeOverRates = statement(`
  update rate_limit as r set subject = :accountId::text || ':' || slot
  from generate_series(0, 5) as slot
  where r.subject = 'removed:' || encode(:fingerprint::bytea, 'hex') || ':' || slot
    and not exists (select from rate_limit as own where own.subject = :accountId::text || ':' || slot)`);

const takeOverUse = statement(`
  with remembered as (
    delete from remembered_use where fingerprint = :fingerprint returning units, posts, page_taken_down_at
  ), units as (
    insert into allowance as a (account_id, slot, period, used)
    select :accountId, unit.position - 1, 'lifetime', unit.used
    from remembered, unnest(remembered.units) with ordinality as unit (used, position)
    where unit.used > 0
    on conflict (account_id, slot, period) do update set used = a.used + excluded.used
  ), posts as (
    insert into post_allowance as p (account_id, period, used)
    select :accountId, 'lifetime', posts from remembered where posts > 0
    on conflict (account_id, period) do update set used = p.used + excluded.used
  )
  select page_taken_down_at from remembered`).reading({ pageTakenDownAt: orNull(isMoment) });

interface IdentityName {
  readonly issuer: string;
  readonly subject: string;
}

/** The length precedes each part, so that no two identities are written the same. */
const fingerprintOf = ({ issuer, subject }: IdentityName): Uint8Array => {
  const parts = [issuer, subject].map((part) => `${Buffer.byteLength(part)}:${part}`);
  return createHash("sha256").update(parts.join("")).digest();
};

/**
 * Stores the account's lifetime use, its calls of the last hour and the takedown of its page, under its identities. The caller
 * removes the account next.
 */
export async function rememberUseOf(inside: Transaction, accountId: string, now: Date): Promise<void> {
  for (const identity of await listIdentities.rows(inside, { accountId })) {
    const fingerprint = fingerprintOf(identity);
    await rememberUse.run(inside, { fingerprint, accountId, now });
    await rememberRates.run(inside, { fingerprint, accountId });
  }
}

/**
 * Adds to an account the former use of its new identity, once; from then on the account holds it. Returns when the identity's
 * page was taken down, if it was.
 */
export async function takeOverUseOf(
  inside: Transaction,
  identity: IdentityName,
  accountId: string,
): Promise<Date | null> {
  const fingerprint = fingerprintOf(identity);
  const remembered = await takeOverUse.row(inside, { fingerprint, accountId });
  await takeOverRates.run(inside, { fingerprint, accountId });
  return remembered?.pageTakenDownAt ?? null;
}
