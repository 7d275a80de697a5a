import type { Claim, Claims, SpanContext } from "../../../ports.ts";
import { isBoolean, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { columnsOf, statement, type RowOf } from "../engine/statement.ts";
import { isAwaitedDependency } from "./transcription-states.ts";

export const addressRow = { platform: isText, mediaId: isText, shortcode: isText, url: isText };

/** The columns that a worker needs of a claimed transcription. */
export const claimRow = { ...addressRow, id: isText, languageHint: orNull(isText) };

const claimColumns = {
  ...claimRow,
  attempt: isNumber,
  triesLeft: isNumber,
  crashes: isNumber,
  setbacks: isNumber,
  sent: isBoolean,
  retranscribes: isBoolean,
  translates: isBoolean,
  awaySince: orNull(isMoment),
  awaited: orNull(isText),
  accountId: orNull(isText),
  requestId: orNull(isText),
  requestSpan: orNull(isText),
  tookOver: isBoolean,
};

const claimNext = statement(`
  select id, attempt, tries_left, crashes, setbacks, platform, media_id, shortcode, url, language_hint,
    owner is not null as sent, retranscribes is not null as retranscribes, translates is not null as translates, away_since, account_id, request_id, request_span,
    -- The statement sees the row as it was before the function changed it.
    (
      select case when before.waits then 'platform' else before.waiting_for end
      from transcription as before where before.id = claimed.id and before.state = 'queued'
    ) as awaited,
    exists (select from transcription as before where before.id = claimed.id and before.state = 'running') as took_over
  -- While the queue is drained, this selects no worker, so the function isn't called.
  from (select :worker::text as name where not exists (select from queue_drain)) as worker, claim_next(
    worker_name => worker.name, lease_seconds => :leaseSeconds::double precision, moment => :now::timestamptz,
    alone => :alone::boolean, away => :away::text[], reads_objects => true,
    reads_files => :files::boolean) as claimed`).reading(claimColumns);

function spanIn(text: string | null): SpanContext | undefined {
  const [traceId, spanId] = text?.split("-") ?? [];
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined;
}

const claimOf = (row: RowOf<typeof claimColumns>): Claim => ({
  transcriptionId: row.id,
  attempt: row.attempt,
  reel: columnsOf(row, addressRow),
  ...(row.sent && { hasSentMedia: true as const }),
  languageHint: row.languageHint,
  mayRetry: row.triesLeft > 0,
  setbacks: row.setbacks,
  ...(row.retranscribes && { retranscribes: true as const }),
  ...(row.translates && { translates: true as const }),
  ...(row.crashes > 0 && { crashed: true as const }),
  ...(row.awaySince !== null &&
    isAwaitedDependency(row.awaited) && { away: { dependency: row.awaited, since: row.awaySince } }),
  ...(row.accountId !== null && { accountId: row.accountId }),
  ...(row.requestId !== null && { origin: { requestId: row.requestId, span: spanIn(row.requestSpan) } }),
  ...(row.tookOver && { tookOver: true as const }),
});

/** Stores newly recognized passages for callers that follow. */
const extendLease = statement(`
  with held as (
    update transcription
    set lease_until = :now::timestamptz + make_interval(secs => :leaseSeconds), progress = least(greatest(:progress::float8, progress), 1),
      waiting_for = :waitingFor::text, waits = :waitingFor::text is not distinct from 'platform'
    where id = :id and attempt = :attempt and state = 'running'
    returning id, attempt
  ), passage_rows as (
    insert into interim_text (transcription_id, number, attempt, language, text)
    select held.id, passage.number, held.attempt, passage.language, passage.text
    from held, unnest(:numbers::integer[], :languages::text[], :texts::text[]) as passage (number, language, text)
    -- A passage may come twice, because the answer to its first statement may be lost. A draft has the number 0 and
    -- replaces the draft before.
    on conflict (transcription_id, number) do update set language = excluded.language, text = excluded.text
      where interim_text.number = 0
  )
  select id from held`);

/** After five machine failures an attempt counts: the reel may be at fault. */
const mostSetbacks = 5;

/**
 * The trigger `follow_queue_2` counts it as queued again, and `transcription_interim_text_2` removes the passages of this attempt.
 */
const releaseTranscription = statement(`
  update transcription
  set state = 'queued', lease_until = null, worker = null, progress = 0, waiting_for = null, waits = false,
    tries_left = tries_left + case when :countAttempt::boolean or setbacks >= ${mostSetbacks} then 0 else 1 end,
    setbacks = setbacks + case when :countAttempt::boolean or :avoidUntil::timestamptz is null then 0 else 1 end,
    avoid_worker = case when :avoidUntil::timestamptz is not null then worker end, avoid_until = :avoidUntil::timestamptz
  where id = :id and attempt = :attempt and state = 'running'`);

/** A probe may take so long before it postpones its reel again. */
const probeSeconds = 60;

/** The triggers act as for `releaseTranscription`. */
const postponeTranscription = statement(`
  with postponed as (
    update transcription
    set state = 'queued', lease_until = null, worker = null, progress = 0, waiting_for = :waitingFor::text,
      waits = :waitingFor::text = 'platform', tries_left = tries_left + 1, resume_at = :until::timestamptz,
      away_since = :since::timestamptz
    where id = :id and attempt = :attempt and state = 'running'
    returning id, platform
  ), noted as (
    insert into neighbor_away as a (neighbor, name, until)
    select :waitingFor::text, case when :waitingFor::text = 'platform' then platform else '' end,
      :until::timestamptz + make_interval(secs => ${probeSeconds})
    from postponed where :isShared::boolean
    on conflict (neighbor, name) do update set until = greatest(a.until, excluded.until)
  )
  select id from postponed`);

const noteAnswer = statement("delete from neighbor_away where neighbor = :dependency and name = :name");

/** How workers get transcriptions, keep them, and give them back. */
export const createClaims = ({
  pool,
  urgentPool,
  signals,
}: Engine): Pick<Claims, "claim" | "extend" | "release" | "postpone" | "noteAnswer"> => ({
  async claim(worker, leaseSeconds, now, { alone = true, away = [], files = true } = {}) {
    const row = await claimNext.row(pool, { worker, leaseSeconds, now, alone, away, files });
    return row && claimOf(row);
  },
  async extend(claim, progress, leaseSeconds, now, passages = [], waitingFor) {
    const extended = await extendLease.run(urgentPool, {
      id: claim.transcriptionId,
      attempt: claim.attempt,
      progress,
      leaseSeconds,
      now,
      waitingFor: waitingFor ?? null,
      numbers: passages.map(({ number }) => number),
      languages: passages.map(({ language }) => language),
      texts: passages.map(({ text }) => text),
    });
    return extended > 0;
  },
  async release(claim, countAttempt, avoidUntil) {
    const released = await releaseTranscription.run(pool, {
      id: claim.transcriptionId,
      attempt: claim.attempt,
      countAttempt,
      avoidUntil: avoidUntil ?? null,
    });
    if (released > 0) signals.announce("queued");
    return released > 0;
  },
  async postpone({ transcriptionId: id, attempt }, { until, since, waitingFor, isShared }) {
    return (await postponeTranscription.run(pool, { id, attempt, until, since, waitingFor, isShared })) > 0;
  },
  async noteAnswer(dependency, platform = "") {
    await noteAnswer.run(pool, { dependency, name: platform });
  },
});
