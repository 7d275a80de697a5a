import { engagementRate } from "@reelscript/contract";
import type {
  Charge,
  Claim,
  Claims,
  NewId,
  NewTranscript,
  RetranscriptionOutcome,
  Transcriptions,
} from "../../../ports.ts";
import { judgeReplacement } from "../../../recognition/judge-replacement.ts";
import { isAlike } from "../../../rules/alike.ts";
import { isBoolean, isListOf, isNumber, isText } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { jsonOf, statement, transaction, type Database } from "../engine/statement.ts";
import { indexAddedScripts } from "../library/unindexed-scripts.ts";
import { indexOf, isGap, isReel, readForm, speechValues } from "../transcripts/transcript-row.ts";

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
  select id, script_id, share_transcript(platform, media_id, case when owner is null then brought end) as shared,
    queue_translation(id, (select stored.id from stored), :translationId, :language, :isTranslatable::boolean, :now::timestamptz) as translation_queued
  from added`)
  .named("complete-transcription")
  .reading({ translationQueued: isBoolean });

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

/** `Transcriptions.complete` for a first transcription; "translated" if its translation is queued. `scriptId` names the script in the requesting account's library. */
async function completeTranscription(
  database: Database,
  claim: Claim,
  transcript: NewTranscript,
  {
    scriptId,
    translationId,
    charge,
    isTranslatable,
    now,
  }: {
    readonly scriptId: string;
    readonly translationId: string;
    readonly charge: Charge;
    readonly isTranslatable: boolean;
    readonly now: Date;
  },
): Promise<"lost" | "stored" | "translated"> {
  const { reel } = transcript;
  const speech = speechValues(transcript, await readForm(database));
  const pays = charge === "keys" ? await isHeldByKey(database, claim) : charge;
  const stored = await storeTranscript.row(database, {
    id: claim.transcriptionId,
    attempt: claim.attempt,
    own: transcript.hintDecided === true && !claim.hasSentMedia,
    charge: pays && !(await hasPaid(database, claim, transcript)),
    scriptId,
    translationId,
    isTranslatable: isTranslatable && speech.text !== "",
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
  if (stored === undefined) return "lost";
  if (claim.hasSentMedia || transcript.hintDecided) await indexAddedScripts(database, [scriptId]);
  return stored.translationQueued ? "translated" : "stored";
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
async function completeRetranscription(
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
  async complete(claim, transcript, charge, now, { isTranslatable = false, onTranslation } = {}) {
    if (claim.retranscribes) {
      const completed = await completeRetranscription(pool, claim, transcript, now);
      if (completed) signals.announce("finished", claim.transcriptionId);
      return completed;
    }
    const scriptId = newId("scr");
    const translationId = newId("trn");
    const given = { scriptId, translationId, charge, isTranslatable, now };
    const outcome = await completeTranscription(pool, claim, transcript, given);
    if (outcome === "lost") return false;
    signals.announce("finished", claim.transcriptionId);
    if (outcome === "translated") {
      onTranslation?.(translationId);
      signals.announce("queued");
    }
    return true;
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
