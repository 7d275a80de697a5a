import { statement } from "../engine/statement.ts";

/** Videos whose bytes are deleted at a time; each may have hundreds of parts. */
const most = 20;

/** Videos that were kept for long enough, or whose script was erased. */
const deleteKept = statement(`
  with ended as (
    update video set deleted_at = :now, deleted_bytes = size, kept_until = null where id in (
      select v.id from video as v
      where v.kept_until is not null
        and (v.kept_until <= :now::timestamptz or not exists (select from script as s where s.id = v.script_id))
      order by v.kept_until limit ${most} for update skip locked
    ) returning id
  )
  delete from video_part as p using ended where p.video_id = ended.id`);

/** The receipts, and failures, after a month. */
const forgetEnded = statement(`
  delete from video
  where kept_until is null and coalesce(deleted_at, ended_at) <= :now::timestamptz - interval '30 days'`);

export const forgetVideos = [deleteKept, forgetEnded] as const;
