import { statement } from "../engine/statement.ts";

/** Files whose bytes are deleted at a time; each may have hundreds of parts. */
const most = 20;

/** Uploads that nobody finished within their day, with what is stored of them. What is whole waits for the queue however long that takes. */
const forgetUploads = statement(`
  with ended as (
    update file set ended_at = :now, begin_at = null where id in (
      select id from file
      where ended_at is null and transcription_id is null and begin_at is null and expires_at <= :now::timestamptz
      order by expires_at limit ${most} for update skip locked
    ) returning id
  )
  select delete_file_bytes(ended.id, :now) from ended`);

/** Files that were kept for long enough, or whose script was erased. */
const deleteKept = statement(`
  select delete_file_bytes(next.id, :now) from (
    select f.id from file as f
    where f.kept_until is not null and (f.kept_until <= :now::timestamptz or not exists (
      select from transcript as t where t.platform = 'file' and t.media_id = f.media_id and t.owner = f.account_id
    ))
    order by f.kept_until limit ${most} for update skip locked
  ) as next`);

/** Files that waited for a translation which is over, or whose script was erased before it. */
const deleteTranslated = statement(`
  select delete_file_bytes(next.id, :now) from (
    select f.id from file as f
    where f.translation_id is not null and f.ended_at is not null and f.kept_until is null and f.deleted_at is null
      and not exists (select from transcription as t where t.id = f.translation_id and t.state in ('queued', 'running'))
    order by f.ended_at limit ${most} for update skip locked
  ) as next`);

/** The receipts, after a month. */
const forgetReceipts = statement("delete from file where deleted_at <= :now::timestamptz - interval '30 days'");

export const forgetFiles = [forgetUploads, deleteKept, deleteTranslated, forgetReceipts] as const;
