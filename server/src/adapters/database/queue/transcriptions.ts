import { accountDeleted } from "../engine/unavailable.ts";
import type { Claim, Claims, NewId, Transcriptions } from "../../../ports.ts";
import { isBoolean, isBytes, isListOf, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { columnsOf, statement, jsonOf, type RowOf } from "../engine/statement.ts";
import { completeRetranscription } from "./complete-retranscription.ts";
import { completeTranscription } from "./complete-transcription.ts";
import { createOwnTranscriptions } from "./find-own-transcription.ts";
import { requestTranscription, spanIn, takeCachedTranscript } from "./request-transcription.ts";
import { addressRow, claimRow, isSegment, spokenTextRow } from "../transcripts/transcript-row.ts";
import { stateRow, toState, waitingForIn } from "./read-states.ts";
import { unpackSegments } from "../transcripts/transcript-times.ts";

const findTranscription = statement(
  `select state, progress, ${waitingForIn("transcription")}, failure from transcription where id = :id`,
).reading(stateRow);

const readText = statement(`
  select text, language, truncated, model, exists (select from account where id = :accountId) as for_account,
    (select id from script where account_id = :accountId and transcript_id = transcript.id) as script_id
  from transcript
  where platform = :platform and media_id = :mediaId and (owner is null or owner = :accountId)
  order by owner nulls last limit 1`).reading({ ...spokenTextRow, forAccount: isBoolean, scriptId: orNull(isText) });

const isCached = statement(
  "select 1 from transcript where platform = :platform and media_id = :mediaId and owner is null",
);

const mostFirstLines = 50;

const readBeginning = statement(`
  select handle, language, left(text, 400) as text, seconds, times, case when times is not null then text end as whole, (
    select coalesce(json_agg(line order by number), '[]'::json) from (
      select line, number from json_array_elements(segments) with ordinality as of_transcript (line, number)
      where (line ->> 'start')::float8 < :before::float8 order by number limit ${mostFirstLines}
    ) as first_lines
  ) as segments
  from transcript where platform = :platform and media_id = :mediaId and owner is null`).reading({
  handle: orNull(isText),
  language: isText,
  text: isText,
  seconds: isNumber,
  segments: isListOf(isSegment),
  times: orNull(isBytes),
  whole: orNull(isText),
});

const claimColumns = {
  ...claimRow,
  attempt: isNumber,
  triesLeft: isNumber,
  crashes: isNumber,
  setbacks: isNumber,
  sent: isBoolean,
  retranscribes: isBoolean,
  awaySince: orNull(isMoment),
  accountId: orNull(isText),
  requestId: orNull(isText),
  requestSpan: orNull(isText),
  tookOver: isBoolean,
};

const claimNext = statement(`
  select id, attempt, tries_left, crashes, setbacks, platform, media_id, shortcode, url, language_hint,
    owner is not null as sent, retranscribes is not null as retranscribes, away_since, account_id, request_id, request_span,
    -- The statement sees the row as it was before the function changed it.
    exists (select from transcription as before where before.id = claimed.id and before.state = 'running') as took_over
  -- While the queue is drained, this selects no worker, so the function isn't called.
  from (select :worker::text as name where not exists (select from queue_drain)) as worker, claim_next(
    worker_name => worker.name, lease_seconds => :leaseSeconds::double precision, moment => :now::timestamptz,
    alone => :alone::boolean, away => :away::text[], reads_objects => true) as claimed`).reading(claimColumns);

const claimOf = (row: RowOf<typeof claimColumns>): Claim => ({
  transcriptionId: row.id,
  attempt: row.attempt,
  reel: columnsOf(row, addressRow),
  ...(row.sent && { hasSentMedia: true as const }),
  languageHint: row.languageHint,
  mayRetry: row.triesLeft > 0,
  setbacks: row.setbacks,
  ...(row.retranscribes && { retranscribes: true as const }),
  ...(row.crashes > 0 && { crashed: true as const }),
  ...(row.awaySince !== null && { awaySince: row.awaySince }),
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
  ), told as (
    insert into interim_text (transcription_id, number, attempt, language, text)
    select held.id, passage.number, held.attempt, passage.language, passage.text
    from held, unnest(:numbers::integer[], :languages::text[], :texts::text[]) as passage (number, language, text)
    -- A passage may come twice, because the answer to its first statement may be lost. A draft has the number 0 and
    -- replaces the draft before.
    on conflict (transcription_id, number) do update set language = excluded.language, text = excluded.text
      where interim_text.number = 0
  )
  select id from held`);

const failTranscription = statement(`
  with ended as (
    select id, platform, media_id, owner, retranscribes from end_transcription(
      ended_id => :id, of_attempt => :attempt::integer, moment => :now::timestamptz, reason => :failure::json, charged => false)
  ), refused as (
    insert into refusal (platform, media_id, owner, model, until, failure)
    select platform, media_id, owner, :model::text, :until::timestamptz, :failure::json from ended where :model::text is not null
    on conflict (platform, media_id, owner, model) do update set until = excluded.until, failure = excluded.failure
  ), heard as (
    update transcript as t set heard_by = t.heard_by || :model::text from ended
    where t.id = ended.retranscribes and :model::text is not null and not t.heard_by @> array[:model::text]
  )
  select id from ended`);

/** The next call ends the rest. */
const mostEnded = 1_000;

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

/** The triggers act as for `releaseTranscription`. */
const postponeTranscription = statement(`
  update transcription
  set state = 'queued', lease_until = null, worker = null, progress = 0, waiting_for = :waitingFor::text,
    waits = :waitingFor::text is not distinct from 'platform', tries_left = tries_left + 1, resume_at = :until::timestamptz,
    away_since = coalesce(away_since, :since::timestamptz)
  where id = :id and attempt = :attempt and state = 'running'`);

const endOneOverdue = statement(`
  with due as (
    select id from transcription
    where state = 'queued' and away_since <= :before::timestamptz and waits = (:platform::text is not null)
      and (:platform::text is null or platform = :platform)
    order by queued_at, number
    limit 1
    for update skip locked
  )
  select ended.id from due, end_transcription(
    ended_id => due.id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as ended`).reading(
  { id: isText },
);

/** One at a time: statements that settle several allowances at once could wait for one another in a circle. */
const reapOne = statement(`
  with due as (
    select id, state = 'running' as expired from transcription
    where state in ('queued', 'running') and tries_left = 0 and (state = 'queued' or lease_until <= :now::timestamptz)
    order by queued_at, number
    limit 1
    for update skip locked
  )
  select ended.id, due.expired from due, end_transcription(
    ended_id => due.id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as ended`).reading(
  { id: isText, expired: isBoolean },
);

const expireLeases = statement("update transcription set lease_until = :now where state = 'running'");

const queueLength = statement("select sum(open) as length from queue_length").reading({
  length: orNull(isNumber),
});

/** The calls of workers on claimed transcriptions. */
const createClaims = ({ pool, urgentPool, signals }: Engine, newId: NewId): Claims => ({
  async claim(worker, leaseSeconds, now, { alone = true, away = [] } = {}) {
    const row = await claimNext.row(pool, { worker, leaseSeconds, now, alone, away });
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
  async complete(claim, transcript, charge, now) {
    const completed = claim.retranscribes
      ? await completeRetranscription(pool, claim, transcript, now)
      : await completeTranscription(pool, claim, transcript, { scriptId: newId("scr"), charge, now });
    if (completed) signals.announce("finished", claim.transcriptionId);
    return completed;
  },
  async fail(claim, failure, { now, refuse }) {
    const failed = await failTranscription.run(pool, {
      id: claim.transcriptionId,
      attempt: claim.attempt,
      failure: jsonOf(failure),
      now,
      model: refuse?.model ?? null,
      until: refuse?.until ?? null,
    });
    if (failed > 0) signals.announce("finished", claim.transcriptionId);
    return failed > 0;
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
  async postpone(claim, { until, since, waitingFor }) {
    const { transcriptionId: id, attempt } = claim;
    return (await postponeTranscription.run(pool, { id, attempt, until, since, waitingFor: waitingFor ?? null })) > 0;
  },
  async endOverdue(failure, { platform = null, before, now }) {
    for (let ended = 0; ended < mostEnded; ended += 1) {
      const failed = jsonOf(failure);
      const row = await endOneOverdue.row(pool, { failure: failed, platform, before, now });
      if (!row) return;
      signals.announce("finished", row.id);
    }
  },
});

export function createTranscriptions(engine: Engine, newId: NewId): Transcriptions {
  const { pool, signals } = engine;
  return {
    takeCached: (reel, allowance, now, options) => takeCachedTranscript(pool, newId, reel, allowance, now, options),
    async readText(reel, accountId) {
      const row = await readText.row(pool, { platform: reel.platform, mediaId: reel.mediaId, accountId });
      if (row?.forAccount === false) throw accountDeleted();
      return row;
    },
    async readBeginning({ platform, mediaId }, before) {
      const row = await readBeginning.row(pool, { platform, mediaId, before });
      if (row === undefined) return undefined;
      const { times, whole, ...beginning } = row;
      if (times === null || whole === null) return beginning;
      const first = unpackSegments(whole, times).filter(({ start }) => start < before);
      return { ...beginning, segments: first.slice(0, mostFirstLines) };
    },
    isCached: async (reel) => (await isCached.run(pool, reel)) > 0,
    request: (request) => requestTranscription(engine, newId, request),
    async find(transcriptionId) {
      const row = await findTranscription.row(pool, { id: transcriptionId });
      return row && toState(row);
    },
    ...createOwnTranscriptions(pool),
    ...createClaims(engine, newId),
    async reap(failure, now) {
      const reaped = { failed: 0, expired: 0 };
      for (;;) {
        const ended = await reapOne.row(pool, { failure: jsonOf(failure), now });
        if (!ended) return reaped;
        reaped.failed += 1;
        if (ended.expired) reaped.expired += 1;
        signals.announce("finished", ended.id);
      }
    },
    expireLeases: async (now) => void (await expireLeases.run(pool, { now })),
    queueLength: async () => (await queueLength.onlyRow(pool)).length ?? 0,
  };
}
