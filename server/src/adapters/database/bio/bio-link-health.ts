import type { BioLinkHealth } from "../../../ports.ts";
import { isBoolean, isMoment, isOneOf, isText } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";

const batch = 20;
/** More than a few pages have, so that links of other pages are among them. */
const mostOldest = 2_000;

/**
 * One link of each page, so that a page with many slow links delays no other. Marks links before requesting them, so that no
 * site is requested twice if a process dies meanwhile.
 */
const takeDue = statement(`
  with oldest as (
    select id, bio_id, check_at from bio_link where deleted_at is null and check_at <= :now
    order by check_at, id limit ${mostOldest}
  ), first as (
    select distinct on (bio_id) id from oldest order by bio_id, check_at, id
  ), next as (
    select id from bio_link
    where id in (select id from first) and deleted_at is null and check_at <= :now order by check_at, id limit ${batch}
    for update skip locked
  ), taken as (
    update bio_link as l set check_at = :now::timestamptz + interval '1 day' from next where l.id = next.id
    returning l.id, l.url, l.bio_id
  )
  select t.id, t.url, (t.url ~* '^https?:' and p.handle is not null and p.taken_down_at is null) as is_public
  from taken as t join bio_page as p on p.id = t.bio_id`).reading({ id: isText, url: isText, isPublic: isBoolean });

const noteState = statement(`
  update bio_link set checked_url = :url, problem = :problem::text, failing_since = case
    when :problem::text is null then null
    when checked_url = :url and failing_since is not null then failing_since
    else :now::timestamptz
  end
  where id = :id`);

const readFailing = statement(`
  select l.id, l.url, l.problem, l.failing_since as since from bio_link as l join bio_page as p on p.id = l.bio_id
  where p.account_id = :accountId and l.deleted_at is null and l.problem is not null and l.checked_url = l.url
    and l.failing_since <= :now::timestamptz - interval '1 day'
  order by l.number`).reading({ id: isText, url: isText, problem: isOneOf("gone", "unresolved"), since: isMoment });

export const createBioLinkHealth = (database: Database): BioLinkHealth => ({
  async due(now) {
    const taken = await takeDue.rows(database, { now });
    return taken.length === 0 ? "none" : taken.filter(({ isPublic }) => isPublic).map(({ id, url }) => ({ id, url }));
  },
  async note(id, url, state, now) {
    await noteState.run(database, { id, url, problem: state === "fine" ? null : state, now });
  },
  failing: (accountId, now) => readFailing.rows(database, { accountId, now }),
});
