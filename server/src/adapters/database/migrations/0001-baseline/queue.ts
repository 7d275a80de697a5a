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
`;
