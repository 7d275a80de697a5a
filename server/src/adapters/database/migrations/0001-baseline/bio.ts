export const bio = `
-- is_listed: whether its owner wants it in the sitemap and lets search engines in.
create table bio_page (
  id text primary key,
  account_id text not null unique references account on delete cascade,
  handle text unique,
  revision integer not null default 0 check (revision >= 0),
  content json not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  taken_down_at timestamptz,
  is_listed boolean generated always as (
    content -> 'seo' ->> 'sitemap' = 'true' and content -> 'seo' ->> 'noindex' is distinct from 'true'
  ) stored
);
create index bio_page_listed on bio_page (id) where is_listed;

create table bio_revision (
  bio_id text not null references bio_page on delete cascade,
  revision integer not null,
  content json not null,
  primary key (bio_id, revision)
);

-- Handles that were given up: until then only their account may claim them again, and nobody if it was deleted.
create table bio_former_handle (
  handle text primary key,
  account_id text references account on delete set null,
  held_until timestamptz not null
);
create index bio_former_handle_account on bio_former_handle (account_id);
create index bio_former_handle_end on bio_former_handle (held_until);

-- Every link that the page has or had, as it was last, so that clicks keep their name. check_at: when it is requested
-- next; checked_url, problem, failing_since: what was found at which address the last time.
create table bio_link (
  number bigint generated always as identity unique,
  id text primary key,
  bio_id text not null references bio_page on delete cascade,
  title text not null,
  url text not null,
  deleted_at timestamptz,
  check_at timestamptz not null default '-infinity',
  checked_url text,
  problem text check (problem in ('gone', 'unresolved')),
  failing_since timestamptz
);
create index bio_link_page on bio_link (bio_id, number);
create index bio_link_check on bio_link (check_at) where deleted_at is null;

-- A view, or a click when it has a link. day is of UTC. visitor is a hash whose salt is thrown away.
create table bio_event (
  number bigint generated always as identity primary key,
  bio_id text not null references bio_page on delete cascade,
  link_id text references bio_link on delete cascade,
  day date not null,
  at timestamptz not null,
  visitor bytea not null,
  referrer text,
  country text,
  device text not null
);
create index bio_event_day on bio_event (bio_id, day);
create index bio_event_link on bio_event (link_id) where link_id is not null;

-- The last counted click of a visitor on a link; rows older than an hour mean nothing.
create table bio_recent_click (
  link_id text not null references bio_link on delete cascade,
  visitor bytea not null,
  at timestamptz not null,
  primary key (link_id, visitor)
);
create index bio_recent_click_end on bio_recent_click (at);

create table bio_exclusion (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  reason text not null check (reason in ('bots', 'prefetch', 'owner', 'floods')),
  requests bigint not null,
  primary key (bio_id, day, reason)
) with (fillfactor = 80);

create table bio_salt (
  day date primary key,
  salt bytea not null
);

-- Whose events were folded, until their day is closed, so that they aren't counted as another visitor.
create table bio_visitor (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  visitor bytea not null,
  clicked boolean not null,
  primary key (bio_id, day, visitor)
);
create index bio_visitor_day on bio_visitor (day);

-- What is left of a day's events when they are folded.
create table bio_day (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  views bigint not null,
  clicks bigint not null,
  visitors bigint not null,
  clickers bigint not null,
  primary key (bio_id, day)
);

create table bio_day_link (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  link_id text not null references bio_link on delete cascade,
  clicks bigint not null,
  primary key (bio_id, day, link_id)
);
create index bio_day_link_link on bio_day_link (link_id);

-- The value is empty where nothing is known. 'rest' is of the sites beyond the most frequent ones, whose names are dropped
-- when the day is closed.
create table bio_day_view (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  kind text not null check (kind in ('referrer', 'rest', 'country', 'device')),
  value text not null,
  views bigint not null,
  primary key (bio_id, day, kind, value)
);

-- Batches of counts that were written, so that one whose answer was lost is not written twice.
create table bio_batch (
  id text primary key,
  at timestamptz not null
);
create index bio_batch_end on bio_batch (at);
`;
