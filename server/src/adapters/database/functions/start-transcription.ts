import type { DatabaseFunction } from "./database-function.ts";

export const startTranscription: DatabaseFunction = {
  name: "start_transcription_2",
  sql: `
create or replace function start_transcription_2(
  new_id text, asker text, reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text,
  most_open integer, most_waiting integer, moment timestamptz,
  -- What a fresh transcription costs, and what its recognizer refuses; null when one is transcribed again, which is free.
  asker_slot smallint default null, asker_period text default null, most_units integer default null,
  refusal_model text default null,
  -- Media that the asker sent of the reel, or a file: what is said in them is the asker's alone.
  sent text default null,
  -- The transcript that this may replace.
  replaced_transcript bigint default null,
  -- The request that started it, and the ids of its trace and span with a dash between.
  asking_request text default null, asking_span text default null,
  out answer text, out transcription_id text, out refused json, out units_used integer
) language plpgsql as $$
-- The one door into the queue: starts the one transcription of a reel and holds a unit, or says why not, in this order:
-- takenDown, cached, inProgress, limitReached, refused, accountQueueFull, queueFull. One call, so that a caller who
-- freezes holds no lock. Only starts of the same account wait for one another, and those of the same reel.
declare
  reel_owner text := case when sent is not null then asker end;
  -- A file holds as many units as it may use, as far as they are left.
  units smallint := coalesce((select f.units from file as f where f.id = sent and f.account_id = asker), 1);
  units_held integer;
  asker_waiting integer;
  asker_open integer;
  -- fileLimits.inQueue of the contract.
  most_files constant integer := 4;
begin
  if exists (select from takedown where platform = reel_platform and media_id = reel_media_id) then
    answer := 'takenDown';
    return;
  end if;
  -- Whoever deletes the account takes this lock alone.
  perform pg_advisory_xact_lock_shared(7365002, hashtext(asker));
  if replaced_transcript is null and exists (
    select from transcript
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
  ) then
    answer := 'cached';
    return;
  end if;
  select case when account_id = asker then id end into transcription_id
  from transcription
  where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
    and state in ('queued', 'running');
  if found then
    answer := 'inProgress';
    return;
  end if;
  if replaced_transcript is null then
    select used, held into units_used, units_held
    from allowance where account_id = asker and slot = asker_slot and period = asker_period;
    if coalesce(units_used + units_held, 0) >= most_units then
      answer := 'limitReached';
      return;
    end if;
    units := least(units, most_units - coalesce(units_used + units_held, 0));
    select failure into refused
    from refusal
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
      and model = refusal_model and until > moment;
    if found then
      answer := 'refused';
      return;
    end if;
  end if;

  insert into transcription (
    id, account_id, platform, media_id, owner, shortcode, url, language_hint, retranscribes, queued_at,
    request_id, request_span
  )
  values (
    new_id, asker, reel_platform, reel_media_id, reel_owner, reel_shortcode, reel_url, hint, replaced_transcript, moment,
    asking_request, asking_span
  )
  on conflict (platform, media_id, owner) where state in ('queued', 'running') do nothing;
  if not found then
    select case when account_id = asker then id end into transcription_id
    from transcription
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
      and state in ('queued', 'running');
    answer := 'inProgress';
    return;
  end if;
  -- The account's row of the queue is ours now: what is looked at from here on still holds at the end.
  select waiting, waiting + running into asker_waiting, asker_open from queue_account where account_id = asker;
  if replaced_transcript is null and exists (
    select from transcript
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
  ) then
    answer := 'cached';
  elsif asker_waiting > most_waiting then
    answer := 'accountQueueFull';
  -- An account's many files leave room for its reels.
  elsif exists (select from file as f where f.id = sent and f.account_id = asker) and (
    select count(*) from file as f
    where f.account_id = asker and f.deleted_at is null and f.ended_at is null and f.transcription_id is not null
  ) >= most_files then
    answer := 'accountQueueFull';
  -- A full queue is full for those who are in it; others still get in, until it is twice as long.
  elsif (select sum(open) from queue_length) > (most_open::bigint * (case when asker_open = 1 then 2 else 1 end)) then
    answer := 'queueFull';
  elsif replaced_transcript is not null then
    answer := 'started';
  else
    insert into allowance as a (account_id, slot, period, held) values (asker, asker_slot, asker_period, units)
    on conflict (account_id, slot, period) do update set held = a.held + excluded.held
      where a.used + a.held + excluded.held <= most_units
    returning used into units_used;
    if found then
      insert into hold (transcription_id, account_id, slot, period, units, held_at)
      values (new_id, asker, asker_slot, asker_period, units, moment);
      answer := 'started';
    else
      answer := 'limitReached';
    end if;
  end if;
  if answer <> 'started' then
    delete from transcription where id = new_id;
    return;
  end if;
  transcription_id := new_id;
  if sent is not null then
    update sent_media as m set transcription_id = new_id, expires_at = null
    where m.id = sent and m.account_id = asker and m.transcription_id is null;
    if not found then
      update file as f set transcription_id = new_id
      where f.id = sent and f.account_id = asker and f.transcription_id is null and f.ended_at is null;
      if not found then
        raise exception 'the sent media are gone' using errcode = 'RS003';
      end if;
    end if;
  end if;
end
$$;
`,
};
