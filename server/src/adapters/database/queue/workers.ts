import type { PlatformPace, StoredWork, Workers } from "../../../ports.ts";
import { isBoolean, isMoment, isText, isNumber, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { statement, type Database } from "../engine/statement.ts";

/** Enough to know whether one of them is healthy. */
const mostFellows = 200;

const report = statement(`
  with reported as (
    insert into worker as w (name, seen_at, is_well, makes_videos) values (:name, :now, :isWell, :makesVideos)
    on conflict (name) do update set seen_at = :now, is_well = :isWell, makes_videos = :makesVideos
  )
  select name, seen_at, is_well from worker where name <> :name order by seen_at desc limit ${mostFellows}`).reading({
  name: isText,
  seenAt: isMoment,
  isWell: isBoolean,
});

export const createWorkers = ({ kind, urgentPool }: Engine): Workers => ({
  async report(name, { isWell, makesVideos }, now) {
    if (kind === "embedded") return [];
    return report.rows(urgentPool, { name, isWell, makesVideos, now });
  },
});

/** A reservation this far ahead comes from a wrong clock, and must not block everybody. */
const incredible = "interval '1 hour'";

const takeTurns = statement(`
  insert into platform_pace as taken (platform, exit, free_at)
  select :platform, candidate.exit, :now::timestamptz + make_interval(secs => :reservedSeconds::float8)
  from unnest(:exits::text[]) with ordinality as candidate (exit, position)
  left join platform_pace as pace on pace.platform = :platform and pace.exit = candidate.exit
    and pace.free_at <= :now::timestamptz + ${incredible}
  -- Of several that are free, the one that has rested longest.
  order by greatest(pace.free_at, :now::timestamptz), pace.free_at nulls first, candidate.position
  limit 1
  on conflict (platform, exit) do update
  set free_at = make_interval(secs => :reservedSeconds::float8) + case
    when taken.free_at > :now::timestamptz + ${incredible} then :now::timestamptz
    else greatest(taken.free_at, :now::timestamptz)
  end
  where taken.free_at <= :now::timestamptz + make_interval(secs => :withinSeconds::float8)
    or taken.free_at > :now::timestamptz + ${incredible}
  returning exit, free_at - make_interval(secs => :reservedSeconds::float8) as begins_at`).reading({
  exit: isText,
  beginsAt: isMoment,
});

export const createPlatformPace = (database: Database): PlatformPace => ({
  take: ({ platform, exits, turns, intervalSeconds, withinSeconds, now }) =>
    takeTurns.row(database, { platform, exits, reservedSeconds: turns * intervalSeconds, withinSeconds, now }),
});

const mostAccounts = 1_000;
const mostHolds = 1_000;

/** Reads counts that starts maintain, plus one index entry per waiting account, so its cost doesn't grow with the queue. */
const readFigures = statement(`
  select queue.*, oldest.*, holds.*, first_hold.* from (
    select coalesce(sum(waiting), 0)::integer as queued, coalesce(sum(running), 0)::integer as running from queue_account
  ) as queue, (
    select min(first.queued_at) as oldest_queued_at
    from (select account_id from queue_account where is_waiting limit ${mostAccounts}) as account
    cross join lateral (
      select queued_at from transcription
      where coalesce(account_id, '') = account.account_id and state = 'queued' and tries_left > 0
      order by queued_at, number limit 1
    ) as first
  ) as oldest, (
    select count(*)::integer as held from (select from hold where state = 'held' limit ${mostHolds}) as one
  ) as holds, (
    select min(held_at) as oldest_held_at from hold where state = 'held'
  ) as first_hold`).reading({
  queued: isNumber,
  running: isNumber,
  oldestQueuedAt: orNull(isMoment),
  held: isNumber,
  oldestHeldAt: orNull(isMoment),
});

export const readWorkFigures = (database: Database): Promise<StoredWork> => readFigures.onlyRow(database);
