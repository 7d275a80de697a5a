/** Scripts are deleted for a while, tagged, and found again by searches that have a name; revisions have dates. */
export const keptLibraries = `
-- tags: a bit for each row of tag, by its slot.
alter table script alter column account_id drop not null, add column tags integer not null default 0;

-- A script that can be restored. Meanwhile its row in script belongs to no account, so that nothing that reads a library
-- finds it; its correction and its tags stay with it.
create table deleted_script (
  number bigint primary key references script on delete cascade,
  account_id text not null references account on delete cascade,
  transcript_id bigint not null,
  deleted_at timestamptz not null,
  unique (account_id, transcript_id)
);
create index deleted_script_account on deleted_script (account_id, deleted_at desc, number desc);
create index deleted_script_due on deleted_script (deleted_at);

-- The names of an account's tags. folded: by which they are compared.
create table tag (
  account_id text not null references account on delete cascade,
  slot smallint not null check (slot between 0 and 19),
  name text not null,
  folded text not null,
  primary key (account_id, slot),
  unique (account_id, folded)
);

create table saved_search (
  id text primary key,
  account_id text not null references account on delete cascade,
  name text not null,
  folded text not null,
  search json not null,
  created_at timestamptz not null,
  unique (account_id, folded)
);

-- Whoever has the token may download what the search finds. hash: SHA-256 of the token.
create table script_export (
  number bigint generated always as identity unique,
  hash bytea primary key,
  account_id text not null references account on delete cascade,
  search json not null,
  expires_at timestamptz not null
);
create index script_export_account on script_export (account_id, number);
create index script_export_due on script_export (expires_at);

-- Unknown for revisions of earlier releases.
alter table bio_revision add column changed_at timestamptz;
`;
