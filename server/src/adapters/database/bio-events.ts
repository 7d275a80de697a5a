import type { Pool } from "pg";
import type { BioEvents, BioFigures } from "../../ports.ts";
import { foldBioEvents } from "./fold-bio-events.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

const keepSalt: Statement = {
  name: "keep-bio-salt",
  text: "insert into bio_salt (day, salt) values ($1::date, $2) on conflict (day) do nothing",
};
const readSalt: Statement = { name: "read-bio-salt", text: "select salt from bio_salt where day = $1::date" };

const recordView: Statement = {
  name: "record-bio-view",
  text: `
    with written as (
      insert into bio_event (bio_id, day, at, visitor, referrer, country, device)
      select id, ($2::timestamptz at time zone 'UTC')::date, $2, $3, $4, $5, $6 from bio_page where id = $1
      returning number
    )
    select (select count(*) from written) as known, (select count(*) from written) as written`,
};

/** The row of the last counted click decides, because racers wait for it. */
const recordClick: Statement = {
  name: "record-bio-click",
  text: `
    with link as (
      select id, bio_id from bio_link where bio_id = $1 and id = $7
    ), counted as (
      insert into bio_recent_click as recent (link_id, visitor, at) select id, $3, $2 from link
      on conflict (link_id, visitor) do update set at = excluded.at where recent.at <= excluded.at - interval '1 hour'
      returning link_id
    ), written as (
      insert into bio_event (bio_id, link_id, day, at, visitor, referrer, country, device)
      select link.bio_id, link.id, ($2::timestamptz at time zone 'UTC')::date, $2, $3, $4, $5, $6
      from link join counted on counted.link_id = link.id
      returning number
    )
    select (select count(*) from link) as known, (select count(*) from written) as written`,
};

const countExclusion: Statement = {
  name: "count-bio-exclusion",
  text: `
    insert into bio_exclusion as e (bio_id, day, reason, requests)
    select id, ($3::timestamptz at time zone 'UTC')::date, $2, 1 from bio_page where id = $1
    on conflict (bio_id, day, reason) do update set requests = e.requests + 1`,
};

const list = (fields: string, from: string, order: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields}) order by ${order}), '[]') from ${from})`;

/** One statement, so that all figures are of one moment. */
const readFigures: Statement = {
  name: "read-bio-figures",
  text: `
    with page as (
      select id from bio_page where account_id = $1
    ), event as materialized (
      select e.day, e.link_id, e.visitor, e.referrer, e.country, e.device
      from bio_event as e join page on page.id = e.bio_id where e.day between $2::date and $4::date
    ), visitor as (
      select day, count(*) - count(link_id) as views, count(link_id) as clicks
      from event group by day, visitor
    ), daily as (
      select day, sum(views) as views, sum(clicks) as clicks, sum(visitors) as visitors, sum(clickers) as clickers
      from (
        select day, views, clicks, 1 as visitors, (clicks > 0)::integer as clickers from visitor
        union all
        select d.day, d.views, d.clicks, d.visitors, d.clickers
        from bio_day as d join page on page.id = d.bio_id where d.day between $2::date and $4::date
      ) as part
      group by day
    ), clicked as (
      select link_id, sum(clicks) as clicks
      from (
        select link_id, 1 as clicks from event where day >= $3::date and link_id is not null
        union all
        select d.link_id, d.clicks
        from bio_day_link as d join page on page.id = d.bio_id where d.day between $3::date and $4::date
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
      where event.day >= $3::date and event.link_id is null
      union all
      select d.kind, nullif(d.value, ''), d.views
      from bio_day_view as d join page on page.id = d.bio_id where d.day between $3::date and $4::date
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
      ${list("'date', to_char(day, 'YYYY-MM-DD'), 'views', views, 'clicks', clicks, 'visitors', visitors, 'clickers', clickers", "daily", "day")} as daily,
      ${list("'id', id, 'title', title, 'url', url, 'clicks', clicks, 'deleted', deleted", "link", "clicks desc, deleted, number")} as links,
      ${list("'host', host, 'views', views", "referrer", "views desc, host nulls last")} as referrers,
      ${list("'country', country, 'views', views", "country", "views desc, country nulls last")} as countries,
      ${list("'device', device, 'views', views", "device", "views desc, device")} as devices,
      (
        select json_build_object(
          'bots', coalesce(sum(x.requests) filter (where x.reason = 'bots'), 0),
          'prefetch', coalesce(sum(x.requests) filter (where x.reason = 'prefetch'), 0),
          'owner', coalesce(sum(x.requests) filter (where x.reason = 'owner'), 0)
        )
        from bio_exclusion as x join page on page.id = x.bio_id where x.day between $3::date and $4::date
      ) as excluded`,
};

const forgetSalts: Statement = {
  name: "forget-bio-salts",
  text: "delete from bio_salt where day < (($1::timestamptz - interval '1 hour') at time zone 'UTC')::date",
};
/** A row that counts a click meanwhile has moved, and stays. */
const forgetClicks: Statement = {
  name: "forget-bio-clicks",
  text: `
    with forgotten as (
      delete from bio_recent_click
      where ctid = any(array(
        select ctid from bio_recent_click where at <= $1::timestamptz - interval '1 hour' limit $2::integer
      ))
      returning 1
    )
    select count(*)::integer as count from forgotten`,
};
const forgottenAtATime = 10_000;

export const createBioEvents = (pool: Pool): BioEvents => ({
  async saltOf(day, fresh) {
    const [kept] = await rowsOf<{ salt: Uint8Array }>(pool, readSalt, [day]);
    if (kept) return kept.salt;
    await rowsOf(pool, keepSalt, [day, fresh]);
    const [row] = await rowsOf<{ salt: Uint8Array }>(pool, readSalt, [day]);
    if (!row) throw new Error(`The salt of ${day} is not there`);
    return row.salt;
  },
  async record({ bioId, linkId, visitor, at, referrer, country, device }) {
    const values = [storable(bioId), at, visitor, referrer === null ? null : storable(referrer), country, device];
    const [row] = await rowsOf<{ known: number; written: number }>(
      pool,
      linkId === null ? recordView : recordClick,
      linkId === null ? values : [...values, storable(linkId)],
    );
    if (row?.known !== 1) return "unknown";
    return row.written === 1 ? "counted" : "repeated";
  },
  async exclude(bioId, reason, at) {
    await rowsOf(pool, countExclusion, [storable(bioId), reason, at]);
  },
  async read(accountId, { earliest, from, to }) {
    const [row] = await rowsOf<BioFigures>(pool, readFigures, [storable(accountId), earliest, from, to]);
    if (!row) throw new Error("The database answered nothing");
    const { daily, links, referrers, countries, devices, excluded } = row;
    return { daily, links, referrers, countries, devices, excluded };
  },
  async forget(now) {
    await rowsOf(pool, forgetSalts, [now]);
    let count: number;
    do {
      const [row] = await rowsOf<{ count: number }>(pool, forgetClicks, [now, forgottenAtATime]);
      count = row?.count ?? 0;
    } while (count === forgottenAtATime);
  },
  fold: (now) => foldBioEvents(pool, now),
});
