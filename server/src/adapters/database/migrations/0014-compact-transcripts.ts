/** Once the compact form is used, releases without this migration can't read what is stored. */
export const compactTranscriptsName = "0014-compact-transcripts";

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

create function note_unindexed_script() returns trigger language plpgsql as $$
begin
  insert into unindexed_script (number) values (new.number) on conflict do nothing;
  return null;
end
$$;
create trigger searchable_script_empty after insert or update of tokens on searchable_script
for each row when (new.tokens = ''::tsvector) execute function note_unindexed_script();

create function shared_tokens(of_transcript bigint) returns tsvector language plpgsql as $$
-- What finds a transcript: its own, or what the transaction brings along that changes it, or what another library has.
-- Empty when none of them is there.
declare
  found_tokens tsvector;
  brought text := current_setting('reelscript.tokens', true);
begin
  select tokens into found_tokens from transcript where id = of_transcript;
  if found_tokens <> ''::tsvector then return found_tokens; end if;
  if brought <> '' then return brought::tsvector; end if;
  select f.tokens into found_tokens
  from script as s join searchable_script as f on f.number = s.number
  where s.transcript_id = of_transcript and f.tokens <> ''::tsvector
    and not exists (select from script_correction as c where c.script_number = s.number)
  limit 1;
  return coalesce(found_tokens, '');
end
$$;

create function indexed_tokens(of_transcript tsvector, of_correction tsvector, before tsvector) returns tsvector
language plpgsql immutable as $$
-- What finds a script, which had the words of its caption before.
begin
  if of_transcript = ''::tsvector and (of_correction is null or before = ''::tsvector) then return ''; end if;
  return search_tokens(case when of_transcript = ''::tsvector then before else of_transcript end, of_correction);
end
$$;

create or replace function index_scripts(numbers bigint[]) returns void language plpgsql as $$
-- Brings what searches read of scripts into agreement with their transcripts and corrections, and counts the change.
declare
  one record;
begin
  for one in
    select account_id, array_agg(number) as numbers from script where number = any(numbers)
    group by account_id order by account_id
  loop
    perform change_content(one.account_id, 0);
    with shared as materialized (
      select id, shared_tokens(id) as tokens from transcript
      where id in (select transcript_id from script where number = any(one.numbers))
    )
    update searchable_script as f
    set views = s.views, engagement_rate = s.engagement_rate,
      tokens = indexed_tokens(shared.tokens, c.tokens, f.tokens)
    from script as s
      join shared on shared.id = s.transcript_id
      left join script_correction as c on c.script_number = s.number
    where s.number = any(one.numbers) and f.number = s.number;
  end loop;
end
$$;

create or replace function count_added_scripts() returns trigger language plpgsql as $$
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
    select s.number, library_number, s.added_at, s.views, s.engagement_rate, false, shared_tokens(s.transcript_id)
    from added as a join script as s on s.number = a.number
    where a.account_id = one.account_id;
  end loop;
  return null;
end
$$;

create or replace function restore_scripts(of_account text, script_ids text[]) returns setof text
language plpgsql as $$
-- Puts deleted scripts back, and answers their ids. A reel that has a script again keeps that one. Transcripts come first, as
-- in a correction: whoever hears a reel again has its new words indexed.
declare
  restored bigint[];
  ids text[];
  library_number bigint;
begin
  lock table script in row exclusive mode;
  perform from transcript where id = any(array(
    select d.transcript_id from deleted_script as d join script as s on s.number = d.number
    where d.account_id = of_account and s.id = any(script_ids)
  )) order by id for share;
  with back as (
    update script as s set account_id = of_account
    from deleted_script as d
    where d.account_id = of_account and s.number = d.number and s.account_id is null and s.id = any(script_ids)
      and not exists (
        select from script as other where other.account_id = of_account and other.transcript_id = d.transcript_id
      )
    returning s.number, s.id
  )
  select array_agg(back.number), array_agg(back.id) into restored, ids from back;
  if restored is null then return; end if;
  delete from deleted_script where number = any(restored);
  library_number := change_content(of_account, cardinality(restored));
  insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
  select s.number, library_number, s.added_at, s.views, s.engagement_rate, false,
    indexed_tokens(shared_tokens(s.transcript_id), c.tokens, '')
  from script as s left join script_correction as c on c.script_number = s.number
  where s.number = any(restored);
  return query select unnest(ids);
end
$$;
`;
