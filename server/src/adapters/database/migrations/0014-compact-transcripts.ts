/** Transcripts may have their times in few bytes, and leave what finds them to the libraries. */
export const compactTranscripts = `
-- times: when what was said, packed by packTimes. Where it is, segments is [], words is null and tokens is empty: what finds
-- the transcript is in the libraries alone.
alter table transcript add column times bytea;

-- With a row in it, new transcripts are stored with times, and releases that don't read them refuse to start. after: how
-- far older ones were rewritten, with their bytes before and after.
create table storage_form (
  one boolean primary key default true check (one),
  since timestamptz not null,
  after bigint not null default 0,
  transcripts bigint not null default 0,
  bytes_before bigint not null default 0,
  bytes_after bigint not null default 0
);

-- Releases that don't know the column leave it false.
alter table machine_clock add column reads_times boolean not null default false;

-- Scripts whose rows in searchable_script are empty, because nothing had what finds them; it is made immediately afterward.
create table unindexed_script (
  number bigint primary key references script on delete cascade
);
`;
