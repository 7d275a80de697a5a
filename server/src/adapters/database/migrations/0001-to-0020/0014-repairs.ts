export const repairs = `
-- gaps: null when the transcript was made before gaps were kept. words: three numbers for each word, its length in the text
-- and its start and end in milliseconds; null when the times of words are not known. heard_by: every recognizer that heard
-- the reel ("revision model"), whether its text was kept or not.
alter table transcript
  add column gaps json,
  add column words integer[],
  add column revision integer,
  add column heard_by text[] not null default '{}';

-- Hearing many reels again, behind everything that waits. position: up to here all transcripts were looked at.
-- recognizer_revision: workers of an older one leave the run alone.
create table repair_run (
  id bigint generated always as identity primary key,
  revision integer,
  recognizer_revision integer not null,
  state text not null default 'running' check (state in ('running', 'stopped', 'done')),
  position bigint not null default 0,
  total bigint not null,
  started_at timestamptz not null
);
create unique index repair_run_one on repair_run (state) where state = 'running';

-- The transcript that a transcription repairs, what became of it, and whether who asked for it was answered.
alter table transcription
  add column repairs bigint references transcript,
  add column repair_run bigint references repair_run,
  add column repair_outcome text check (repair_outcome in ('replaced', 'empty', 'shorterAudio', 'notFewerGaps', 'fewerWords')),
  add column repair_answered boolean not null default false;
create index transcription_repairs on transcription (repairs, number) where repairs is not null;
create index transcription_repair_run on transcription (repair_run) where repair_run is not null;
`;
