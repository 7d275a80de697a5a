export const fairQueue = `
-- crashes counts the leases that ran out: whoever worked on it then died or was cut off. A worker whose machine failed it
-- (setbacks counts how often) leaves it to others for a while.
alter table transcription
  add column crashes smallint not null default 0,
  add column setbacks smallint not null default 0,
  add column avoid_worker text,
  add column avoid_until timestamptz;
drop index transcription_waiting;
create index transcription_waiting on transcription ((coalesce(account_id, '')), queued_at, number)
  where state = 'queued' and tries_left > 0;
create index transcription_running on transcription (lease_until) where state = 'running';
create index transcription_spent on transcription (queued_at, number)
  where state in ('queued', 'running') and tries_left = 0;

-- Who is next: the account with the fewest running, then the one whose last turn was longest ago. What belongs to nobody
-- any more is under the empty name.
create table queue_account (
  account_id text primary key,
  waiting integer not null default 0,
  running integer not null default 0,
  turn_at timestamptz not null
) with (fillfactor = 60);
create index queue_account_turn on queue_account (running, turn_at) where waiting > 0;

-- The length of the queue is the sum: one row would make all that start and finish wait for one another.
create table queue_part (
  number smallint primary key,
  open integer not null default 0
) with (fillfactor = 40);
insert into queue_part (number) select generate_series(0, 15);

-- An account that was quiet comes in as if its last turn had been five minutes ago: before all that had theirs since, but
-- not before those that have waited longer.
create function count_in_queue(account text, waits integer, runs integer, since timestamptz) returns void
language plpgsql as $$
begin
  insert into queue_account as q (account_id, waiting, running, turn_at)
  values (account, waits, runs, since - interval '5 minutes')
  on conflict (account_id) do update
  set waiting = q.waiting + waits, running = q.running + runs,
    turn_at = case when q.waiting = 0 and waits > 0 then greatest(q.turn_at, excluded.turn_at) else q.turn_at end;
end
$$;

create function add_to_queue_length(account text, change integer) returns void
language plpgsql as $$
begin
  update queue_part set open = open + change where number = (hashtext(account) & 15);
end
$$;

-- Rows are locked in the order transcription, queue_account, queue_part, allowance, here and wherever more than one is.
create function follow_queue() returns trigger
language plpgsql as $$
declare
  was text;
  is_now text;
  same boolean;
begin
  if tg_op <> 'INSERT' and old.state in ('queued', 'running') then was := coalesce(old.account_id, ''); end if;
  if tg_op <> 'DELETE' and new.state in ('queued', 'running') then is_now := coalesce(new.account_id, ''); end if;
  same := was = is_now;
  if same then
    perform count_in_queue(was,
      (new.state = 'queued')::integer - (old.state = 'queued')::integer,
      (new.state = 'running')::integer - (old.state = 'running')::integer, new.queued_at);
    return new;
  end if;
  if was is not null then
    perform count_in_queue(was, -(old.state = 'queued')::integer, -(old.state = 'running')::integer, old.queued_at);
  end if;
  if is_now is not null then
    perform count_in_queue(is_now, (new.state = 'queued')::integer, (new.state = 'running')::integer, new.queued_at);
  end if;
  if was is not null then perform add_to_queue_length(was, -1); end if;
  if is_now is not null then perform add_to_queue_length(is_now, 1); end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger follow_queue_at_start after insert on transcription
  for each row execute function follow_queue();
-- Before, so that a statement that settles an allowance too has the queue's rows first.
create trigger follow_queue before update of state, account_id on transcription
  for each row when (old.state is distinct from new.state or old.account_id is distinct from new.account_id)
  execute function follow_queue();
create trigger follow_queue_at_removal after delete on transcription
  for each row when (old.state in ('queued', 'running')) execute function follow_queue();

insert into queue_account (account_id, waiting, running, turn_at)
select coalesce(account_id, ''), count(*) filter (where state = 'queued'), count(*) filter (where state = 'running'),
  min(queued_at) - interval '5 minutes'
from transcription where state in ('queued', 'running') group by 1;
update queue_part set open = counted.open
from (
  select hashtext(coalesce(account_id, '')) & 15 as number, count(*) as open
  from transcription where state in ('queued', 'running') group by 1
) as counted
where queue_part.number = counted.number;

-- Starts the one transcription of a reel and holds a unit, or says why not. One call, so that a caller who freezes holds no
-- lock. Only starts of the same account wait for one another, and those of the same reel.
create function start_transcription(
  reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text,
  asker text, asker_slot smallint, asker_period text, most_units integer, model_name text,
  most_open integer, most_waiting integer, new_id text, moment timestamptz,
  out answer text, out transcription_id text, out refused json, out units_used integer
) language plpgsql as $$
declare
  units_held integer;
  asker_waiting integer;
  asker_open integer;
begin
  -- Whoever deletes the account takes this lock alone.
  perform pg_advisory_xact_lock_shared(7365002, hashtext(asker));
  if exists (select from transcript where platform = reel_platform and media_id = reel_media_id) then
    answer := 'cached';
    return;
  end if;
  select case when account_id = asker then id end into transcription_id
  from transcription where platform = reel_platform and media_id = reel_media_id and state in ('queued', 'running');
  if found then
    answer := 'inProgress';
    return;
  end if;
  select used, held into units_used, units_held
  from allowance where account_id = asker and slot = asker_slot and period = asker_period;
  if coalesce(units_used + units_held, 0) >= most_units then
    answer := 'limitReached';
    return;
  end if;
  select failure into refused
  from refusal
  where platform = reel_platform and media_id = reel_media_id and model = model_name and until > moment;
  if found then
    answer := 'refused';
    return;
  end if;

  insert into transcription (id, account_id, platform, media_id, shortcode, url, language_hint, queued_at)
  values (new_id, asker, reel_platform, reel_media_id, reel_shortcode, reel_url, hint, moment)
  on conflict (platform, media_id) where state in ('queued', 'running') do nothing;
  if not found then
    select case when account_id = asker then id end into transcription_id
    from transcription where platform = reel_platform and media_id = reel_media_id and state in ('queued', 'running');
    answer := 'inProgress';
    return;
  end if;
  -- The account's row of the queue is ours now: what is looked at from here on still holds at the end.
  select waiting, waiting + running into asker_waiting, asker_open from queue_account where account_id = asker;
  if exists (select from transcript where platform = reel_platform and media_id = reel_media_id) then
    answer := 'cached';
  elsif asker_waiting > most_waiting then
    answer := 'accountQueueFull';
  -- A full queue is full for those who are in it; others still get in, until it is twice as long.
  elsif (select sum(open) from queue_part) > (most_open::bigint * (case when asker_open = 1 then 2 else 1 end)) then
    answer := 'queueFull';
  else
    insert into allowance as a (account_id, slot, period, held) values (asker, asker_slot, asker_period, 1)
    on conflict (account_id, slot, period) do update set held = a.held + 1 where a.used + a.held < most_units
    returning used into units_used;
    if found then
      insert into hold (transcription_id, account_id, slot, period, held_at)
      values (new_id, asker, asker_slot, asker_period, moment);
      answer := 'started';
      transcription_id := new_id;
      return;
    end if;
    answer := 'limitReached';
  end if;
  delete from transcription where id = new_id;
end
$$;

-- What one is next for a worker: first one whose lease ran out, then by account in turn. What was in hand at a crash is
-- given only to a worker that has nothing else in hand, because it may crash again; until then that worker gets nothing.
create function claim_transcription(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean
) returns setof transcription language plpgsql as $$
declare
  place record;
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
      update queue_account set turn_at = greatest(turn_at, moment)
      where queue_account.account_id = coalesce(chosen.account_id, '');
    end if;
    return;
  end if;

  -- In the second round without minding that others claim for the same account at this moment.
  for round in 1 .. 2 loop
    for place in
      -- The first nearly always has one. The limit makes the planner read the index and not sort them all.
      select q.account_id as name from queue_account as q where q.waiting > 0 order by q.running, q.turn_at limit 100
    loop
      select t.id, t.crashes into chosen
      from transcription as t
      where coalesce(t.account_id, '') = place.name and t.state = 'queued' and t.tries_left > 0
        and (t.avoid_worker is distinct from worker_name or t.avoid_until <= moment)
      order by t.queued_at, t.number
      limit 1
      for update skip locked;
      continue when not found;
      if round = 1 then
        select true into free from queue_account as q where q.account_id = place.name for update skip locked;
        continue when not found;
      end if;
      if chosen.crashes = 0 or alone then
        return query update transcription as t
          set state = 'running', attempt = t.attempt + 1, tries_left = t.tries_left - 1, progress = 0,
            worker = worker_name, lease_until = moment + make_interval(secs => lease_seconds)
          where t.id = chosen.id
          returning t.*;
        update queue_account as q set turn_at = greatest(q.turn_at, moment) where q.account_id = place.name;
      end if;
      return;
    end loop;
  end loop;
end
$$;
`;
