import { tryAdvisoryLock } from "../engine/advisory-lock.ts";
import { isNumber } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";

/** Rows per statement, so that none takes long even for a busy page. */
const most = 5_000;
/** Names of hosts kept for a day, before and after it closes. */
const openReferrers = 1_000;
const keptReferrers = 50;

/** Events wait for an hour, or until there are many of them. */
const foldOldest = statement(`
  with oldest as materialized (
    select number, at from bio_event order by number limit :most::integer
  ), event as (
    delete from bio_event as e using oldest
    where e.number = oldest.number
      and (oldest.at <= :now::timestamptz - interval '1 hour' or (select count(*) from oldest) = :most::integer)
    returning e.bio_id, e.day, e.link_id, e.visitor, e.referrer, e.country, e.device
  ), visitor as (
    select bio_id, day, visitor, count(*) - count(link_id) as views, count(link_id) as clicks
    from event group by bio_id, day, visitor
  ), seen as (
    insert into bio_visitor as b (bio_id, day, visitor, clicked)
    select bio_id, day, visitor, clicks > 0 from visitor
    on conflict (bio_id, day, visitor) do update set clicked = true where excluded.clicked and not b.clicked
  ), total as (
    insert into bio_day as t (bio_id, day, views, clicks, visitors, clickers)
    select bio_id, day, sum(views), sum(clicks), count(*) filter (where clicked is null),
      count(*) filter (where clicks > 0 and clicked is not true)
    from visitor left join bio_visitor as known using (bio_id, day, visitor) group by bio_id, day
    on conflict (bio_id, day) do update set views = t.views + excluded.views, clicks = t.clicks + excluded.clicks,
      visitors = t.visitors + excluded.visitors, clickers = t.clickers + excluded.clickers
  ), link as (
    insert into bio_day_link as t (bio_id, day, link_id, clicks)
    select bio_id, day, link_id, count(*) from event where link_id is not null group by bio_id, day, link_id
    on conflict (bio_id, day, link_id) do update set clicks = t.clicks + excluded.clicks
  ), referrer as (
    select bio_id, day, referrer as value, count(*) as views,
      row_number() over (partition by bio_id, day order by count(*) desc, referrer) as rank
    from event where link_id is null and referrer is not null group by bio_id, day, referrer
  ), named as (
    select bio_id, day, value from bio_day_view join (select distinct bio_id, day from referrer) as open using (bio_id, day)
    where kind = 'referrer'
  ), part as (
    select bio_id, day, 'referrer' as kind, value, views from referrer
    where (bio_id, day, value) in (select bio_id, day, value from named)
      or rank + (select count(*) from named where (bio_id, day) = (referrer.bio_id, referrer.day)) <= ${openReferrers}
    union all
    select bio_id, day, 'rest', '', sum(views) from referrer
    where (bio_id, day, value) not in (select bio_id, day, value from named)
      and rank + (select count(*) from named where (bio_id, day) = (referrer.bio_id, referrer.day)) > ${openReferrers}
    group by bio_id, day
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
  select count(*)::integer as done from event`).reading({ done: isNumber });

/** The visitors and the rare sites of one page on the oldest day that ended at least 48 hours ago. */
const closeOldest = statement(`
  with next as materialized (
    select bio_id, day from bio_visitor
    where day < ((:now::timestamptz - interval '48 hours') at time zone 'UTC')::date
    order by day limit 1
  ), forgotten as (
    delete from bio_visitor
    where ctid = any(array(select b.ctid from bio_visitor as b join next using (bio_id, day) limit :most::integer))
  ), referrer as (
    select bio_id, day, value, views, row_number() over (order by views desc, value) as rank
    from bio_day_view join next using (bio_id, day) where kind = 'referrer' and value <> ''
  ), rare as (
    delete from bio_day_view as d using referrer as r
    where (d.bio_id, d.day, d.kind, d.value) = (r.bio_id, r.day, 'referrer', r.value) and r.rank > ${keptReferrers}
    returning d.bio_id, d.day, d.views
  ), rest as (
    insert into bio_day_view as t (bio_id, day, kind, value, views)
    select bio_id, day, 'rest', '', sum(views) from rare group by bio_id, day
    on conflict (bio_id, day, kind, value) do update set views = t.views + excluded.views
  )
  select count(*)::integer as done from next`).reading({ done: isNumber });

/** Folds some events, or closes a day if there are none. False if nothing is left or another process is folding. */
export const foldBioEvents = (database: Database, now: Date): Promise<boolean> =>
  transaction(database, async (inside) => {
    if (!(await tryAdvisoryLock(inside, "foldBio"))) return false;
    const { done } = await foldOldest.onlyRow(inside, { now, most });
    return done > 0 || (await closeOldest.onlyRow(inside, { now, most })).done > 0;
  });
