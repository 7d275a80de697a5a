import { engagementRate } from "@reelscript/contract";
import type { Charge, Claim, NewTranscript } from "../../../ports.ts";
import { isAlike } from "../../../rules/alike.ts";
import { isNumber, isText } from "../engine/columns.ts";
import { statement, type Database, jsonOf } from "../engine/statement.ts";
import { readForm } from "./storage-form.ts";
import { speechValues, indexOf } from "./transcript-row.ts";

/**
 * Settles the hold of the row `ended`, in the period in which the unit was held: charges it if `:charge` is true, and otherwise
 * returns it. Parts of a `with` clause.
 */
export const settleHold = `
    settled as (
      update hold set state = case when :charge::boolean then 'charged' else 'refunded' end
      from ended where hold.transcription_id = ended.id and hold.state = 'held'
      returning hold.account_id, hold.slot, hold.period, hold.state
    ), counted as (
      update allowance set held = held - 1, used = used + case when settled.state = 'charged' then 1 else 0 end
      from settled
      where allowance.account_id = settled.account_id and allowance.slot = settled.slot
        and allowance.period = settled.period
    )` as const;

/** The text of media that the same account sent earlier for this reel. */
const findSentText = statement(`
  select sent.text from transcription as t
  join transcript as sent on sent.platform = t.platform and sent.media_id = t.media_id and sent.owner = t.account_id
  where t.id = :id`).reading({ text: isText });

/**
 * One statement, so that a crash leaves all of it or nothing. Webhooks are part of it: the trigger `transcription_webhooks`
 * adds a delivery for each endpoint of the account when the state becomes `done` or `failed`, in any statement that ends a
 * transcription. The trigger `transcript_allowed` drops the transcript of a reel that was taken down meanwhile,
 * `transcription_media_used` removes sent media, and `follow_queue` counts the end in `queue_account` and `queue_length`.
 */
const storeTranscript = statement(`
  with ended as (
    update transcription
    set state = 'done', progress = 1, lease_until = null, worker = null, finished_at = :now,
      owner = case when :own::boolean then account_id else owner end
    where id = :id and attempt = :attempt and state = 'running'
    returning id, account_id, platform, media_id, owner
  ), stored as (
    insert into transcript as t (platform, media_id, owner, reel, text, segments, language, language_probability, seconds,
      speech_seconds, truncated, model, created_at, gaps, words, revision, heard_by, views, engagement_rate, tokens,
      handle, times)
    select platform, media_id, owner, :reel::json, :text, :segments::json, :language, :languageProbability::float8, :seconds::float8, :speechSeconds::float8, :truncated::boolean, :model,
      :createdAt::timestamptz, :gaps::json, :words::integer[], :revision::integer, :heardBy::text[], :views::bigint, :engagementRate::float8,
      case when :times::bytea is null then :tokens::tsvector else '' end, :handle, :times::bytea
    from ended
    -- A transcript that an account's hint decided is deleted with the account.
    where account_id is not null or not :own::boolean
    -- A reel keeps its first transcript. The update changes nothing; it only makes the statement return that row.
    on conflict (platform, media_id, owner) do update set media_id = t.media_id
    returning id, views, engagement_rate, handle, xmax = 0 as is_new
  ), added as (
    insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
    select :scriptId, ended.account_id, stored.id, :now, stored.views, stored.engagement_rate, stored.handle
    from ended, stored
    -- The account may have been deleted since, but the transcript is for everybody.
    where ended.account_id is not null
    on conflict (account_id, transcript_id) do nothing
  ), ${settleHold}
  -- The triggers that make the script searchable follow the statement.
  select id, (select set_config('reelscript.tokens', :tokens::text, true) from stored where is_new) as tokens
  from ended`).named("complete-transcription");

/** An account that sent media with the same speech was already charged for them, unless the text was empty. */
async function hasPaid(
  on: Database,
  { transcriptionId, hasSentMedia }: Claim,
  { text }: NewTranscript,
): Promise<boolean> {
  const sentText = hasSentMedia ? undefined : await findSentText.row(on, { id: transcriptionId });
  return sentText !== undefined && isAlike(sentText.text, text);
}

const findHeldSlot = statement(`select slot from hold where transcription_id = :id`).reading({ slot: isNumber });

/** Calls of people have the slot 0. */
async function isHeldByKey(on: Database, { transcriptionId }: Claim): Promise<boolean> {
  const held = await findHeldSlot.row(on, { id: transcriptionId });
  return held !== undefined && held.slot > 0;
}

/** `Transcriptions.complete` for a first transcription. `scriptId` names the script in the requesting account's library. */
export async function completeTranscription(
  database: Database,
  claim: Claim,
  transcript: NewTranscript,
  { scriptId, charge, now }: { readonly scriptId: string; readonly charge: Charge; readonly now: Date },
): Promise<boolean> {
  const { reel } = transcript;
  const speech = speechValues(transcript, await readForm(database));
  const pays = charge === "keys" ? await isHeldByKey(database, claim) : charge;
  const stored = await storeTranscript.run(database, {
    id: claim.transcriptionId,
    attempt: claim.attempt,
    own: transcript.hintDecided === true && !claim.hasSentMedia,
    charge: pays && !(await hasPaid(database, claim, transcript)),
    scriptId,
    now,
    reel: jsonOf(reel),
    views: reel.views,
    engagementRate: engagementRate(reel),
    handle: reel.author.handle,
    tokens: indexOf(reel, transcript),
    createdAt: transcript.createdAt,
    text: speech.text,
    segments: speech.segments,
    gaps: speech.gaps,
    words: speech.words,
    times: speech.times,
    language: speech.language,
    languageProbability: speech.languageProbability,
    seconds: speech.seconds,
    speechSeconds: speech.speechSeconds,
    truncated: speech.truncated,
    model: speech.model,
    revision: speech.revision,
    heardBy: speech.heardBy,
  });
  return stored > 0;
}
