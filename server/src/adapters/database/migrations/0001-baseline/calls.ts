export const calls = `
-- Programs that people connect take the place of a key. address: of a connected program, where it is, as it was shown
-- when it was allowed; null of a key.
create table api_key (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  slot smallint not null check (slot between 1 and 5),
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  read_only boolean not null default false,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  address text
);
create unique index api_key_live_slot on api_key (account_id, slot) where revoked_at is null;
create index api_key_account on api_key (account_id, number);
create index api_key_revoked_at on api_key (revoked_at) where revoked_at is not null;

-- What a connected program and its person are in the middle of, and what they hold: known by the SHA-256 of its secret, and
-- gone with the place. grant_hash: of the grant that a code or a token belongs to; on the grant itself its own.
create table oauth_artifact (
  kind text not null,
  hash bytea not null,
  key_id text references api_key on delete cascade,
  grant_hash bytea,
  payload json not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, hash)
);
create index oauth_artifact_expires on oauth_artifact (expires_at);
create index oauth_artifact_key on oauth_artifact (key_id) where key_id is not null;
create index oauth_artifact_grant on oauth_artifact (grant_hash) where grant_hash is not null;

-- The last requests of a key, newest first: [{"at", "operation", "door", "status"}]. One row, so that a batch of requests
-- writes each key once.
create table key_request (
  key_id text primary key references api_key on delete cascade,
  requests json not null
) with (fillfactor = 60);

-- One row per subject, so that taking from several buckets locks and writes once. The calls of the last hour, oldest
-- first: calls[i] calls at moment at[i] were counted against the buckets whose bits are set in buckets[i].
-- used[n] is the sum of the calls that have the bit of bucket n (1, 2, 4, 8).
create table rate_limit (
  subject text primary key,
  at timestamptz[] not null default '{}',
  buckets integer[] not null default '{}',
  calls integer[] not null default '{}',
  used integer[] not null default '{0,0,0,0}'
) with (fillfactor = 60);

-- A key of a caller and the answer to its request; without output while the call is under way.
-- at is the moment when the call was begun, or answered.
create table idempotent_answer (
  account_id text not null references account on delete cascade,
  key text not null,
  token text not null unique,
  request bytea not null,
  at timestamptz not null,
  accepted boolean,
  output json,
  primary key (account_id, key),
  check ((accepted is null) = (output is null))
);
create index idempotent_answer_at on idempotent_answer (at);
`;
