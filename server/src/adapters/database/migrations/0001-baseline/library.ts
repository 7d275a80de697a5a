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

create function change_content(of_account text, difference integer, out library bigint)
language plpgsql as $$
-- Counts a change of an account's content, and says which library is its own. Whoever changes it waits here for the one
-- before. Nothing is counted for an account that is being deleted.
begin
  update account_content
  set scripts = scripts + difference, unpacked = unpacked + greatest(difference, 0), changes = changes + 1
  where account_id = of_account
  returning number into library;
  if not found and exists (select from account where id = of_account) then
    insert into account_content as c (account_id, scripts, unpacked, changes)
    values (of_account, difference, greatest(difference, 0), 1)
    on conflict (account_id) do update
    set scripts = c.scripts + difference, unpacked = c.unpacked + greatest(difference, 0), changes = c.changes + 1
    returning number into library;
  end if;
end
$$;

create function search_tokens(of_transcript tsvector, of_correction tsvector) returns tsvector
language plpgsql immutable as $$
-- What finds a script. The words of a correction take the place of those that were recognized: of the transcript stay the
-- words of its caption, which have the weight A, and the mark of its handle. Language and length are those of the copy.
declare
  marks text[];
begin
  if of_correction is null then return of_transcript; end if;
  select coalesce(array_agg(lexeme), '{}') into marks
  from unnest(of_transcript) where positions is null and lexeme like '@%';
  return ts_filter(of_transcript, '{a}') || of_correction || array_to_tsvector(marks);
exception when program_limit_exceeded then
  return of_correction || array_to_tsvector(marks);
end
$$;

create function index_scripts(numbers bigint[]) returns void language plpgsql as $$
-- Brings what searches read of scripts into agreement with their transcripts and corrections, and counts the change.
declare
  one record;
begin
  for one in
    select account_id, array_agg(number) as numbers from script where number = any(numbers)
    group by account_id order by account_id
  loop
    perform change_content(one.account_id, 0);
    update searchable_script as f
    set views = s.views, engagement_rate = s.engagement_rate, tokens = search_tokens(t.tokens, c.tokens)
    from script as s
      join transcript as t on t.id = s.transcript_id
      left join script_correction as c on c.script_number = s.number
    where s.number = any(one.numbers) and f.number = s.number;
  end loop;
end
$$;

create function count_added_scripts() returns trigger language plpgsql as $$
-- Counts new scripts and makes them searchable, as they are by now: another trigger may have given them the transcript
-- that everybody has.
declare
  one record;
  library_number bigint;
begin
  for one in
    select account_id, count(*)::integer as scripts from added group by account_id order by account_id
  loop
    library_number := change_content(one.account_id, one.scripts);
    insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
    select s.number, library_number, s.added_at, s.views, s.engagement_rate, false, t.tokens
    from added as a join script as s on s.number = a.number join transcript as t on t.id = s.transcript_id
    where a.account_id = one.account_id;
  end loop;
  return null;
end
$$;
create trigger script_added after insert on script referencing new table as added
for each statement execute function count_added_scripts();

create function count_removed_scripts() returns trigger language plpgsql as $$
-- Counts scripts that are gone.
declare one record;
begin
  for one in
    select account_id, count(*)::integer as scripts from removed group by account_id order by account_id
  loop
    perform change_content(one.account_id, -one.scripts);
  end loop;
  return null;
end
$$;
create trigger script_removed after delete on script referencing old table as removed
for each statement execute function count_removed_scripts();

create function forget_owned_transcripts() returns trigger language plpgsql as $$
-- A transcript that nobody else has goes with its script.
begin
  delete from transcript where owner is not null and id in (select transcript_id from removed);
  return null;
end
$$;
create trigger script_removed_owned after delete on script referencing old table as removed
for each statement execute function forget_owned_transcripts();

create function count_added_report() returns trigger language plpgsql as $$
-- Counts a new report as a change of its account's content.
begin
  perform change_content(new.account_id, 0);
  return null;
end
$$;
create trigger report_added after insert on report for each row execute function count_added_report();
`;
