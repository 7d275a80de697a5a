import { engagementRate } from "@reelscript/contract";
import type { Charge, Claim, NewTranscript, RetranscriptionOutcome } from "../../../ports.ts";
import { judgeReplacement } from "../../../recognition/judge-replacement.ts";
import { isAlike } from "../../../rules/alike.ts";
import { isListOf, isNumber, isText } from "../engine/columns.ts";
import { statement, transaction, type Database, jsonOf } from "../engine/statement.ts";
import { indexAddedScripts } from "../library/unindexed-scripts.ts";
import { readForm } from "../transcripts/storage-form.ts";
import { indexOf, isGap, isReel, speechValues } from "../transcripts/transcript-row.ts";

/** The text of media that the same account sent earlier for this reel. */
const findSentText = statement(`
  select transcript.text from transcription as t
  join transcript on transcript.platform = t.platform and transcript.media_id = t.media_id and transcript.owner = t.account_id
  where t.id = :id`).reading({ text: isText });

/**
 * One statement, so that a crash leaves all of it or nothing: the end of the transcription with all that follows, the transcript, and
 * the script. The trigger `transcript_allowed` drops the transcript of a reel that was taken down meanwhile.
 */
const storeTranscript = statement(`
  with ended as (
    select id, account_id, platform, media_id, owner from end_transcription(
      ended_id => :id, of_attempt => :attempt::integer, moment => :now, reason => null, charged => :charge::boolean,
      for_account => :own::boolean)
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
    returning id, case when xmax = 0 then :tokens::tsvector end as brought
  ), added as (
    select ended.id, ended.platform, ended.media_id, ended.owner, stored.brought,
      -- The account may have been deleted since, but the transcript is for everybody.
      case when ended.account_id is not null and stored.id is not null
        then add_script(:scriptId, ended.account_id, stored.id, :now, stored.brought) end as script_id
    from ended left join stored on true
  )
  select id, script_id, share_transcript(platform, media_id, case when owner is null then brought end) as shared from added`).named(
  "complete-transcription",
);

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
  // The script may have the transcript that everybody has, whose tokens nobody knows here.
  if (stored > 0 && (claim.hasSentMedia || transcript.hintDecided)) await indexAddedScripts(database, [scriptId]);
  return stored > 0;
}

/**
 * Locks both rows, so that nobody else ends the transcription or changes the transcript meanwhile. Adding the reel to a library
 * waits for the transcript, and then indexes its new words.
 */
const lockRetranscribed = statement(`
  select t.id, t.reel, t.text, t.gaps, t.seconds
  from transcription as q join transcript as t on t.id = q.retranscribes
  where q.id = :id and q.attempt = :attempt and q.state = 'running'
  for update`).reading({ id: isNumber, reel: isReel, text: isText, gaps: isListOf(isGap), seconds: isNumber });

const endRetranscription = statement(`
  select id from end_transcription(
    ended_id => :id, of_attempt => :attempt::integer, moment => :now, reason => null, charged => false, outcome => :outcome)`);

const replaceSpeech = statement(`
  update transcript
  set text = :text, segments = :segments::json, language = :language, language_probability = :languageProbability, seconds = :seconds, speech_seconds = :speechSeconds,
    truncated = :truncated, model = :model, created_at = :createdAt, gaps = :gaps::json, words = :words::integer[], revision = :revision,
    heard_by = heard_by || :heardBy::text[], times = :times::bytea,
    tokens = case when :times::bytea is null then :tokens::tsvector else '' end
  where id = :id`);

const noteHearing = statement(
  "update transcript set heard_by = heard_by || :heardBy::text[] where id = :id and not heard_by @> :heardBy::text[]",
);

const indexScripts = statement(
  "select index_scripts_2(numbers => array(select number from script where transcript_id = :id), brought => :tokens::tsvector)",
);

/** Ends a retranscription: the new text replaces the old one if that loses nothing. False if the lease was lost. */
export async function completeRetranscription(
  database: Database,
  { transcriptionId, attempt }: Claim,
  transcript: NewTranscript,
  now: Date,
): Promise<boolean> {
  const ended = await transaction(database, async (inside) => {
    const old = await lockRetranscribed.row(inside, { id: transcriptionId, attempt });
    if (old === undefined) return undefined;
    const { id } = old;
    const outcome: RetranscriptionOutcome = judgeReplacement(old, transcript);
    await endRetranscription.run(inside, { id: transcriptionId, attempt, now, outcome });
    const speech = speechValues(transcript, await readForm(inside));
    const tokens = indexOf(old.reel, transcript);
    if (outcome === "replaced") {
      await replaceSpeech.run(inside, {
        id,
        createdAt: now,
        tokens,
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
      await indexScripts.run(inside, { id, tokens });
    } else await noteHearing.run(inside, { id, heardBy: speech.heardBy });
    return outcome;
  });
  return ended !== undefined;
}
