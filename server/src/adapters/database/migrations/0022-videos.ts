/** Subtitled videos of files, made by workers and stored in parts. */
export const videos = `
-- What becomes of the file when its words are there: a video in this style. Empty once the video was begun.
alter table file add column video_style text;

-- Whether a worker can make videos.
alter table worker add column makes_videos boolean not null default false;

-- subtitles: the file for the renderer; only until the video is done. attempt: counts the workers that began it; only the last one
-- may write. tries_left: how often it may still be begun. size: bytes of the finished video. lacks_letters: no font had some of its
-- letters. ended_at: when it was done or failed (with a failure). deleted_at: when its bytes were deleted, deleted_bytes: how many.
create table video (
  id text primary key,
  account_id text not null references account on delete cascade,
  file_id text not null references file on delete cascade,
  script_id text not null,
  style text not null,
  subtitles text,
  seconds double precision not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  attempt integer not null default 0,
  tries_left smallint not null,
  progress double precision not null default 0,
  worker text,
  lease_until timestamptz,
  resume_at timestamptz,
  started_at timestamptz,
  failure json,
  lacks_letters boolean not null default false,
  size bigint,
  created_at timestamptz not null,
  ended_at timestamptz,
  kept_until timestamptz,
  deleted_at timestamptz,
  deleted_bytes bigint
) with (fillfactor = 80);
create index video_account on video (account_id, created_at);
create index video_served on video (account_id, started_at);
create index video_file on video (file_id);
create index video_open on video (created_at) where state in ('queued', 'running');
create index video_kept on video (kept_until) where kept_until is not null;
create index video_ended on video (ended_at) where ended_at is not null;
-- An account has one made at a time, whatever is claimed at the same moment.
create unique index video_running on video (account_id) where state = 'running';

create table video_part (
  video_id text not null references video on delete cascade,
  number integer not null,
  attempt integer not null,
  bytes bytea,
  object text,
  primary key (video_id, number),
  check ((bytes is null) <> (object is null))
);
alter table video_part alter column bytes set storage external;
`;
