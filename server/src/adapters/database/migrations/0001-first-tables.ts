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

-- One row per subject, so that taking from several buckets locks and writes once. Oldest first:
-- calls[i] calls at moment at[i] were counted against the buckets whose bits are set in buckets[i].
create table rate_limit (
  subject text primary key,
  at timestamptz[] not null default '{}',
  buckets integer[] not null default '{}',
  calls integer[] not null default '{}'
) with (fillfactor = 60);

-- used: calls of the last hour in each asked bucket. reset_seconds: until the oldest call whose end frees one more.
create function rate_limit_states(call_log rate_limit, asked_bits integer[], asked_limits integer[], moment timestamptz)
returns table (used integer[], reset_seconds double precision[])
language sql stable as $$
  select array_agg(state.used order by state.place), array_agg(state.reset_seconds order by state.place)
  from (
    select asked.place,
      coalesce(max(counted.running), 0)::integer as used,
      coalesce(
        extract(epoch from min(counted.at) filter (where counted.running > counted.total - asked.most))
        - extract(epoch from moment) + 3600,
        0
      )::double precision as reset_seconds
    from unnest(asked_bits, asked_limits) with ordinality as asked (bit, most, place)
    left join lateral (
      select call.at,
        sum(call.calls) over (order by call.place) as running,
        sum(call.calls) over () as total
      from unnest(call_log.at, call_log.buckets, call_log.calls) with ordinality as call (at, buckets, calls, place)
      where call.buckets & asked.bit <> 0 and call.at > moment - interval '1 hour'
    ) as counted on true
    group by asked.place
  ) as state
$$;

-- Counts one call against every asked bucket or against none. Calls are kept one by one while the lowest limit is at
-- most 1000; above it they share 30-second marks, rounded up, so that a row stays small and no hour holds too many.
create function take_call(caller text, asked_bits integer[], asked_limits integer[], moment timestamptz)
returns table (taken boolean, used integer[], reset_seconds double precision[])
language plpgsql as $$
declare
  call_log rate_limit;
  expired integer := 0;
  mark timestamptz := moment;
  mask integer := 0;
  room boolean := true;
  newest integer;
  place integer;
begin
  loop
    select * into call_log from rate_limit where subject = caller for update;
    exit when found;
    insert into rate_limit (subject) values (caller) on conflict (subject) do nothing;
  end loop;

  while expired < cardinality(call_log.at) and call_log.at[expired + 1] <= moment - interval '1 hour' loop
    expired := expired + 1;
  end loop;
  if expired > 0 then
    call_log.at := call_log.at[expired + 1 :];
    call_log.buckets := call_log.buckets[expired + 1 :];
    call_log.calls := call_log.calls[expired + 1 :];
  end if;

  select states.used, states.reset_seconds into used, reset_seconds
  from rate_limit_states(call_log, asked_bits, asked_limits, moment) as states;
  for i in 1 .. cardinality(asked_bits) loop
    room := room and used[i] < asked_limits[i];
    mask := mask | asked_bits[i];
  end loop;
  taken := room;
  if not room then
    return next;
    return;
  end if;

  if (select min(most) from unnest(asked_limits) as most) > 1000 then
    mark := to_timestamp(ceil(extract(epoch from moment) / 30) * 30);
  end if;
  newest := cardinality(call_log.at);
  if newest > 0 then
    mark := greatest(mark, call_log.at[newest]);
  end if;
  place := newest;
  while place > 0 and call_log.at[place] = mark and call_log.buckets[place] <> mask loop
    place := place - 1;
  end loop;
  if place > 0 and call_log.at[place] = mark then
    call_log.calls[place] := call_log.calls[place] + 1;
  else
    call_log.at := call_log.at || mark;
    call_log.buckets := call_log.buckets || mask;
    call_log.calls := call_log.calls || 1;
  end if;
  update rate_limit
  set at = call_log.at, buckets = call_log.buckets, calls = call_log.calls
  where subject = caller;

  for i in 1 .. cardinality(asked_bits) loop
    if used[i] = 0 then
      reset_seconds[i] := extract(epoch from mark) - extract(epoch from moment) + 3600;
    end if;
    used[i] := used[i] + 1;
  end loop;
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
