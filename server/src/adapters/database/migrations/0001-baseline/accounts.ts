export const accounts = `
-- subscription_id names the subscription that the plan comes from; the paid period is that of its last payment.
create table account (
  number bigint generated always as identity unique,
  id text primary key,
  email text not null,
  name text,
  plan text not null,
  created_at timestamptz not null,
  period_anchor timestamptz,
  subscription_id text,
  paid_from timestamptz,
  paid_until timestamptz,
  suspended_at timestamptz,
  check ((paid_from is null) = (paid_until is null))
);

-- The ids of accounts that were deleted, and nothing else of them. What is still paid for one of these is ended; what is
-- paid for an account that was never here belongs to another service of the same biller.
create table removed_account (id text primary key);

-- What the identity of a removed account had used of the allowances that never reset: units[n] in slot n - 1. The identity
-- is only a hash. removed_on is a day of UTC: a moment would lead to what else was written then. page_taken_down_at: when
-- its bio page was taken down, if it was; the page of the next account is, too.
create table remembered_use (
  fingerprint bytea primary key,
  units integer[] not null check (cardinality(units) = 6),
  posts integer not null check (posts >= 0),
  removed_on date not null,
  page_taken_down_at timestamptz
);
create index remembered_use_end on remembered_use (removed_on);

create table identity (
  issuer text not null,
  subject text not null,
  account_id text not null references account on delete cascade,
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
-- offered, and becomes hash when it is first used; the value before stays known as previous_hash. A connected extension
-- has a session that no cookie opens: its hash is that of a token.
create table session (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  kind text not null default 'browser' check (kind in ('browser', 'extension')),
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

-- What a person approved and the extension has not fetched yet. challenge: SHA-256 of what only the extension knows. It
-- ends with the session in which it was approved.
create table extension_code (
  code_hash bytea primary key,
  account_id text not null references account on delete cascade,
  session_id text references session on delete cascade,
  challenge bytea not null,
  expires_at timestamptz not null
);
create index extension_code_expires on extension_code (expires_at);
create index extension_code_account on extension_code (account_id);
create index extension_code_session on extension_code (session_id);
`;
