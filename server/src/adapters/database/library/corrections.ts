import { cleanLine } from "@reelscript/contract";
import type { Correctable, Corrections } from "../../../ports.ts";
import { isBoolean, isBytes, isListOf, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
// oxlint-disable-next-line no-restricted-imports -- what is compared is as it is stored
import { storable } from "../engine/storable.ts";
import {
  statement,
  transaction,
  type Database,
  type Queryable,
  type RowOf,
  type Transaction,
  jsonOf,
} from "../engine/statement.ts";
import { indexOf, isReel, isSegment } from "../transcripts/transcript-row.ts";
import { readTimes } from "../transcripts/transcript-times.ts";
import { composeCorrection } from "./compose-correction.ts";
import { indexOfCorrection } from "../transcripts/search-index.ts";

const correctable = {
  number: isNumber,
  transcriptId: isNumber,
  text: isText,
  segments: isListOf(isSegment),
  words: orNull(isListOf(isNumber)),
  times: orNull(isBytes),
  language: isText,
  seconds: isNumber,
  texts: orNull(isListOf(isText)),
  correctedAt: orNull(isMoment),
  outdated: isBoolean,
};

const findCorrectable = statement(`
  select s.number, s.transcript_id, coalesce(c.original_text, t.text) as text, coalesce(c.original_segments, t.segments) as segments,
    case when c.script_number is null then t.words else c.original_words end as words, coalesce(c.seconds, t.seconds) as seconds,
    coalesce(c.language, t.language) as language,
    case when c.script_number is null then t.times end as times, c.texts, c.corrected_at, coalesce(c.created_at <> t.created_at, false) as outdated
  from script as s join transcript as t on t.id = s.transcript_id left join script_correction as c on c.script_number = s.number
  where s.account_id = :accountId and s.id = :scriptId`).reading(correctable);

/** Locked before any row, because a takedown locks the whole table first and then the rows. */
const announceChange = statement("lock table script in row exclusive mode");

/** Locked before the script, in the same order as a retranscription. */
const lockTranscript = statement(`
  select t.id from script as s join transcript as t on t.id = s.transcript_id
  where s.account_id = :accountId and s.id = :scriptId for share of t`);

/** A separate statement, because one that had waited for the row would still see the correction from before the wait. */
const lockScript = statement("select from script where account_id = :accountId and id = :scriptId for update");

const keepCorrection = statement(`
  insert into script_correction (script_number, texts, text, segments, words, original_text, original_segments, original_words,
    language, language_probability, seconds, speech_seconds, truncated, model, created_at, gaps, revision, corrected_at,
    tokens)
  select :number::bigint, :texts::json, :text, :segments::json, :words::integer[], text, :originalSegments::json, :originalWords::integer[],
    language, language_probability, seconds, speech_seconds, truncated, model, created_at, gaps, revision, :now::timestamptz,
    :tokens::tsvector
  from transcript where id = :transcriptId::bigint
  on conflict (script_number) do update set texts = excluded.texts, text = excluded.text, segments = excluded.segments,
    words = excluded.words, corrected_at = excluded.corrected_at, tokens = excluded.tokens`);

const findShared = statement(
  "select reel, text, language, seconds from transcript where id = :transcriptId::bigint",
).reading({ reel: isReel, text: isText, language: isText, seconds: isNumber });

const removeCorrection = statement("delete from script_correction where script_number = :number");

const indexScript = statement(
  "select index_scripts_2(numbers => array[:number::bigint], brought => :tokens::tsvector)",
);

export const createCorrections = (database: Database): Corrections => ({
  async find(accountId, scriptId) {
    const row = await findRow(database, { accountId, scriptId });
    return row && toCorrectable(row);
  },
  change: (accountId, scriptId, decide, now) =>
    transaction(database, async (inside) => {
      const owned = { accountId, scriptId };
      await announceChange.run(inside);
      await lockTranscript.run(inside, owned);
      await lockScript.run(inside, owned);
      const row = await findRow(inside, owned);
      if (row === undefined) return undefined;
      const texts = decide(toCorrectable(row));
      await (texts === "remove" || isAsRecognized(row, texts)
        ? removeCorrection.run(inside, { number: row.number })
        : keep(inside, row, texts, now));
      const { reel, text, language, seconds } = await findShared.onlyRow(inside, { transcriptId: row.transcriptId });
      await indexScript.run(inside, { number: row.number, tokens: indexOf(reel, { text, language, seconds }) });
      const changed = await findRow(inside, owned);
      return changed && toCorrectable(changed);
    }),
});

type Row = Omit<RowOf<typeof correctable>, "times" | "segments" | "words"> & ReturnType<typeof readTimes>;

async function findRow(on: Queryable, owned: { readonly accountId: string; readonly scriptId: string }) {
  const row = await findCorrectable.row(on, { accountId: owned.accountId, scriptId: owned.scriptId });
  if (row === undefined) return undefined;
  const { times: _times, ...plain } = row;
  return { ...plain, ...readTimes(row) };
}

const originalsOf = ({ segments, text, seconds }: Row) =>
  segments.length > 0 || text === "" ? segments : [{ start: 0, end: seconds, text }];

function toCorrectable(row: Row): Correctable {
  return {
    segments: originalsOf(row).map(({ start, end, text }, index) => {
      const original = storable(text).trim();
      const corrected = row.texts?.[index];
      return {
        start,
        end,
        original,
        text: corrected === undefined || corrected === cleanLine(text) ? original : corrected,
      };
    }),
    correctedAt: row.correctedAt,
    outdated: row.outdated,
  };
}

/**
 * A copy of an older transcript is kept even when it equals that: without the copy, the script would show the newer
 * transcript.
 */
const isAsRecognized = (row: Row, texts: readonly string[]): boolean =>
  !row.outdated && originalsOf(row).every(({ text }, index) => cleanLine(text) === texts[index]);

async function keep(inside: Transaction, row: Row, texts: readonly string[], now: Date): Promise<void> {
  const { number, transcriptId, language, seconds } = row;
  const { text, segments, words } = composeCorrection(row, texts);
  await keepCorrection.run(inside, {
    number,
    transcriptId,
    texts: jsonOf(texts),
    text,
    segments: jsonOf(segments),
    words,
    originalSegments: jsonOf(row.segments),
    originalWords: row.words,
    now,
    tokens: indexOfCorrection({ text, language, seconds }),
  });
}
