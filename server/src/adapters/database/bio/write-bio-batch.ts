import type { BioBatch, BioOutcome } from "../../../ports.ts";
import { isListOf, isOneOf } from "../engine/columns.ts";
import { onlyRowOf, statement, type Database } from "../engine/statement.ts";

/**
 * One statement, so that it is written whole or not at all. Of repeated clicks the row of the last counted one decides, because
 * racers wait for it; all lock such rows in the same order.
 */
const writeBatch = statement(`
  with fresh as (
    insert into bio_batch (id, at) values (:id, :now) on conflict (id) do nothing returning id
  ), visit as (
    select v.*, decode(v.hash, 'hex') as visitor
    from unnest(
      :bioIds::text[], :linkIds::text[], :hashes::text[], :moments::timestamptz[], :referrers::text[], :countries::text[],
      :devices::text[]
    ) with ordinality as v (bio_id, link_id, hash, at, referrer, country, device, place)
    where exists (select from fresh)
  ), known as (
    select v.* from visit as v join bio_page as p on p.id = v.bio_id
    where v.link_id is null or exists (select from bio_link as l where l.id = v.link_id and l.bio_id = v.bio_id)
  ), counted as (
    insert into bio_recent_click as recent (link_id, visitor, at)
    select link_id, visitor, at from known where link_id is not null order by link_id, visitor
    on conflict (link_id, visitor) do update set at = excluded.at where recent.at <= excluded.at - interval '1 hour'
    returning link_id, visitor
  ), written as (
    select k.* from known as k left join counted as c on c.link_id = k.link_id and c.visitor = k.visitor
    where k.link_id is null or c.link_id is not null
  ), event as (
    insert into bio_event (bio_id, link_id, day, at, visitor, referrer, country, device)
    select bio_id, link_id, (at at time zone 'UTC')::date, at, visitor, referrer, country, device
    from written order by place
  ), left_out as (
    insert into bio_exclusion as e (bio_id, day, reason, requests)
    select x.bio_id, x.day, x.reason, x.requests
    from unnest(:excludedIds::text[], :days::date[], :reasons::text[], :requests::bigint[]) as x (bio_id, day, reason, requests)
    join bio_page as p on p.id = x.bio_id
    where exists (select from fresh)
    order by x.bio_id, x.day, x.reason
    on conflict (bio_id, day, reason) do update set requests = e.requests + excluded.requests
  )
  select coalesce(json_agg(case when w.place is not null then 'counted' when k.place is not null then 'repeated' else 'unknown' end order by v.place), '[]') as outcomes
  from visit as v left join known as k on k.place = v.place left join written as w on w.place = v.place`).reading({
  outcomes: isListOf(isOneOf("counted", "repeated", "unknown")),
});

/** The owner removed the link at the same moment. */
const isOfRemovedLink = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && /_(?:link|bio)_id_fkey$/.test(String(error.constraint));

export async function writeBioBatch(
  database: Database,
  { id, visits, excluded }: BioBatch,
  now: Date,
): Promise<readonly BioOutcome[]> {
  const values = {
    id,
    now,
    bioIds: visits.map(({ bioId }) => bioId),
    linkIds: visits.map(({ linkId }) => linkId),
    hashes: visits.map(({ visitor }) => Buffer.from(visitor).toString("hex")),
    moments: visits.map(({ at }) => at.toISOString()),
    referrers: visits.map(({ referrer }) => referrer),
    countries: visits.map(({ country }) => country),
    devices: visits.map(({ device }) => device),
    excludedIds: excluded.map(({ bioId }) => bioId),
    days: excluded.map(({ day }) => day),
    reasons: excluded.map(({ reason }) => reason),
    requests: excluded.map(({ requests }) => requests),
  };
  const write = () => onlyRowOf(database, writeBatch, values);
  // What was removed meanwhile is not known any longer.
  const { outcomes } = await write().catch((error: unknown) => {
    if (isOfRemovedLink(error)) return write();
    throw error;
  });
  return outcomes;
}
