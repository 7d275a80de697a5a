import { webhookEvents } from "@reelscript/contract";
import type { WebhookAttempts } from "../../../ports.ts";
import { isAnything, isBytes, isListOf, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { failureIn } from "../queue/transcription-states.ts";

const mostOfAccount = 2;

/**
 * Deliveries are added only by the function `end_transcription`, in the statement that ends a transcription
 * (`end-transcription.ts`), and by tests of an endpoint.
 *
 * One index lookup per endpoint finds the endpoints with due deliveries, however many wait. Tests are due at -infinity, and
 * also go to a disabled endpoint, so that its owner can see whether it works again. The delivery is checked again once its
 * endpoint is locked, because another process may have tried it meanwhile.
 */
const take = statement(`
  with recursive pending as (
    (select webhook_id from webhook_delivery where settled_at is null order by webhook_id limit 1)
    union all
    select (
      select d.webhook_id from webhook_delivery as d where d.settled_at is null and d.webhook_id > pending.webhook_id
      order by d.webhook_id limit 1
    )
    from pending where pending.webhook_id is not null
  ), waiting as (
    select w.id, w.number, due.id as delivery_id, due.since,
      (select count(*) from webhook as other where other.account_id = w.account_id and other.busy_until > :now::timestamptz)
        + row_number() over (partition by w.account_id order by due.since, w.number) as rank
    from pending
      join webhook as w on w.id = pending.webhook_id
      join account as a on a.id = w.account_id
      cross join lateral (
        select d.id, case when d.due_at = '-infinity' then d.created_at else d.due_at end as since
        from webhook_delivery as d
        where d.webhook_id = w.id and d.settled_at is null
          and d.due_at <= case when w.disabled_at is null then :now::timestamptz else '-infinity' end
        order by d.due_at limit 1
      ) as due
    where w.busy_until <= :now::timestamptz and a.suspended_at is null
  ), free as (
    select w.id, w.url, w.secret, case when w.former_until > :now::timestamptz then w.former_secret end as former_secret,
      waiting.delivery_id
    from waiting join webhook as w on w.id = waiting.id
    where w.busy_until <= :now::timestamptz and waiting.rank <= ${mostOfAccount}
    order by waiting.since, waiting.number limit :most::integer
    for no key update of w skip locked
  ), taken as (
    update webhook_delivery as d set attempts = d.attempts + 1 from free
    where d.id = free.delivery_id and d.settled_at is null and d.due_at <= :now::timestamptz
    returning d.id, d.attempts, d.webhook_id, free.url, free.secret, free.former_secret,
      d.event, d.created_at, d.transcription_id, d.reel_url, d.batch_id
  )
  update webhook as w set busy_until = :now::timestamptz + make_interval(secs => :leaseSeconds::float8)
  from taken left join transcription as t on t.id = taken.transcription_id
  where w.id = taken.webhook_id
  returning taken.id, taken.attempts, taken.url, taken.secret, taken.former_secret, taken.event, taken.created_at,
    taken.transcription_id, taken.reel_url, t.platform, taken.batch_id, (
      select array[
        count(*)::integer, count(*) filter (where l.state = 'done')::integer,
        count(*) filter (where l.state = 'failed')::integer, count(*) filter (where l.state = 'canceled')::integer
      ]
      from batch_link as l where l.batch_id = taken.batch_id
    ) as batch_counts,
    case when t.state = 'failed' then t.failure end as failure, (
      select s.id
      from transcript join script as s on s.transcript_id = transcript.id and s.account_id = t.account_id
      where transcript.platform = t.platform and transcript.media_id = t.media_id
        and (transcript.owner is null or transcript.owner = t.owner)
      limit 1
    ) as script_id, (
      select case
          when q.state in ('queued', 'running') then 'inProgress' when r.text <> '' then 'done'
          when r.text = '' or q.state = 'failed' then 'failed'
        end
      from transcript as own
      left join translation as r on r.transcript_id = own.id and r.source_language = own.language
      left join lateral (
        select state from transcription where translates = own.id order by number desc limit 1
      ) as q on true
      where own.platform = t.platform and own.media_id = t.media_id and (own.owner is null or own.owner = t.owner)
      order by own.owner nulls last limit 1
    ) as translation`).reading({
  id: isText,
  attempts: isNumber,
  url: isText,
  secret: isBytes,
  formerSecret: orNull(isBytes),
  event: isOneOf(...webhookEvents),
  createdAt: isMoment,
  transcriptionId: orNull(isText),
  reelUrl: orNull(isText),
  platform: orNull(isText),
  scriptId: orNull(isText),
  translation: orNull(isOneOf("inProgress", "done", "failed")),
  failure: isAnything,
  batchId: orNull(isText),
  batchCounts: isListOf(isNumber),
});

/** A failed test says nothing about the events, so it starts no failure. Locks the endpoint first, like its deletion. */
const note = statement(`
  with locked as materialized (
    select id from webhook where id = (select webhook_id from webhook_delivery where id = :id) for no key update
  ), noted as (
    update webhook_delivery as d set
      settled_at = case when :nextAt::timestamptz is null then :now::timestamptz end,
      due_at = coalesce(:nextAt::timestamptz, d.due_at),
      last_at = :now::timestamptz, last_status = :status::integer, last_problem = :problem::text
    from locked
    where d.webhook_id = locked.id and d.id = :id and d.attempts = :attempt and d.settled_at is null
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
  from noted where w.id = noted.webhook_id`);

const toBatch = (id: string, [total = 0, done = 0, failed = 0, canceled = 0]: readonly number[]) => ({
  id,
  total,
  done,
  failed,
  canceled,
});

/** The sending half of the `Webhooks` port. */
export const createWebhookAttempts = (database: Database): WebhookAttempts => ({
  async take(most, leaseSeconds, now) {
    const rows = await take.rows(database, { most, leaseSeconds, now });
    return rows.map(({ id, attempts, url, secret, formerSecret, event, createdAt, ...ended }) => ({
      deliveryId: id,
      attempt: attempts,
      url,
      secrets: formerSecret === null ? [secret] : [secret, formerSecret],
      event,
      createdAt,
      batch: ended.batchId === null ? null : toBatch(ended.batchId, ended.batchCounts),
      transcription:
        ended.transcriptionId === null || ended.reelUrl === null
          ? null
          : {
              id: ended.transcriptionId,
              reelUrl: ended.reelUrl,
              platform: ended.platform,
              scriptId: ended.scriptId,
              translation: ended.translation,
              failure: ended.failure === null ? null : failureIn({ failure: ended.failure }),
            },
    }));
  },
  async note({ deliveryId: id, attempt }, { status, problem, gone }, nextAt, now) {
    await note.run(database, { id, attempt, status, problem, gone, nextAt: nextAt ?? null, now });
  },
});
