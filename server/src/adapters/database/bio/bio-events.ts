import { deviceNames } from "@reelscript/contract";
import type { BioEvents, BioFigures } from "../../../ports.ts";
import { foldBioEvents } from "./fold-bio-events.ts";
import { writeBioBatch } from "./write-bio-batch.ts";
import type { ReadRoute } from "../engine/read-route.ts";
import { isBoolean, isBytes, isListOf, isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import { computedStatement, execute, onlyRowOf, rowOf, statement, type Database } from "../engine/statement.ts";

const keepSalt = statement("insert into bio_salt (day, salt) values (:day::date, :salt) on conflict (day) do nothing");
const readSalt = statement("select salt from bio_salt where day = :day::date").reading({ salt: isBytes });

const list = (fields: string, from: string, order: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields}) order by ${order}), '[]') from ${from})`;

type Counted<Name extends keyof BioFigures> = BioFigures[Name] extends readonly (infer One extends object)[]
  ? One
  : never;

const figures = {
  since: orNull(isText),
  daily: isListOf(
    isObjectOf<Counted<"daily">>({
      date: isText,
      views: isNumber,
      clicks: isNumber,
      visitors: isNumber,
      clickers: isNumber,
    }),
  ),
  links: isListOf(
    isObjectOf<Counted<"links">>({ id: isText, title: isText, url: isText, clicks: isNumber, deleted: isBoolean }),
  ),
  referrers: isListOf(isObjectOf<Counted<"referrers">>({ host: orNull(isText), views: isNumber })),
  countries: isListOf(isObjectOf<Counted<"countries">>({ country: orNull(isText), views: isNumber })),
  devices: isListOf(isObjectOf<Counted<"devices">>({ device: isOneOf(...deviceNames), views: isNumber })),
  excluded: isObjectOf<BioFigures["excluded"]>({
    bots: isNumber,
    prefetch: isNumber,
    owner: isNumber,
    floods: isNumber,
  }),
};

/** One statement, so that all figures are of one moment. */
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

export const createBioEvents = (database: Database, reads: ReadRoute): BioEvents => ({
  async saltOf(day, fresh) {
    const kept = await rowOf(database, readSalt, { day });
    if (kept) return kept.salt;
    await execute(database, keepSalt, { day, salt: fresh });
    return (await onlyRowOf(database, readSalt, { day })).salt;
  },
  write: (batch, now) => writeBioBatch(database, batch, now),
  read: (accountId, { earliest, from, to }) =>
    reads.read(accountId, (on) => onlyRowOf(on, readFigures, { accountId, earliest, from, to })),
  fold: (now) => foldBioEvents(database, now),
});
