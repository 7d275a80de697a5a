export const bio = `
create table bio_page (
  id text primary key,
  account_id text not null unique references account,
  handle text unique,
  revision integer not null default 0 check (revision >= 0),
  content json not null,
  created_at timestamptz not null,
  updated_at timestamptz
);

create table bio_revision (
  bio_id text not null references bio_page,
  revision integer not null,
  content json not null,
  made_at timestamptz not null,
  primary key (bio_id, revision)
);

-- Every link that the page has or had, as it was last, so that clicks keep their name.
create table bio_link (
  number bigint generated always as identity unique,
  id text primary key,
  bio_id text not null references bio_page,
  title text not null,
  url text not null,
  deleted_at timestamptz
);
create index bio_link_page on bio_link (bio_id, number);

-- A view, or a click when it has a link. day is of UTC. visitor is a hash whose salt is thrown away.
create table bio_event (
  number bigint generated always as identity primary key,
  bio_id text not null references bio_page,
  link_id text references bio_link,
  day date not null,
  at timestamptz not null,
  visitor bytea not null,
  referrer text,
  country text,
  device text not null
);
create index bio_event_day on bio_event (bio_id, day);

-- The last counted click of a visitor on a link; rows older than an hour mean nothing.
create table bio_recent_click (
  link_id text not null references bio_link,
  visitor bytea not null,
  at timestamptz not null,
  primary key (link_id, visitor)
);

create table bio_exclusion (
  bio_id text not null references bio_page,
  day date not null,
  reason text not null check (reason in ('bots', 'prefetch', 'owner')),
  requests bigint not null,
  primary key (bio_id, day, reason)
) with (fillfactor = 80);

create table bio_salt (
  day date primary key,
  salt bytea not null
);
`;
