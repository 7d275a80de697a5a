export const batches = `
-- Links that an account sent together. slot and key_id say whose limits and quota they count against. since: when it was sent
-- or last retried. fingerprint: of its links and hint. next_at: when the next links may be begun, or its end be noticed. finishes counts how often it ended.
create table batch (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  slot smallint not null,
  key_id text,
  language_hint text,
  fingerprint bytea not null,
  duplicates integer not null,
  created_at timestamptz not null,
  since timestamptz not null,
  next_at timestamptz not null,
  waiting_for text check (waiting_for in ('rateLimit', 'quota', 'queue', 'platform')),
  finished_at timestamptz,
  finishes integer not null default 0
) with (fillfactor = 80);
create index batch_account on batch (account_id, created_at desc, number desc);
create index batch_open on batch (account_id) where finished_at is null;
create index batch_due on batch (next_at) where finished_at is null;
create index batch_created on batch (created_at);

-- The reel is unknown for share links until the platform was asked, which failed tries times and is next done at ask_at. While a link is begun, its transcription has its state.
create table batch_link (
  batch_id text not null references batch on delete cascade,
  position integer not null,
  url text not null,
  platform text,
  media_id text,
  shortcode text,
  reel_url text,
  state text not null check (state in ('waiting', 'begun', 'done', 'failed', 'canceled')),
  cached boolean not null default false,
  tries smallint not null default 0,
  ask_at timestamptz,
  transcription_id text,
  failure json,
  primary key (batch_id, position),
  check ((state = 'failed') = (failure is not null)),
  check (state <> 'begun' or transcription_id is not null)
) with (fillfactor = 80);
create index batch_link_begun on batch_link (batch_id, transcription_id) where state = 'begun';

alter table webhook_delivery add column batch_id text;
`;
