export const sentMedia = `
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

create function forget_sent_media() returns trigger language plpgsql as $$
begin
  delete from sent_media where transcription_id = old.id;
  return null;
end
$$;
create trigger transcription_media_used after update of state on transcription
  for each row when (new.state in ('done', 'failed') and position('~' in new.platform) > 0)
  execute function forget_sent_media();
create trigger transcription_media_removed after delete on transcription
  for each row when (position('~' in old.platform) > 0) execute function forget_sent_media();

-- What is heard in media that a browser sent is under a platform of the account's own, such as 'instagram~acc_1', so that
-- nothing that looks for a reel of everybody's can meet it. owner is that account.
alter table transcript add column owner text references account on delete cascade;
create index transcript_owner on transcript (owner) where owner is not null;
create index transcript_owned on transcript (media_id) where owner is not null;
create index script_by_number on script (account_id, number);

create function set_transcript_owner() returns trigger language plpgsql as $$
begin
  new.owner := split_part(new.platform, '~', 2);
  return new;
end
$$;
create trigger transcript_owner before insert on transcript
  for each row when (position('~' in new.platform) > 0) execute function set_transcript_owner();

-- As soon as everybody has the reel, those who sent it have what everybody has.
create function replace_owned_transcripts() returns trigger language plpgsql as $$
declare
  everybodys record;
  owned record;
begin
  select * into everybodys from transcript
  where platform = split_part(new.platform, '~', 1) and media_id = new.media_id;
  if not found then
    return null;
  end if;
  for owned in
    select * from transcript
    where media_id = new.media_id and owner is not null and split_part(platform, '~', 1) = everybodys.platform
    order by owner
  loop
    if exists (select from script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where account_id = owned.owner and transcript_id = everybodys.id;
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle,
        tokens = everybodys.tokens || array_to_tsvector(array['#' || owned.owner])
      where account_id = owned.owner and transcript_id = owned.id;
    end if;
    delete from transcript where id = owned.id;
  end loop;
  return null;
end
$$;
create trigger transcript_replaces after insert on transcript
  for each row execute function replace_owned_transcripts();

-- Nobody else has it: it goes with the script.
create function forget_owned_transcripts() returns trigger language plpgsql as $$
begin
  delete from transcript where owner is not null and id in (select transcript_id from removed);
  return null;
end
$$;
create trigger script_removed_owned after delete on script referencing old table as removed
for each statement execute function forget_owned_transcripts();

create or replace function refuse_transcription() returns trigger language plpgsql as $$
begin
  if exists (select from takedown where platform = split_part(new.platform, '~', 1) and media_id = new.media_id) then
    raise exception 'the reel was taken down' using errcode = 'RS001';
  end if;
  if exists (select from account where id = new.account_id and suspended_at is not null) then
    raise exception 'the account is suspended' using errcode = 'RS002';
  end if;
  return new;
end
$$;
create or replace function skip_taken_down() returns trigger language plpgsql as $$
begin
  if exists (select from takedown where platform = split_part(new.platform, '~', 1) and media_id = new.media_id) then
    return null;
  end if;
  return new;
end
$$;

-- Starts the transcription of media that have arrived, with the same rules as any other, and gives them to it.
create function start_sent_transcription(
  sent text, reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text,
  asker text, asker_slot smallint, asker_period text, most_units integer, model_name text,
  most_open integer, most_waiting integer, new_id text, moment timestamptz,
  out answer text, out transcription_id text, out refused json, out units_used integer
) language plpgsql as $$
declare
  started record;
begin
  select * into started from start_transcription(reel_platform, reel_media_id, reel_shortcode, reel_url, hint, asker,
    asker_slot, asker_period, most_units, model_name, most_open, most_waiting, new_id, moment);
  answer := started.answer;
  transcription_id := started.transcription_id;
  refused := started.refused;
  units_used := started.units_used;
  if answer = 'started' then
    update sent_media as m set transcription_id = new_id, expires_at = null
    where m.id = sent and m.account_id = asker and m.transcription_id is null;
    if not found then
      raise exception 'the sent media are gone' using errcode = 'RS003';
    end if;
  end if;
end
$$;
`;
