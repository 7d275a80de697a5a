/** Media that browsers sent may be in an object storage. */
export const mediaInStorage = `
-- object: the name in an object storage, which then has the bytes.
alter table sent_media_part alter column bytes drop not null;
alter table sent_media_part add column object text;
alter table sent_media_part add constraint sent_media_part_place_check check ((bytes is null) <> (object is null)) not valid;

create function sent_media_objects_removed() returns trigger language plpgsql as $$
-- Whoever deletes parts leaves their objects to be removed.
begin
  insert into removed_object (name) select object from removed where object is not null on conflict (name) do nothing;
  return null;
end
$$;
create trigger sent_media_objects_removed after delete on sent_media_part
  referencing old table as removed for each statement execute function sent_media_objects_removed();

create function is_in_storage(transcribed text) returns boolean language plpgsql stable as $$
-- True if the media that were sent for a transcription are in an object storage: all their parts, or none.
begin
  return exists (
    select from sent_media as m join sent_media_part as p on p.media_id = m.id
    where m.transcription_id = transcribed and p.number = 0 and p.object is not null
  );
end
$$;

-- The function that gives a worker what is next, as it was but for the two lines with reads_objects.
create function claim_next(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean, away text[], reads_objects boolean
) returns setof transcription language plpgsql as $$
-- Gives a worker what is next: first a reel whose lease ran out, then one of the account that is next. What was in hand at
-- a crash is given only to a worker that has nothing else in hand, because it may crash again; until then that worker
-- gets nothing. Each reel is given to one worker. Of the platforms that are away nothing is given but what was sent.
declare
  candidate record;
  chosen record;
  free boolean;
begin
  select id, account_id into chosen
  from transcription
  where state = 'running' and lease_until <= moment and tries_left > 0
    and (reads_objects or owner is null or not is_in_storage(id))
  order by queued_at, number
  limit 1
  for update skip locked;
  if found then
    if alone then
      return query update transcription
        set attempt = attempt + 1, tries_left = tries_left - 1, crashes = crashes + 1, progress = 0, waits = false, waiting_for = null,
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
        -- Nobody waits so long: a clock was wrong.
        and (t.resume_at is null or t.resume_at <= moment or t.resume_at > moment + interval '1 hour')
        and (t.owner is not null or t.platform <> all (away))
        and (reads_objects or t.owner is null or not is_in_storage(t.id))
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
          set state = 'running', attempt = t.attempt + 1, tries_left = t.tries_left - 1, progress = 0, waits = false, waiting_for = null,
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

create or replace function claim_next(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean, away text[]
) returns setof transcription language plpgsql as $$
-- Processes of the release before call it. They would find no bytes in media that are in an object storage.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, away, false);
end
$$;
`;
