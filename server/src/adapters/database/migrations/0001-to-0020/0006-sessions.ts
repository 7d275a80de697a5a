export const sessions = `
alter table account add column name text;

create table identity (
  issuer text not null,
  subject text not null,
  account_id text not null references account on delete cascade,
  email text,
  name text,
  created_at timestamptz not null,
  signed_in_at timestamptz,
  primary key (issuer, subject)
);
create index identity_account on identity (account_id);

create table sign_in_attempt (
  state_hash bytea primary key,
  browser_hash bytea not null,
  verifier text not null,
  nonce text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index sign_in_attempt_expires on sign_in_attempt (expires_at);

-- A cookie's value is renewed in two steps, so that an answer that is lost on its way signs nobody out: next_hash is
-- offered, and becomes hash when it is first used; the value before stays known as previous_hash.
create table session (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  hash bytea not null unique,
  next_hash bytea unique,
  previous_hash bytea unique,
  browser text,
  id_token text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  renewed_at timestamptz not null,
  offered_at timestamptz,
  expires_at timestamptz not null
);
create index session_account on session (account_id, number);
create index session_expires on session (expires_at);
`;
