import { webhookEvents } from "@reelscript/contract";
import type { WebhookAttempt, Webhooks } from "../../../ports.ts";
import { isBytes, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { execute, rowsOf, statement, type Database } from "../engine/statement.ts";

/** A test goes to a disabled endpoint too: it is how its owner finds out whether it works again. */
const take = statement(
  "take-webhook-attempts",
  `
    with due as (
      select distinct on (d.webhook_id) d.id, d.webhook_id, d.due_at
      from webhook_delivery as d join webhook as w on w.id = d.webhook_id
      where d.settled_at is null and d.due_at <= :now::timestamptz and w.busy_until <= :now::timestamptz
        and (w.disabled_at is null or d.event = 'webhook.test')
      order by d.webhook_id, d.event = 'webhook.test' desc, d.due_at, d.id
    ), free as (
      select w.id, due.id as delivery_id from due join webhook as w on w.id = due.webhook_id
      where w.busy_until <= :now::timestamptz
      order by due.due_at, w.number limit :most::integer
      for no key update of w skip locked
    ), busy as (
      update webhook as w set busy_until = :now::timestamptz + make_interval(secs => :leaseSeconds::float8) from free
      where w.id = free.id
      returning w.id, w.url, w.secret, free.delivery_id
    )
    update webhook_delivery as d set attempts = d.attempts + 1 from busy
    where d.id = busy.delivery_id and d.settled_at is null
    returning d.id, d.attempts, busy.url, busy.secret, d.event, d.created_at, d.transcription_id, d.reel_url`,
  {
    id: isText,
    attempts: isNumber,
    url: isText,
    secret: isBytes,
    event: isOneOf(...webhookEvents),
    created_at: isMoment,
    transcription_id: orNull(isText),
    reel_url: orNull(isText),
  },
);

/** A failed test says nothing of the events themselves, so it starts no failure. */
const note = statement(
  "note-webhook-attempt",
  `
    with noted as (
      update webhook_delivery as d set
        settled_at = case when :nextAt::timestamptz is null then :now::timestamptz end,
        due_at = coalesce(:nextAt::timestamptz, d.due_at)
      where d.id = :id and d.attempts = :attempt and d.settled_at is null
      returning d.webhook_id, d.event
    )
    update webhook as w set busy_until = '-infinity', last_at = :now::timestamptz, last_event = noted.event,
      last_status = :status::integer, last_problem = :problem::text,
      failing_since = case
        when :problem::text is null then null
        when noted.event = 'webhook.test' then w.failing_since
        else coalesce(w.failing_since, :now::timestamptz)
      end,
      disabled_at = case
        when :problem::text is null or noted.event = 'webhook.test' then w.disabled_at
        when :gone::boolean or w.failing_since <= :now::timestamptz - interval '3 days' then :now::timestamptz
      end
    from noted where w.id = noted.webhook_id`,
);

export async function takeAttempts(
  database: Database,
  most: number,
  leaseSeconds: number,
  now: Date,
): Promise<WebhookAttempt[]> {
  const rows = await rowsOf(database, take, { most, leaseSeconds, now });
  return rows.map((row) => ({
    deliveryId: row.id,
    attempt: row.attempts,
    url: row.url,
    secret: row.secret,
    event: row.event,
    createdAt: row.created_at,
    transcription:
      row.transcription_id === null || row.reel_url === null
        ? null
        : { id: row.transcription_id, reelUrl: row.reel_url },
  }));
}

export async function noteAttempt(database: Database, ...noted: Parameters<Webhooks["note"]>): Promise<void> {
  const [{ deliveryId: id, attempt }, { status, problem, gone }, nextAt, now] = noted;
  await execute(database, note, { id, attempt, status, problem, gone, nextAt: nextAt ?? null, now });
}
