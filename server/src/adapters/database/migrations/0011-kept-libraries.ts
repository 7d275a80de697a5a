/** Scripts are deleted for a while, tagged, and found again by searches that have a name; revisions have dates. */
export const keptLibraries = `
-- tags: a bit for each row of tag, by its slot.
alter table script alter column account_id drop not null, add column tags integer not null default 0;

-- A script that can be restored. Meanwhile its row in script belongs to no account, so that nothing that reads a library
-- finds it; its correction and its tags stay with it.
create table deleted_script (
  number bigint primary key references script on delete cascade,
  account_id text not null references account on delete cascade,
  transcript_id bigint not null,
  deleted_at timestamptz not null,
  unique (account_id, transcript_id)
);
create index deleted_script_account on deleted_script (account_id, deleted_at desc, number desc);
create index deleted_script_due on deleted_script (deleted_at);

-- The names of an account's tags. folded: by which they are compared.
create table tag (
  account_id text not null references account on delete cascade,
  slot smallint not null check (slot between 0 and 19),
  name text not null,
  folded text not null,
  primary key (account_id, slot),
  unique (account_id, folded)
);

create table saved_search (
  id text primary key,
  account_id text not null references account on delete cascade,
  name text not null,
  folded text not null,
  search json not null,
  created_at timestamptz not null,
  unique (account_id, folded)
);

-- Whoever has the token may download what the search finds. hash: SHA-256 of the token.
create table script_export (
  number bigint generated always as identity unique,
  hash bytea primary key,
  account_id text not null references account on delete cascade,
  search json not null,
  expires_at timestamptz not null
);
create index script_export_account on script_export (account_id, number);
create index script_export_due on script_export (expires_at);

-- Unknown for revisions of earlier releases.
alter table bio_revision add column changed_at timestamptz;

create function delete_scripts(of_account text, script_ids text[], moment timestamptz) returns setof text
language plpgsql as $$
-- Takes scripts out of a library for a while, and answers their ids. The table comes before its rows, as in a takedown.
declare
  deleted integer;
begin
  lock table script in row exclusive mode;
  perform from script where account_id = of_account and id = any(script_ids) order by number for update;
  -- The same reel may have been deleted before.
  delete from script as earlier using deleted_script as d, script as s
  where d.account_id = of_account and earlier.number = d.number
    and s.account_id = of_account and s.id = any(script_ids) and s.transcript_id = d.transcript_id;
  return query
  with gone as (
    update script set account_id = null where account_id = of_account and id = any(script_ids)
    returning number, id, transcript_id
  ), unlisted as (
    delete from searchable_script as f using gone where f.number = gone.number
  ), unshared as (
    delete from share_link as l using gone where l.script_number = gone.number
  ), noted as (
    insert into deleted_script (number, account_id, transcript_id, deleted_at)
    select gone.number, of_account, gone.transcript_id, moment from gone
  )
  select gone.id from gone;
  get diagnostics deleted = row_count;
  if deleted > 0 then
    perform change_content(of_account, -deleted);
  end if;
end
$$;

create function restore_scripts(of_account text, script_ids text[]) returns setof text
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
  select s.number, library_number, s.added_at, s.views, s.engagement_rate, false, search_tokens(t.tokens, c.tokens)
  from script as s
    join transcript as t on t.id = s.transcript_id
    left join script_correction as c on c.script_number = s.number
  where s.number = any(restored);
  return query select unnest(ids);
end
$$;

create function restore_requested_script() returns trigger language plpgsql as $$
-- A reel that is transcribed again brings its deleted script back in place of a new one.
begin
  if exists (
    select from deleted_script where account_id = new.account_id and transcript_id = new.transcript_id
  ) then
    perform restore_scripts(new.account_id, array(
      select s.id from deleted_script as d join script as s on s.number = d.number
      where d.account_id = new.account_id and d.transcript_id = new.transcript_id
    ));
    if found then return null; end if;
  end if;
  return new;
end
$$;
create trigger script_requested before insert on script
for each row execute function restore_requested_script();

create function script_of(of_account text, of_transcript bigint) returns text language plpgsql as $$
-- The account's script of a transcript, also when the statement that asks has just restored it.
begin
  return (select id from script where account_id = of_account and transcript_id = of_transcript);
end
$$;

create function remove_deleted_scripts() returns trigger language plpgsql as $$
-- Scripts that belong to no account go with the one that deleted them, before the transcripts that it sent.
begin
  delete from script where number in (select number from deleted_script where account_id = old.id);
  return old;
end
$$;
create trigger account_removed_scripts before delete on account
for each row execute function remove_deleted_scripts();

create or replace function replace_owned_transcripts() returns trigger language plpgsql as $$
-- As soon as everybody has a reel, those who sent it have what everybody has. Their scripts keep their ids, deleted ones too.
declare
  everybodys record;
  owned record;
  kept bigint;
begin
  select * into everybodys from transcript
  where platform = new.platform and media_id = new.media_id and owner is null;
  if not found then
    return null;
  end if;
  for owned in
    select * from transcript
    where platform = new.platform and media_id = new.media_id and owner is not null
    order by owner
  loop
    if exists (select from script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where account_id = owned.owner and transcript_id = everybodys.id;
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id = owned.owner and transcript_id = owned.id
      returning number into kept;
      perform index_scripts(array[kept]);
    end if;
    if exists (select from deleted_script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where number in (
        select number from deleted_script where account_id = owned.owner and transcript_id = everybodys.id
      );
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id is null and transcript_id = owned.id;
      update deleted_script set transcript_id = everybodys.id
      where account_id = owned.owner and transcript_id = owned.id;
    end if;
    delete from transcript where id = owned.id;
  end loop;
  return null;
end
$$;
`;
