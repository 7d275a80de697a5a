import type { Claims, NewId, Transcriptions } from "../../../ports.ts";
import { isBoolean, isText } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { jsonOf, statement } from "../engine/statement.ts";
import { completeRetranscription, completeTranscription } from "./complete-transcription.ts";

const failTranscription = statement(`
  with ended as (
    select id, platform, media_id, owner, retranscribes from end_transcription(
      ended_id => :id, of_attempt => :attempt::integer, moment => :now::timestamptz, reason => :failure::json, charged => false)
  ), refused as (
    insert into refusal (platform, media_id, owner, model, until, failure)
    select platform, media_id, owner, :model::text, :until::timestamptz, :failure::json from ended where :model::text is not null
    on conflict (platform, media_id, owner, model) do update set until = excluded.until, failure = excluded.failure
  ), recognizer_mark as (
    update transcript as t set heard_by = t.heard_by || :model::text from ended
    where t.id = ended.retranscribes and :model::text is not null and not t.heard_by @> array[:model::text]
  )
  select id from ended`);

/** The next call ends the rest. */
const mostEnded = 1_000;

const endOneOverdue = statement(`
  with due as (
    select id from transcription
    where state = 'queued' and away_since <= :before::timestamptz
      and case when waits then 'platform' else waiting_for end = :waitingFor::text
      and (:platform::text is null or platform = :platform)
    order by queued_at, number
    limit 1
    for update skip locked
  )
  select ended.id from due, end_transcription(
    ended_id => due.id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as ended`).reading(
  { id: isText },
);

/** Whoever reported them has died, or nothing has needed them since. */
const forgetAbsences = statement("delete from neighbor_away where until <= :now");

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

/** How transcriptions end: each of these statements calls `end_transcription`, which says what follows. */
export const createEnds = (
  { pool, signals }: Engine,
  newId: NewId,
): Pick<Claims, "complete" | "fail" | "endOverdue"> & Pick<Transcriptions, "reap"> => ({
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
  async endOverdue(failure, { waitingFor, platform = null, before, now }) {
    for (let ended = 0; ended < mostEnded; ended += 1) {
      const failed = jsonOf(failure);
      const row = await endOneOverdue.row(pool, { failure: failed, waitingFor, platform, before, now });
      if (!row) return;
      signals.announce("finished", row.id);
    }
  },
  async reap(failure, now) {
    await forgetAbsences.run(pool, { now });
    const reaped = { failed: 0, expired: 0 };
    for (;;) {
      const ended = await reapOne.row(pool, { failure: jsonOf(failure), now });
      if (!ended) return reaped;
      reaped.failed += 1;
      if (ended.expired) reaped.expired += 1;
      signals.announce("finished", ended.id);
    }
  },
});
