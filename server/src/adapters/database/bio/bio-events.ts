import type { BioEvents, BioFigures } from "../../../ports.ts";
import { foldBioEvents } from "./fold-bio-events.ts";
import type { ReadRoute } from "../engine/server/read-route.ts";
import { isBytes, isListOf, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import { computedStatement, statement, type Database } from "../engine/statement.ts";

const keepSalt = statement("insert into bio_salt (day, salt) values (:day::date, :salt) on conflict (day) do nothing");
const readSalt = statement("select salt from bio_salt where day = :day::date").reading({ salt: isBytes });

const list = (fields: string, from: string, order: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields}) order by ${order}), '[]') from ${from})`;

type Counted<Name extends keyof BioFigures> = BioFigures[Name] extends readonly (infer One extends object)[]
  ? One
  : never;

const isCounted = <Name extends keyof BioFigures>() => isListOf(isObjectOf<Counted<Name>>({}));

/** The statement itself builds the JSON, so its fields need no check. */
const figures = {
  since: orNull(isText),
  daily: isCounted<"daily">(),
  links: isCounted<"links">(),
  referrers: isCounted<"referrers">(),
  countries: isCounted<"countries">(),
  devices: isCounted<"devices">(),
  excluded: isObjectOf<BioFigures["excluded"]>({}),
};

/** One statement, so that all figures belong to the same moment. */
const readFigures = computedStatement<"accountId" | "earliest" | "from" | "to">(`
  with page as (
    select id, created_at from bio_page where account_id = :accountId
  ), event as materialized (
    select e.day, e.link_id, e.visitor, e.referrer, e.country, e.device
    from bio_event as e join page on page.id = e.bio_id where e.day between :earliest::date and :to::date
  ), visitor as (
    select day, visitor, count(*) - count(link_id) as views, count(link_id) as clicks
    from event group by day, visitor
  ), daily as (
    select day, sum(views) as views, sum(clicks) as clicks, sum(visitors) as visitors, sum(clickers) as clickers
    from (
      select v.day, v.views, v.clicks, (b.visitor is null)::integer as visitors,
        (v.clicks > 0 and b.clicked is not true)::integer as clickers
      from visitor as v cross join page
        left join bio_visitor as b on b.bio_id = page.id and b.day = v.day and b.visitor = v.visitor
      union all
      select d.day, d.views, d.clicks, d.visitors, d.clickers
      from bio_day as d join page on page.id = d.bio_id where d.day between :earliest::date and :to::date
    ) as part
    group by day
  ), clicked as (
    select link_id, sum(clicks) as clicks
    from (
      select link_id, 1 as clicks from event where day >= :from::date and link_id is not null
      union all
      select d.link_id, d.clicks
      from bio_day_link as d join page on page.id = d.bio_id where d.day between :from::date and :to::date
    ) as part
    group by link_id
  ), link as (
    select l.number, l.id, l.title, l.url, coalesce(clicked.clicks, 0) as clicks, l.deleted_at is not null as deleted
    from bio_link as l join page on page.id = l.bio_id left join clicked on clicked.link_id = l.id
    where l.deleted_at is null or clicked.clicks > 0
  ), view as (
    select part.kind, nullif(part.value, '') as value, 1 as views
    from event, lateral (
      values ('referrer', event.referrer), ('country', event.country), ('device', event.device)
    ) as part (kind, value)
    where event.day >= :from::date and event.link_id is null
    union all
    select d.kind, nullif(d.value, ''), d.views
    from bio_day_view as d join page on page.id = d.bio_id where d.day between :from::date and :to::date
  ), counted as (
    select kind, value, sum(views) as views from view group by kind, value
  ), referrer as (
    select value as host, views from counted where kind = 'referrer' order by views desc, host nulls last limit 50
  ), country as (
    select value as country, views from counted where kind = 'country'
  ), device as (
    select value as device, views from counted where kind = 'device'
  )
  select
    (select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') from page) as since,
    ${list("'date', to_char(day, 'YYYY-MM-DD'), 'views', views, 'clicks', clicks, 'visitors', visitors, 'clickers', clickers", "daily", "day")} as daily,
    ${list("'id', id, 'title', title, 'url', url, 'clicks', clicks, 'deleted', deleted", "link", "clicks desc, deleted, number")} as links,
    ${list("'host', host, 'views', views", "referrer", "views desc, host nulls last")} as referrers,
    ${list("'country', country, 'views', views", "country", "views desc, country nulls last")} as countries,
    ${list("'device', device, 'views', views", "device", "views desc, device")} as devices,
    (
      select json_build_object(
        'bots', coalesce(sum(x.requests) filter (where x.reason = 'bots'), 0),
        'prefetch', coalesce(sum(x.requests) filter (where x.reason = 'prefetch'), 0),
        'owner', coalesce(sum(x.requests) filter (where x.reason = 'owner'), 0),
        'floods', coalesce(sum(x.requests) filter (where x.reason = 'floods'), 0)
      )
      from bio_exclusion as x join page on page.id = x.bio_id where x.day between :from::date and :to::date
    ) as excluded`).reading(figures);

/**
 * One statement, so that all of it is written or none. The row of the last counted click decides whether a click is repeated,
 * because concurrent statements wait for it; all lock such rows in the same order.
 */
const writeBatch = statement(`
  with fresh as (
    insert into bio_batch (id, at) values (:id, :now) on conflict (id) do nothing returning id
  ), visit as (
    select v.*, decode(v.hash, 'hex') as visitor
    from unnest(
      :bioIds::text[], :linkIds::text[], :hashes::text[], :moments::timestamptz[], :referrers::text[], :countries::text[],
      :devices::text[]
    ) with ordinality as v (bio_id, link_id, hash, at, referrer, country, device, position)
    where exists (select from fresh)
  ), valid_visit as (
    select v.* from visit as v join bio_page as p on p.id = v.bio_id
    where v.link_id is null or exists (select from bio_link as l where l.id = v.link_id and l.bio_id = v.bio_id)
  ), counted as (
    insert into bio_recent_click as recent (link_id, visitor, at)
    select link_id, visitor, at from valid_visit where link_id is not null order by link_id, visitor
    on conflict (link_id, visitor) do update set at = excluded.at where recent.at <= excluded.at - interval '1 hour'
    returning link_id, visitor
  ), written as (
    select k.* from valid_visit as k left join counted as c on c.link_id = k.link_id and c.visitor = k.visitor
    where k.link_id is null or c.link_id is not null
  ), event as (
    insert into bio_event (bio_id, link_id, day, at, visitor, referrer, country, device)
    select bio_id, link_id, (at at time zone 'UTC')::date, at, visitor, referrer, country, device
    from written order by position
  ), left_out as (
    insert into bio_exclusion as e (bio_id, day, reason, requests)
    select x.bio_id, x.day, x.reason, x.requests
    from unnest(:excludedIds::text[], :days::date[], :reasons::text[], :requests::bigint[]) as x (bio_id, day, reason, requests)
    join bio_page as p on p.id = x.bio_id
    where exists (select from fresh)
    order by x.bio_id, x.day, x.reason
    on conflict (bio_id, day, reason) do update set requests = e.requests + excluded.requests
  )
  select coalesce(json_agg(case when w.position is not null then 'counted' when k.position is not null then 'repeated' else 'unknown' end order by v.position), '[]') as outcomes
  from visit as v left join valid_visit as k on k.position = v.position left join written as w on w.position = v.position`).reading(
  {
    outcomes: isListOf(isOneOf("counted", "repeated", "unknown")),
  },
);

/** The error of a click on a link that its owner removed at the same moment. */
const isOfRemovedLink = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && /_(?:link|bio)_id_fkey$/.test(String(error.constraint));

export const createBioEvents = (database: Database, reads: ReadRoute): BioEvents => ({
  async saltOf(day, fresh) {
    const storedSalt = await readSalt.row(database, { day });
    if (storedSalt) return storedSalt.salt;
    await keepSalt.run(database, { day, salt: fresh });
    return (await readSalt.onlyRow(database, { day })).salt;
  },
  async write({ id, visits, excluded }, now) {
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
    const write = () => writeBatch.onlyRow(database, values);
    // A link was removed meanwhile; the retry doesn't find it any more.
    const { outcomes } = await write().catch((error: unknown) => {
      if (isOfRemovedLink(error)) return write();
      throw error;
    });
    return outcomes;
  },
  read: (accountId, { earliest, from, to }) =>
    reads.read(accountId, (on) => readFigures.onlyRow(on, { accountId, earliest, from, to })),
  fold: (now) => foldBioEvents(database, now),
});
