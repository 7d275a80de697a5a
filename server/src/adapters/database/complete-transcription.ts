import type { Statement } from "./statement.ts";

/**
 * Settles the hold of the row `ended`, in the period in which the unit was held: it is charged where `charge` is true and
 * free again where it is not. Parts of a `with` clause.
 */
export const settleHold = (charge: string, now: string): string => `
    settled as (
      update hold set state = case when ${charge} then 'charged' else 'refunded' end, settled_at = ${now}
      from ended where hold.transcription_id = ended.id and hold.state = 'held'
      returning hold.account_id, hold.slot, hold.period, hold.state
    ), counted as (
      update allowance set held = held - 1, used = used + case when settled.state = 'charged' then 1 else 0 end
      from settled
      where allowance.account_id = settled.account_id and allowance.slot = settled.slot
        and allowance.period = settled.period
    )`;

/** One statement, so that a crash leaves all of it or nothing. */
export const completeTranscription: Statement = {
  name: "complete-transcription",
  text: `
    with ended as (
      update transcription
      set state = 'done', progress = 1, lease_until = null, worker = null, finished_at = $3
      where id = $1 and attempt = $2 and state = 'running'
      returning id, account_id, platform, media_id
    ), stored as (
      insert into transcript as t (platform, media_id, reel, text, segments, language, language_probability, seconds,
        speech_seconds, truncated, model, created_at, views, engagement_rate, token_version, tokens, handle)
      select platform, media_id, $6::json, $7, $8::json, $9, $10::float8, $11::float8, $12::float8, $13::boolean, $14,
        $15::timestamptz, $16::bigint, $17::float8, $18::integer, $19::tsvector, $20
      from ended
      -- A reel keeps its first transcript; the empty change only makes that row come back.
      on conflict (platform, media_id) do update set media_id = t.media_id
      returning id, views, engagement_rate, tokens, handle
    ), added as (
      insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, tokens, handle)
      select $4, ended.account_id, stored.id, $3, stored.views, stored.engagement_rate,
        stored.tokens || array_to_tsvector(array['#' || ended.account_id]), stored.handle
      from ended, stored
      -- The account may be deleted since; the transcript is for everybody.
      where ended.account_id is not null
      on conflict (account_id, transcript_id) do nothing
    ), ${settleHold("$5::boolean", "$3")}
    select id from ended`,
};
