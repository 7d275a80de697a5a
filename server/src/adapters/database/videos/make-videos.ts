import type { Objects, VideoClaim, Videos } from "../../../ports.ts";
import { isBoolean, isNumber, isText } from "../engine/columns.ts";
import { jsonOf, statement, type Database } from "../engine/statement.ts";
import { codeOf } from "../engine/unavailable.ts";
import { hashOf } from "../pictures/thumbnails.ts";
import { putPart } from "../sent-media/sent-media.ts";

/**
 * The line of videos is short, so it is read as it is: first one whose lease expired, then one of the account that was served
 * longest ago. Parts that the attempt before stored go.
 */
const claim = statement(`
  with next as (
    select v.id from video as v join account as a on a.id = v.account_id
    where v.state in ('queued', 'running') and v.tries_left > 0 and a.suspended_at is null
      and case v.state
        when 'running' then v.lease_until <= :now
        else (v.resume_at is null or v.resume_at <= :now)
          and not exists (select from video as o where o.account_id = v.account_id and o.state = 'running')
      end
    order by v.state = 'running' desc, (
      select max(o.started_at) from video as o where o.account_id = v.account_id
    ) nulls first, v.created_at, v.id
    limit 1
    for update of v skip locked
  ), claimed as (
    update video as v
    set state = 'running', attempt = v.attempt + 1, tries_left = v.tries_left - 1, progress = 0, worker = :worker,
      lease_until = :now::timestamptz + make_interval(secs => :leaseSeconds::double precision), started_at = :now
    from next where v.id = next.id
    returning v.id, v.attempt, v.account_id, v.file_id, v.subtitles, v.seconds, v.tries_left
  ), cleared as (
    delete from video_part as p using claimed where p.video_id = claimed.id
  )
  select id as video_id, attempt, account_id, file_id, coalesce(subtitles, '') as subtitles, seconds, tries_left > 0 as may_retry
  from claimed`).reading({
  videoId: isText,
  attempt: isNumber,
  accountId: isText,
  fileId: isText,
  subtitles: isText,
  seconds: isNumber,
  mayRetry: isBoolean,
});

const extend = statement(`
  update video
  set lease_until = :now::timestamptz + make_interval(secs => :leaseSeconds::double precision), progress = :progress
  where id = :id and attempt = :attempt and state = 'running'`);

const release = statement(`
  with released as (
    update video
    set state = 'queued', worker = null, lease_until = null, progress = 0, resume_at = :resumeAt,
      tries_left = tries_left + :isSetback::boolean::integer
    where id = :id and attempt = :attempt and state = 'running'
    returning id
  ), cleared as (
    delete from video_part as p using released where p.video_id = released.id
  )
  select id from released`);

const insertPart = statement(`
  insert into video_part (video_id, number, attempt, bytes)
  select id, :number::integer, attempt, :bytes::bytea from video
  where id = :id and attempt = :attempt and state = 'running' for update
  on conflict (video_id, number) do update set bytes = excluded.bytes`);

/** The row is written before its object, so that every object has a row that leads to its removal. */
const nameObject = statement(`
  insert into video_part (video_id, number, attempt, object)
  select id, :number::integer, attempt, :object from video
  where id = :id and attempt = :attempt and state = 'running' for update
  on conflict (video_id, number) do update set object = excluded.object`);

const hasPart = statement("select from video_part where video_id = :id and attempt = :attempt and number = :number");

/** A file that is gone or isn't kept any more can't have a video either. */
const complete = statement(`
  update video as v
  set state = 'done', progress = 1, worker = null, lease_until = null, subtitles = null, size = :size::bigint,
    lacks_letters = :lacksLetters::boolean, ended_at = :now,
    kept_until = coalesce(f.kept_until, :now::timestamptz + interval '1 day')
  from file as f
  where v.id = :id and v.attempt = :attempt and v.state = 'running' and f.id = v.file_id`);

const fail = statement(`
  with failed as (
    update video
    set state = 'failed', worker = null, lease_until = null, subtitles = null, failure = :failure::json, ended_at = :now
    where id = :id and attempt = :attempt and state = 'running'
    returning id
  ), cleared as (
    delete from video_part as p using failed where p.video_id = failed.id
  )
  select id from failed`);

const reap = statement(`
  with failed as (
    update video
    set state = 'failed', worker = null, lease_until = null, subtitles = null, failure = :failure::json, ended_at = :now
    where state = 'running' and lease_until <= :now and tries_left = 0
    returning id
  ), cleared as (
    delete from video_part as p using failed where p.video_id = failed.id
  )
  select id from failed`);

const uniqueViolation = "23505";

type Making = Pick<Videos, "claim" | "extend" | "release" | "append" | "complete" | "fail" | "reap">;

/** How workers get videos, store them, and give them back. */
export const createVideoMaking = (database: Database, objects: Objects | undefined): Making => ({
  claim: (worker, leaseSeconds, now) =>
    claim.row(database, { worker, leaseSeconds, now }).catch((error: unknown) => {
      // Another worker claimed one of the same account at this moment.
      if (codeOf(error) === uniqueViolation) return undefined;
      throw error;
    }),
  async extend({ videoId: id, attempt }, progress, leaseSeconds, now) {
    return (await extend.run(database, { id, attempt, progress, leaseSeconds, now })) > 0;
  },
  async release({ videoId: id, attempt }, { isSetback, resumeAt }) {
    return (await release.run(database, { id, attempt, isSetback, resumeAt })) > 0;
  },
  async append(claimed, number, bytes) {
    if (objects !== undefined) return storeObject(database, objects, claimed, number, bytes);
    return (await insertPart.run(database, { id: claimed.videoId, attempt: claimed.attempt, number, bytes })) > 0;
  },
  async complete({ videoId: id, attempt }, { size, lacksLetters, now }) {
    return (await complete.run(database, { id, attempt, size, lacksLetters, now })) > 0;
  },
  async fail({ videoId: id, attempt }, failure, now) {
    return (await fail.run(database, { id, attempt, failure: jsonOf(failure), now })) > 0;
  },
  async reap(failure, now) {
    await reap.run(database, { failure: jsonOf(failure), now });
  },
});

async function storeObject(
  database: Database,
  objects: Objects,
  { videoId: id, attempt }: VideoClaim,
  number: number,
  bytes: Uint8Array,
): Promise<boolean> {
  const object = `videos/${id}.${number}.${attempt}.${hashOf(bytes)}.part`;
  if ((await nameObject.run(database, { id, attempt, number, object })) === 0) return false;
  await putPart(objects, object, bytes);
  if ((await hasPart.run(database, { id, attempt, number })) > 0) return true;
  // The row is gone, and its object may have been removed before the bytes arrived.
  await objects.remove(object).catch(() => undefined);
  return false;
}
