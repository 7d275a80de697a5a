import { tryAdvisoryLock } from "../engine/advisory-lock.ts";
import { isNumber } from "../engine/columns.ts";
import { onlyRowOf, statement, type Database } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";

/** Hosts of a day whose names are kept. */
const keptReferrers = 50;

/** Adds to what is there, for events that come after their day was folded. */
const foldNext = statement(
  "fold-bio-events",
  `
    with next as (
      select bio_id, day from bio_event
      where day < ((:now::timestamptz - interval '48 hours') at time zone 'UTC')::date
      order by day, bio_id limit 1
    ), event as (
      delete from bio_event as e using next where e.bio_id = next.bio_id and e.day = next.day
      returning e.bio_id, e.day, e.link_id, e.visitor, e.referrer, e.country, e.device
    ), visitor as (
      select bio_id, day, count(*) - count(link_id) as views, count(link_id) as clicks
      from event group by bio_id, day, visitor
    ), total as (
      insert into bio_day as t (bio_id, day, views, clicks, visitors, clickers)
      select bio_id, day, sum(views), sum(clicks), count(*), count(*) filter (where clicks > 0)
      from visitor group by bio_id, day
      on conflict (bio_id, day) do update set views = t.views + excluded.views, clicks = t.clicks + excluded.clicks,
        visitors = t.visitors + excluded.visitors, clickers = t.clickers + excluded.clickers
    ), link as (
      insert into bio_day_link as t (bio_id, day, link_id, clicks)
      select bio_id, day, link_id, count(*) from event where link_id is not null group by bio_id, day, link_id
      on conflict (bio_id, day, link_id) do update set clicks = t.clicks + excluded.clicks
    ), referrer as (
      select bio_id, day, referrer, count(*) as views, row_number() over (order by count(*) desc, referrer) as place
      from event where link_id is null and referrer is not null group by bio_id, day, referrer
    ), part as (
      select bio_id, day, 'referrer' as kind, referrer as value, views from referrer where place <= ${keptReferrers}
      union all
      select bio_id, day, 'rest', '', sum(views) from referrer where place > ${keptReferrers} group by bio_id, day
      union all
      select bio_id, day, 'referrer', '', count(*) from event where link_id is null and referrer is null group by bio_id, day
      union all
      select bio_id, day, 'country', coalesce(country, ''), count(*) from event where link_id is null
      group by bio_id, day, country
      union all
      select bio_id, day, 'device', device, count(*) from event where link_id is null group by bio_id, day, device
    ), view as (
      insert into bio_day_view as t (bio_id, day, kind, value, views) select bio_id, day, kind, value, views from part
      on conflict (bio_id, day, kind, value) do update set views = t.views + excluded.views
    )
    select count(*)::integer as folded from next`,
  { folded: isNumber },
);

/** Folds one page's oldest day; false when none is left or another process is at it. */
export const foldBioEvents = (database: Database, now: Date): Promise<boolean> =>
  transaction(
    database,
    async (inside) =>
      (await tryAdvisoryLock(inside, "foldBio")) && (await onlyRowOf(inside, foldNext, { now })).folded === 1,
  );
