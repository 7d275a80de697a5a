export const firstTables = `
create table account (
  number bigint generated always as identity unique,
  id text primary key,
  email text not null,
  plan text not null,
  created_at timestamptz not null,
  period_anchor timestamptz
);

create table api_key (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account,
  slot smallint not null check (slot between 1 and 5),
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index api_key_live_slot on api_key (account_id, slot) where revoked_at is null;
create index api_key_account on api_key (account_id, number);

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

-- Counts one call against every asked bucket (1 to 4) or against none. Calls are kept one by one while the lowest limit
-- is at most 1000; above it they share 30-second marks, rounded up, so that a row stays small and no hour holds too many.
-- remaining and reset_seconds follow the order of asked; reset_seconds is the time until one more call is free.
create function take_call(caller text, asked integer[], limits integer[], moment timestamptz)
returns table (taken boolean, remaining integer[], reset_seconds double precision[])
language plpgsql as $$
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
  loop
    select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
    from rate_limit as r where r.subject = caller for update;
    exit when found;
    insert into rate_limit (subject) values (caller) on conflict (subject) do nothing;
  end loop;

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

  taken := true;
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

-- Units charged (used) and held of a slot in a period; what a slot used outlives its keys.
create table allowance (
  account_id text not null references account,
  slot smallint not null check (slot between 0 and 5),
  period text not null,
  used integer not null default 0 check (used >= 0),
  held integer not null default 0 check (held >= 0),
  primary key (account_id, slot, period)
) with (fillfactor = 80);

-- The shared cache. token_version tells which rules made the tokens.
create table transcript (
  id bigint generated always as identity primary key,
  platform text not null,
  media_id text not null,
  reel json not null,
  text text not null,
  segments json not null,
  language text not null,
  language_probability double precision,
  seconds double precision not null,
  speech_seconds double precision not null,
  truncated boolean not null,
  model text not null,
  created_at timestamptz not null,
  views bigint,
  engagement_rate double precision,
  token_version integer not null,
  tokens tsvector not null,
  unique (platform, media_id)
);
create index transcript_token_version on transcript (token_version);

-- attempt counts claims and fences them; tries_left counts what may still be tried.
create table transcription (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account,
  platform text not null,
  media_id text not null,
  shortcode text not null,
  url text not null,
  language_hint text,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  attempt integer not null default 0,
  tries_left smallint not null default 2 check (tries_left >= 0),
  worker text,
  lease_until timestamptz,
  progress double precision not null default 0,
  failure json,
  queued_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'running') = (lease_until is not null)),
  check ((state = 'failed') = (failure is not null))
) with (fillfactor = 80);
create unique index transcription_one_per_reel on transcription (platform, media_id) where state in ('queued', 'running');
create index transcription_waiting on transcription (queued_at, number) where state in ('queued', 'running');

create table hold (
  transcription_id text primary key references transcription,
  account_id text not null,
  slot smallint not null,
  period text not null,
  state text not null default 'held' check (state in ('held', 'charged', 'refunded')),
  held_at timestamptz not null,
  settled_at timestamptz,
  foreign key (account_id, slot, period) references allowance,
  check ((state = 'held') = (settled_at is null))
);
create index hold_allowance on hold (account_id, slot, period);

create table refusal (
  platform text not null,
  media_id text not null,
  model text not null,
  until timestamptz not null,
  failure json not null,
  primary key (platform, media_id, model)
);

-- A transcript in an account's library. A narrow heap: searching reads many rows of it and the tokens of none.
create table script (
  number bigint generated always as identity primary key,
  id text not null unique,
  account_id text not null references account,
  transcript_id bigint not null references transcript,
  added_at timestamptz not null,
  views bigint,
  engagement_rate double precision,
  tokens tsvector not null,
  unique (account_id, transcript_id)
) with (toast_tuple_target = 128);
alter table script alter column tokens set storage external;
create index script_tokens on script using gin (tokens);
create index script_by_date on script (account_id, added_at desc, number desc);
create index script_by_views on script (account_id, views desc nulls last, number desc);
create index script_by_engagement on script (account_id, engagement_rate desc nulls last, number desc);
create index script_transcript on script (transcript_id);
`;
