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

create function take_call(
  caller text, asked integer[], limits integer[], moment timestamptz, counting boolean
)
returns table (taken boolean, remaining integer[], reset_seconds double precision[])
language plpgsql as $$
-- Counts one call against every asked bucket (1 to 4) or against none; unless counting, it only looks.
-- Calls are kept one by one while the lowest limit is at most 1000; above it they share 30-second marks, rounded up, so
-- that a row stays small and no hour holds too many.
-- remaining and reset_seconds follow the order of asked; reset_seconds is the time until one more call is free.
declare
  ats timestamptz[];
  masks integer[];
  counts integer[];
  sums integer[];
  expired integer := 0;
  size integer;
  place integer;
  mask integer := 0;
  surplus integer;
  lowest integer;
  mark timestamptz := moment;
  resets double precision[] := '{}';
  rests integer[] := '{}';
begin
  if counting then
    loop
      select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
      from rate_limit as r where r.subject = caller for update;
      exit when found;
      insert into rate_limit (subject) values (caller) on conflict (subject) do nothing;
    end loop;
  else
    select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
    from rate_limit as r where r.subject = caller;
    if not found then
      ats := '{}'; masks := '{}'; counts := '{}'; sums := '{0,0,0,0}';
    end if;
  end if;

  size := cardinality(ats);
  while expired < size and ats[expired + 1] <= moment - interval '1 hour' loop
    expired := expired + 1;
    for bucket in 1 .. 4 loop
      if masks[expired] & (1 << (bucket - 1)) <> 0 then
        sums[bucket] := sums[bucket] - counts[expired];
      end if;
    end loop;
  end loop;
  if expired > 0 then
    ats := ats[expired + 1 :];
    masks := masks[expired + 1 :];
    counts := counts[expired + 1 :];
    size := size - expired;
  end if;

  taken := counting;
  for i in 1 .. cardinality(asked) loop
    taken := taken and sums[asked[i]] < limits[i];
    mask := mask | (1 << (asked[i] - 1));
    lowest := least(lowest, limits[i]);
  end loop;

  if taken then
    if lowest > 1000 then
      mark := to_timestamp(ceil(extract(epoch from moment) / 30) * 30);
    end if;
    if size > 0 and ats[size] > mark then
      mark := ats[size];
    end if;
    place := size;
    while place > 0 and ats[place] = mark and masks[place] <> mask loop
      place := place - 1;
    end loop;
    if place > 0 and ats[place] = mark then
      counts[place] := counts[place] + 1;
    else
      ats := ats || mark;
      masks := masks || mask;
      counts := counts || 1;
      size := size + 1;
    end if;
    for i in 1 .. cardinality(asked) loop
      sums[asked[i]] := sums[asked[i]] + 1;
    end loop;
    update rate_limit set at = ats, buckets = masks, calls = counts, used = sums where subject = caller;
  end if;

  for i in 1 .. cardinality(asked) loop
    rests := rests || greatest(limits[i] - sums[asked[i]], 0);
    if sums[asked[i]] = 0 then
      resets := resets || 0::double precision;
    else
      -- Normally the oldest call; a later one when the limit was lowered since.
      surplus := greatest(sums[asked[i]] - limits[i], 0);
      place := 0;
      loop
        place := place + 1;
        if masks[place] & (1 << (asked[i] - 1)) <> 0 then
          surplus := surplus - counts[place];
        end if;
        exit when surplus < 0 or place = size;
      end loop;
      resets := resets || (extract(epoch from ats[place] - moment) + 3600)::double precision;
    end if;
  end loop;
  remaining := rests;
  reset_seconds := resets;
  return next;
end
$$;
`;
