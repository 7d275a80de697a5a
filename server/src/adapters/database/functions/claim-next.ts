import type { DatabaseFunction } from "./database-function.ts";

export const claimNext: DatabaseFunction = {
  name: "claim_next",
  sql: `
create or replace function claim_next(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean, away text[], reads_objects boolean,
  reads_files boolean
) returns setof transcription language plpgsql as $$
-- Gives a worker what is next: first a reel whose lease ran out, then one of the account that is next. What was in hand at
-- a crash is given only to a worker that has nothing else in hand, because it may crash again; until then that worker
-- gets nothing. Each reel is given to one worker. Of the platforms that are away nothing is given but what was sent. An account's
-- transcripts come before its translations. Workers that don't read files don't translate either.
declare
  candidate record;
  chosen record;
  free boolean;
begin
  select id, account_id into chosen
  from transcription
  where state = 'running' and lease_until <= moment and tries_left > 0
    and (reads_objects or owner is null or not is_in_storage(id))
    and (reads_files or platform <> 'file' and translates is null)
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
      for kind in 0 .. 1 loop
        select t.id, t.crashes into chosen
        from transcription as t
        where coalesce(t.account_id, '') = candidate.name and t.state = 'queued' and t.tries_left > 0
          and (t.translates is not null) = (kind = 1)
          and (t.avoid_worker is distinct from worker_name or t.avoid_until <= moment)
          -- Nobody waits so long: a clock was wrong.
          and (t.resume_at is null or t.resume_at <= moment or t.resume_at > moment + interval '1 hour')
          and (t.owner is not null or t.platform <> all (away))
          and (reads_objects or t.owner is null or not is_in_storage(t.id))
          and (reads_files or t.platform <> 'file' and t.translates is null)
        order by t.queued_at, t.number
        limit 1
        for update skip locked;
        exit when chosen.id is not null;
      end loop;
      continue when chosen.id is null;
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
`,
};
