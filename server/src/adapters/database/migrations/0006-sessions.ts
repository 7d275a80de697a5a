export const sessions = `
create table session (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account,
  hash bytea not null unique,
  browser text,
  id_token text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_account on session (account_id, number);
`;
