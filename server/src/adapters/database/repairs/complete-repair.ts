import { judgeReplacement } from "../../../recognition/judge-replacement.ts";
import type { Claim, NewTranscript, RepairOutcome } from "../../../ports.ts";
import { tokenVersion } from "../../../search/search-tokens.ts";
import { isListOf, isNumber, isText, orNull } from "../engine/columns.ts";
import { execute, rowOf, statement, type Database, type Transaction } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";
import { isGap, isReel } from "../transcriptions/reel-columns.ts";
import { indexOf, speechValues } from "../transcriptions/transcript-row.ts";

/** Locks both rows: nobody else ends the transcription or changes the transcript meanwhile. */
const lockRepaired = statement(
  "lock-repaired",
  `
    select t.id, t.reel, t.text, t.gaps, t.seconds
    from transcription as q join transcript as t on t.id = q.repairs
    where q.id = :id and q.attempt = :attempt and q.state = 'running'
    for update`,
  { id: isNumber, reel: isReel, text: isText, gaps: orNull(isListOf(isGap)), seconds: isNumber },
);

const endRepair = statement(
  "end-repair",
  `
    update transcription
    set state = 'done', progress = 1, lease_until = null, worker = null, finished_at = :now, repair_outcome = :outcome
    where id = :id`,
);

const replaceSpeech = statement(
  "replace-speech",
  `
    update transcript
    set text = :text, segments = :segments::json, language = :language, language_probability = :languageProbability, seconds = :seconds, speech_seconds = :speechSeconds,
      truncated = :truncated, model = :model, created_at = :createdAt, gaps = :gaps::json, words = :words::integer[], revision = :revision,
      heard_by = heard_by || :heardBy::text[], token_version = :tokenVersion, tokens = :tokens::tsvector
    where id = :id`,
);

const noteHearing = statement(
  "note-hearing",
  "update transcript set heard_by = heard_by || :heardBy::text[] where id = :id and not heard_by @> :heardBy::text[]",
);

const lockTranscript = statement("lock-transcript", "select id from transcript where id = :id for update");

const indexScripts = statement(
  "index-scripts",
  `
    update script as s set tokens = t.tokens || array_to_tsvector(array['#' || s.account_id])
    from transcript as t
    where t.id = :id and s.transcript_id = t.id and s.tokens <> t.tokens || array_to_tsvector(array['#' || s.account_id])`,
);

/** Ends a repair: the new text takes the place of the old one when that loses nothing. False when the lease was lost. */
export async function completeRepair(
  database: Database,
  { transcriptionId, attempt }: Claim,
  made: NewTranscript,
  now: Date,
): Promise<boolean> {
  const ended = await transaction(database, async (inside) => {
    const old = await rowOf(inside, lockRepaired, { id: transcriptionId, attempt });
    if (old === undefined) return undefined;
    const { id } = old;
    const outcome: RepairOutcome = judgeReplacement(old, made);
    await execute(inside, endRepair, { id: transcriptionId, now, outcome });
    const speech = speechValues({ ...made, createdAt: now });
    if (outcome === "replaced") {
      await execute(inside, replaceSpeech, { id, ...speech, tokenVersion, tokens: indexOf(old.reel, made) });
      await index(inside, id);
    } else await execute(inside, noteHearing, { id, heardBy: speech.heardBy });
    return { id, outcome };
  });
  // Whoever put the reel into a library meanwhile waited for the row, with the words of before.
  if (ended?.outcome === "replaced") await transaction(database, (inside) => index(inside, ended.id));
  return ended !== undefined;
}

async function index(inside: Transaction, transcriptId: number): Promise<void> {
  await execute(inside, lockTranscript, { id: transcriptId });
  await execute(inside, indexScripts, { id: transcriptId });
}
