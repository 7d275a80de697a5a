export const queue = `
-- Transcribing many reels again, after everything that waits. position: up to here all transcripts were looked at.
-- recognizer_revision: workers of an older one leave the run alone.
create table retranscription_run (
  id bigint generated always as identity primary key,
  revision integer,
  recognizer_revision integer not null,
  state text not null default 'running' check (state in ('running', 'stopped', 'done')),
  position bigint not null default 0,
  total bigint not null,
  started_at timestamptz not null
);
create unique index retranscription_run_one on retranscription_run (state) where state = 'running';

-- account_id: who asked for it; null when that account was deleted, and of a run. owner: as in transcript.
-- attempt counts claims and fences them; tries_left counts what may still be tried. crashes counts the leases that ran
-- out: whoever worked on it then died or was cut off. A worker whose machine failed it (setbacks counts how often) leaves
-- it to others for a while. waits: while it runs, whether it waits until it may ask the platform.
-- retranscribes: the transcript that it may replace, what became of that, and whether the caller was answered.
create table transcription (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text references account on delete set null,
  platform text not null,
  media_id text not null,
  owner text references account on delete cascade,
  shortcode text not null,
  url text not null,
  language_hint text,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  attempt integer not null default 0,
  tries_left smallint not null default 2 check (tries_left >= 0),
  crashes smallint not null default 0,
  setbacks smallint not null default 0,
  avoid_worker text,
  avoid_until timestamptz,
  worker text,
  lease_until timestamptz,
  progress double precision not null default 0,
  waits boolean not null default false,
  failure json,
  queued_at timestamptz not null,
  finished_at timestamptz,
  retranscribes bigint references transcript on delete set null,
  retranscription_run bigint references retranscription_run,
  retranscription_outcome text check (
    retranscription_outcome in ('replaced', 'empty', 'shorterAudio', 'notFewerGaps', 'fewerWords')
  ),
  retranscription_answered boolean not null default false,
  check ((state = 'running') = (lease_until is not null)),
  check ((state = 'failed') = (failure is not null))
) with (fillfactor = 80);
create unique index transcription_one_per_reel on transcription (platform, media_id, owner) nulls not distinct
  where state in ('queued', 'running');
create index transcription_waiting on transcription ((coalesce(account_id, '')), queued_at, number)
  where state = 'queued' and tries_left > 0;
create index transcription_running on transcription (lease_until) where state = 'running';
create index transcription_spent on transcription (queued_at, number)
  where state in ('queued', 'running') and tries_left = 0;
-- An account's transcriptions are listed newest first, a page at a time.
create index transcription_account on transcription (account_id, queued_at desc, number desc);
create index transcription_owner on transcription (owner) where owner is not null;
create index transcription_retranscribes on transcription (retranscribes, number) where retranscribes is not null;
create index transcription_retranscription_run on transcription (retranscription_run)
  where retranscription_run is not null;

-- The unit that a transcription holds until it ends.
create table hold (
  transcription_id text primary key references transcription on delete cascade,
  account_id text not null,
  slot smallint not null,
  period text not null,
  state text not null default 'held' check (state in ('held', 'charged', 'refunded')),
  held_at timestamptz not null,
  foreign key (account_id, slot, period) references allowance on delete cascade
);
create index hold_allowance on hold (account_id, slot, period);
create index hold_open on hold (held_at) where state = 'held';

-- Who is next: the account with the fewest running, then the one that was served longest ago. What belongs to deleted
-- accounts is under the empty name.
-- is_waiting: an index that named waiting would have to be written with every start.
create table queue_account (
  account_id text primary key,
  waiting integer not null default 0,
  running integer not null default 0,
  last_served_at timestamptz not null,
  is_waiting boolean not null generated always as (waiting > 0) stored
) with (fillfactor = 60);
create index queue_account_next on queue_account (running, last_served_at) where is_waiting;

-- The length of the queue is the sum: one row would make all that start and finish wait for one another.
create table queue_length (
  part smallint primary key,
  open integer not null default 0
) with (fillfactor = 40);
insert into queue_length (part) select generate_series(0, 15);

-- Who works on the queue, and whether it has lately been able to. The name changes with each start.
create table worker (
  name text primary key,
  seen_at timestamptz not null,
  is_well boolean not null
) with (fillfactor = 50);

-- Periodic work that one process at a time does; between two runs until the next one is due.
create table task_lease (
  name text primary key,
  holder text,
  lease_until timestamptz
);

-- When each of our outgoing addresses ("exit") may send its next request to a platform.
create table platform_pace (
  platform text not null,
  exit text not null,
  free_at timestamptz not null,
  primary key (platform, exit)
) with (fillfactor = 50);

-- What was recognized so far of a transcription that is running, a row for each stretch. It belongs to one attempt and is
-- gone when the attempt ends, however it ends.
create table interim_text (
  transcription_id text not null references transcription on delete cascade,
  number integer not null,
  attempt integer not null,
  language text not null,
  text text not null,
  primary key (transcription_id, number)
);

-- Media that a browser sent. While they arrive, expires_at is put off with every part; then they wait for their
-- transcription and go with it, however it ends.
create table sent_media (
  id text primary key,
  account_id text not null references account on delete cascade,
  transcription_id text unique,
  bytes bigint not null default 0,
  expires_at timestamptz
);
create unique index sent_media_arriving on sent_media (account_id) where transcription_id is null;
create index sent_media_account on sent_media (account_id);
create table sent_media_part (
  media_id text not null references sent_media on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (media_id, number)
);
alter table sent_media_part alter column bytes set storage external;

-- How many bytes of media an account sent since the first of an hour, whatever became of them.
create table sent_hour (
  account_id text primary key references account on delete cascade,
  since timestamptz not null,
  bytes bigint not null
);

create function count_in_queue(account text, waits integer, runs integer, since timestamptz) returns void
language plpgsql as $$
-- Adds to what an account has in the queue. An account that was quiet comes in as if it had been served five minutes
-- before since: before all that were served after that, but not before those that have waited longer.
begin
  insert into queue_account as q (account_id, waiting, running, last_served_at)
  values (account, waits, runs, since - interval '5 minutes')
  on conflict (account_id) do update
  set waiting = q.waiting + waits, running = q.running + runs,
    last_served_at = case
      when q.waiting = 0 and waits > 0 then greatest(q.last_served_at, excluded.last_served_at)
      else q.last_served_at
    end;
end
$$;

create function add_to_queue_length(account text, change integer) returns void
language plpgsql as $$
-- Changes the part of the queue's length that counts this account.
begin
  update queue_length set open = open + change where part = (hashtext(account) & 15);
end
$$;

create function follow_queue() returns trigger
language plpgsql as $$
-- Keeps queue_account and queue_length in step with transcription, whoever changes it. Rows are locked in the order
-- transcription, queue_account, queue_length, allowance, here and wherever more than one is.
declare
  was text;
  is_now text;
  same boolean;
begin
  if tg_op <> 'INSERT' and old.state in ('queued', 'running') then was := coalesce(old.account_id, ''); end if;
  if tg_op <> 'DELETE' and new.state in ('queued', 'running') then is_now := coalesce(new.account_id, ''); end if;
  same := was = is_now;
  if same then
    perform count_in_queue(was,
      (new.state = 'queued')::integer - (old.state = 'queued')::integer,
      (new.state = 'running')::integer - (old.state = 'running')::integer, new.queued_at);
    return new;
  end if;
  if was is not null then
    perform count_in_queue(was, -(old.state = 'queued')::integer, -(old.state = 'running')::integer, old.queued_at);
  end if;
  if is_now is not null then
    perform count_in_queue(is_now, (new.state = 'queued')::integer, (new.state = 'running')::integer, new.queued_at);
  end if;
  if was is not null then perform add_to_queue_length(was, -1); end if;
  if is_now is not null then perform add_to_queue_length(is_now, 1); end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger follow_queue_at_start after insert on transcription
  for each row execute function follow_queue();
-- Before, so that a statement that settles an allowance too has the queue's rows first.
create trigger follow_queue before update of state, account_id on transcription
  for each row when (old.state is distinct from new.state or old.account_id is distinct from new.account_id)
  execute function follow_queue();
create trigger follow_queue_at_removal after delete on transcription
  for each row when (old.state in ('queued', 'running')) execute function follow_queue();

create function forget_interim_text() returns trigger language plpgsql as $$
-- What an attempt recognized so far is gone when the attempt ends.
begin
  delete from interim_text where transcription_id = new.id;
  return null;
end
$$;
create trigger transcription_interim_text after update of state, attempt on transcription
  for each row when (old.state = 'running' and (new.state <> 'running' or new.attempt <> old.attempt))
  execute function forget_interim_text();

create function forget_sent_media() returns trigger language plpgsql as $$
-- Media that were sent go with their transcription, however it ends.
begin
  delete from sent_media where transcription_id = old.id;
  return null;
end
$$;
create trigger transcription_media_used after update of state on transcription
  for each row when (new.state in ('done', 'failed') and new.owner is not null)
  execute function forget_sent_media();
create trigger transcription_media_removed after delete on transcription
  for each row when (old.owner is not null) execute function forget_sent_media();

create function refuse_transcription() returns trigger language plpgsql as $$
-- Refuses reels that were taken down and suspended accounts: a caller may have asked before that and write after it. The
-- operator's decision locks the table, so each waits for the other.
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    raise exception 'the reel was taken down' using errcode = 'RS001';
  end if;
  if exists (select from account where id = new.account_id and suspended_at is not null) then
    raise exception 'the account is suspended' using errcode = 'RS002';
  end if;
  return new;
end
$$;
create trigger transcription_allowed before insert on transcription for each row execute function refuse_transcription();
`;
