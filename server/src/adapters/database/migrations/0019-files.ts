/** Files of an account's own, received in parts; and transcriptions that hold several units. */
export const files = `
alter table hold add column units smallint not null default 1 check (units > 0);

-- token_hash: SHA-256 of the secret in the upload's address. size: the bytes that the sender stated, received: those that are
-- stored, in parts and in the tail, which is the beginning of the next part. writer: counts the requests that wrote; only the last
-- one may. units: the most that it may use. slot: whose allowance it uses. seconds, sha256: what the sender stated. ended_at: when
-- it was done, failed (with a failure) or was canceled. deleted_at: when its bytes were deleted, deleted_bytes: how many.
create table file (
  id text primary key,
  account_id text not null references account on delete cascade,
  slot smallint not null,
  token_hash bytea not null unique,
  name text not null,
  title text not null,
  language_hint text,
  size bigint not null check (size > 0),
  seconds double precision,
  sha256 bytea,
  units smallint not null check (units > 0),
  keep_days smallint not null check (keep_days >= 0),
  writer integer not null default 0,
  parts integer not null default 0,
  received bigint not null default 0,
  tail bytea not null default '',
  media_id text,
  transcription_id text unique,
  failure json,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  begin_at timestamptz,
  ended_at timestamptz,
  kept_until timestamptz,
  deleted_at timestamptz,
  deleted_bytes bigint
) with (fillfactor = 80);
alter table file alter column tail set storage external;
create index file_account on file (account_id, created_at);
create index file_stored on file (account_id) where deleted_at is null;
create index file_open on file (expires_at) where ended_at is null;
create index file_begin on file (begin_at) where begin_at is not null;
create index file_kept on file (kept_until) where kept_until is not null;
create index file_deleted on file (deleted_at) where deleted_at is not null;

create table file_part (
  file_id text not null references file on delete cascade,
  number integer not null,
  bytes bytea,
  object text,
  hash bytea not null,
  primary key (file_id, number),
  check ((bytes is null) <> (object is null))
);
alter table file_part alter column bytes set storage external;
`;
