import { judgeReplacement } from "../../../recognition/judge-replacement.ts";
import type { Claim, NewTranscript, RetranscriptionOutcome } from "../../../ports.ts";
import { isListOf, isNumber, isText } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";
import { readForm } from "../transcripts/storage-form.ts";
import { isGap, isReel, indexOf, speechValues } from "../transcripts/transcript-row.ts";

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
