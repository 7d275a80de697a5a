export const transcribing = `
create function start_transcription(
  new_id text, asker text, reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text,
  most_open integer, most_waiting integer, moment timestamptz,
  -- What a fresh transcription costs, and what its recognizer refuses; null when one is transcribed again, which is free.
  asker_slot smallint default null, asker_period text default null, most_units integer default null,
  refusal_model text default null,
  -- Media that the asker sent of the reel: what is said in them is the asker's alone.
  sent text default null,
  -- The transcript that this may replace.
  replaced_transcript bigint default null,
  out answer text, out transcription_id text, out refused json, out units_used integer
) language plpgsql as $$
-- The one door into the queue: starts the one transcription of a reel and holds a unit, or says why not, in this order:
-- takenDown, cached, inProgress, limitReached, refused, accountQueueFull, queueFull. One call, so that a caller who
-- freezes holds no lock. Only starts of the same account wait for one another, and those of the same reel.
declare
  reel_owner text := case when sent is not null then asker end;
  units_held integer;
  asker_waiting integer;
  asker_open integer;
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
    id, account_id, platform, media_id, owner, shortcode, url, language_hint, retranscribes, queued_at
  )
  values (
    new_id, asker, reel_platform, reel_media_id, reel_owner, reel_shortcode, reel_url, hint, replaced_transcript, moment
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
  -- A full queue is full for those who are in it; others still get in, until it is twice as long.
  elsif (select sum(open) from queue_length) > (most_open::bigint * (case when asker_open = 1 then 2 else 1 end)) then
    answer := 'queueFull';
  elsif replaced_transcript is not null then
    answer := 'started';
  else
    insert into allowance as a (account_id, slot, period, held) values (asker, asker_slot, asker_period, 1)
    on conflict (account_id, slot, period) do update set held = a.held + 1 where a.used + a.held < most_units
    returning used into units_used;
    if found then
      insert into hold (transcription_id, account_id, slot, period, held_at)
      values (new_id, asker, asker_slot, asker_period, moment);
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
      raise exception 'the sent media are gone' using errcode = 'RS003';
    end if;
  end if;
end
$$;

create function claim_transcription(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean
) returns setof transcription language plpgsql as $$
-- Gives a worker what is next: first a reel whose lease ran out, then one of the account that is next. What was in hand at
-- a crash is given only to a worker that has nothing else in hand, because it may crash again; until then that worker
-- gets nothing. Each reel is given to one worker.
declare
  candidate record;
  chosen record;
  free boolean;
begin
  select id, account_id into chosen
  from transcription
  where state = 'running' and lease_until <= moment and tries_left > 0
  order by queued_at, number
  limit 1
  for update skip locked;
  if found then
    if alone then
      return query update transcription
        set attempt = attempt + 1, tries_left = tries_left - 1, crashes = crashes + 1, progress = 0,
          worker = worker_name, lease_until = moment + make_interval(secs => lease_seconds)
        where id = chosen.id
        returning *;
      update queue_account set last_served_at = greatest(last_served_at, moment)
      where queue_account.account_id = coalesce(chosen.account_id, '');
    end if;
    return;
  end if;

  -- In the second round without minding that others claim for the same account at this moment.
  for round in 1 .. 2 loop
    for candidate in
      -- The first nearly always has one. The limit makes the planner read the index and not sort them all.
      select q.account_id as name from queue_account as q where q.is_waiting order by q.running, q.last_served_at
      limit 100
    loop
      select t.id, t.crashes into chosen
      from transcription as t
      where coalesce(t.account_id, '') = candidate.name and t.state = 'queued' and t.tries_left > 0
        and (t.avoid_worker is distinct from worker_name or t.avoid_until <= moment)
      order by t.queued_at, t.number
      limit 1
      for update skip locked;
      continue when not found;
      if round = 1 then
        select true into free from queue_account as q where q.account_id = candidate.name for update skip locked;
        continue when not found;
      end if;
      if chosen.crashes = 0 or alone then
        return query update transcription as t
          set state = 'running', attempt = t.attempt + 1, tries_left = t.tries_left - 1, progress = 0,
            worker = worker_name, lease_until = moment + make_interval(secs => lease_seconds)
          where t.id = chosen.id
          returning t.*;
        update queue_account as q set last_served_at = greatest(q.last_served_at, moment)
        where q.account_id = candidate.name;
      end if;
      return;
    end loop;
  end loop;
end
$$;
`;
