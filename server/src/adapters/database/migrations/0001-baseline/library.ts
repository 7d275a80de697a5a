export const library = `
-- A transcript in an account's library.
create table script (
  number bigint generated always as identity primary key,
  id text not null unique,
  account_id text not null references account on delete cascade,
  transcript_id bigint not null references transcript,
  added_at timestamptz not null,
  views bigint,
  engagement_rate double precision,
  handle text,
  unique (account_id, transcript_id)
);
create index script_by_date on script (account_id, added_at desc, number desc);
create index script_by_views on script (account_id, views desc nulls last, number desc);
create index script_by_engagement on script (account_id, engagement_rate desc nulls last, number desc);
create index script_by_number on script (account_id, number);
create index script_by_handle on script (account_id, handle);
create index script_transcript on script (transcript_id);

-- What is known of an account's content without reading it. A row comes with the first change. changes rises with every
-- change of the account's scripts and reports. unpacked counts the scripts that were added since its rows of
-- searchable_script were last put together.
create table account_content (
  number bigint generated always as identity unique,
  account_id text primary key references account on delete cascade,
  scripts integer not null default 0 check (scripts >= 0),
  unpacked integer not null default 0,
  changes bigint not null default 0
) with (fillfactor = 70);
create index account_content_to_pack on account_content (number) where unpacked >= 500;

-- What a search reads: every row of one library (account_content.number), so the rows of a library are put together on the
-- disk once many came one by one ("packed"). A wide row, so that no tokens have to be fetched from elsewhere.
create table searchable_script (
  number bigint primary key references script on delete cascade,
  library bigint not null,
  added_at timestamptz not null,
  views bigint,
  engagement_rate double precision,
  packed boolean not null,
  tokens tsvector not null
) with (toast_tuple_target = 8160);
alter table searchable_script alter column tokens set storage external;
create index searchable_script_library on searchable_script (library);
create index searchable_script_unpacked on searchable_script (library) where not packed;

-- An account's own copy of a transcript with corrected words. The copy is whole, so that transcribing the reel again
-- changes nothing in it. texts: one for each original segment, '' where it was removed. words: as in transcript.
-- tokens are of the corrected text alone.
create table script_correction (
  script_number bigint primary key references script on delete cascade,
  texts json not null,
  text text not null,
  segments json not null,
  words integer[],
  original_text text not null,
  original_segments json not null,
  original_words integer[],
  language text not null,
  language_probability double precision,
  seconds double precision not null,
  speech_seconds double precision not null,
  truncated boolean not null,
  model text not null,
  created_at timestamptz not null,
  gaps json not null,
  revision integer not null,
  corrected_at timestamptz not null,
  tokens tsvector not null
);

-- Whoever has the token may read the script. It goes with the script and the account.
create table share_link (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  script_number bigint not null unique references script on delete cascade,
  token text not null unique,
  created_at timestamptz not null
);
create index share_link_account on share_link (account_id, number);

create table report (
  number bigint generated always as identity primary key,
  id text not null unique,
  account_id text not null references account on delete cascade,
  handle text not null,
  created_at timestamptz not null,
  reels_analyzed integer not null check (reels_analyzed >= 0),
  timezone text not null,
  findings json not null
);
create index report_by_date on report (account_id, created_at desc, number desc);
create index report_by_handle on report (account_id, handle, created_at desc, number desc);
`;
