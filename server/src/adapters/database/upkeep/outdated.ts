import { batchDays } from "@reelscript/contract";
import { forgetFormerHandles } from "../bio/bio-handles.ts";
import { forgetAnswers } from "../calls/idempotent-answers.ts";
import { statement, type Statement } from "../engine/statement.ts";
import { purgeDeletedScripts } from "../library/deleted-scripts.ts";
import { forgetExports } from "../library/script-exports.ts";
import { forgetVideos } from "../videos/forget-videos.ts";
import { forgetFiles } from "../files/forget-files.ts";
import { forgetSentMedia } from "../sent-media/sent-media.ts";
import { forgetSessions } from "../sessions/sessions.ts";

/** Rows per statement, so that none holds anybody up for long. */
const batch = 200;

/** A statement that changed fewer rows has no more to do; those on files take so few at a time. */
export const fewestOfMore = 20;

/** Statements that delete rows by age, by the name of their task. */
export const outdated: Readonly<Record<string, readonly Statement<"now">[]>> = {
  "forget-expired-data": [
    statement(`
      delete from api_key where id in (
        select id from api_key where revoked_at <= :now::timestamptz - interval '30 days'
        order by revoked_at limit ${batch} for update skip locked
      )`),
    statement(`
      delete from thumbnail where (platform, media_id) in (
        select platform, media_id from thumbnail where made_at <= :now::timestamptz - interval '30 days'
        order by made_at limit ${batch} for update skip locked
      )`),
    // Starts with the images that were checked longest ago; a page is checked once a day.
    statement(`
      with next as (
        select id, account_id from bio_image where checked_at <= :now::timestamptz - interval '1 day'
        order by checked_at limit ${batch} for update skip locked
      )
      update bio_image as i set checked_at = :now, used_at = case when exists (
        select from bio_page as p where p.account_id = i.account_id and strpos(p.content::text, '/' || i.id || '.webp') > 0
      ) then :now else i.used_at end
      from next where i.id = next.id`),
    // The trigger `bio_image_objects_removed` queues their objects in `removed_object`, from which they are removed later.
    statement(`
      delete from bio_image where id in (
        select id from bio_image
        where used_at <= :now::timestamptz - interval '30 days' and checked_at > :now::timestamptz - interval '1 day'
        order by checked_at limit ${batch} for update skip locked
      )`),
  ],
  "forget-deleted-scripts": [purgeDeletedScripts],
  "forget-script-exports": [forgetExports],
  "forget-batches": [
    statement(`
      delete from batch where id in (
        select id from batch where created_at <= :now::timestamptz - interval '${batchDays} days'
        order by created_at limit ${batch} for update skip locked
      )`),
  ],
  "forget-idle-callers": [
    statement("delete from rate_limit where at[cardinality(at)] <= :now::timestamptz - interval '1 hour'"),
  ],
  "forget-bio-salts": [
    statement("delete from bio_salt where day < ((:now::timestamptz - interval '1 hour') at time zone 'UTC')::date"),
    // No process retries a batch for so long.
    statement("delete from bio_batch where at < :now::timestamptz - interval '48 hours'"),
    // If a row meanwhile counts a click, its version changes and it stays.
    statement(`
      delete from bio_recent_click where ctid = any(array(
        select ctid from bio_recent_click where at <= :now::timestamptz - interval '1 hour' limit 10000
      ))`),
  ],
  // No biller reports an event so late.
  "forget-billing-events": [statement("delete from billing_event where at < :now::timestamptz - interval '60 days'")],
  "forget-idempotent-answers": [forgetAnswers],
  "forget-sessions": [forgetSessions],
  "forget-sign-in-attempts": [statement("delete from sign_in_attempt where expires_at <= :now")],
  "forget-invitations": [statement("delete from invitation where expires_at <= :now")],
  "forget-extension-codes": [statement("delete from extension_code where expires_at <= :now")],
  "forget-oauth-artifacts": [
    statement(`
      delete from oauth_artifact where (kind, hash) in (
        select kind, hash from oauth_artifact
        where expires_at <= :now order by expires_at limit ${batch} for update skip locked
      )`),
  ],
  "forget-sent-media": [forgetSentMedia],
  "forget-files": forgetFiles,
  "forget-videos": forgetVideos,
  "forget-webhook-deliveries": [
    // After five days an event is no longer news.
    statement("delete from webhook_delivery where created_at <= :now::timestamptz - interval '5 days'"),
    // An endpoint doesn't outlive the key that created it, whether the key was revoked or has expired.
    statement(`
      update webhook as w set disabled_at = :now::timestamptz from api_key as k
      where k.id = w.key_id and k.expires_at <= :now::timestamptz and w.disabled_at is null`),
    statement("update webhook set former_secret = null, former_until = null where former_until <= :now::timestamptz"),
  ],
  "forget-workers": [statement("delete from worker where seen_at < :now::timestamptz - interval '24 hours'")],
  "forget-former-handles": [forgetFormerHandles],
  "forget-remembered-use": [
    statement(`
      delete from remembered_use
      where removed_on <= (:now::timestamptz at time zone 'UTC')::date - interval '24 months'`),
  ],
  // After this time an account's last turn no longer matters.
  "forget-idle-accounts": [
    statement(`
      delete from queue_account
      where waiting = 0 and running = 0 and last_served_at <= :now::timestamptz - interval '1 hour'`),
  ],
};
