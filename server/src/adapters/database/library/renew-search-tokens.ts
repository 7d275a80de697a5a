import type { PeriodicTask } from "../../../ports.ts";
import { isBoolean, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";
import { indexOf, isReel } from "../transcripts/transcript-row.ts";
import { indexOfCorrection, revisionLexeme, tokensRevision } from "../transcripts/search-index.ts";
import { indexForgottenScripts } from "./unindexed-scripts.ts";

/** Rows per run; a text has at most 100,000 characters. */
const batch = 20;
/** Rows per run of which only a few bytes are read. */
const largeBatch = 500;

const findPlace = statement(
  "select case when revision = :revision::integer then after else 0 end as after from search_renewal where subject = :subject",
).reading({ after: isNumber });

const notePlace = statement(`
  insert into search_renewal (subject, revision, after) values (:subject, :revision::integer, :after::bigint)
  on conflict (subject) do update set revision = excluded.revision, after = excluded.after`);

/** Reads only the tokens of rows that are current. */
const listTranscripts = statement(`
  select id, is_current, case when not is_current then reel end as reel, case when not is_current then text end as text,
    language, seconds
  from (
    select id, reel, text, language, seconds,
      case when times is null then ts_match_vq(tokens, :mark::tsquery) else not exists (
        select from script as s join searchable_script as f on f.number = s.number
          left join script_correction as c on c.script_number = s.number
        -- The mark beside a correction may be the correction's.
        where s.transcript_id = transcript.id
          and (c.script_number is not null or not ts_match_vq(f.tokens, :mark::tsquery))
      ) end as is_current
    from transcript where id > :after::bigint order by id limit :limit::integer
  ) as next order by id`).reading({
  id: isNumber,
  isCurrent: isBoolean,
  reel: orNull(isReel),
  text: orNull(isText),
  language: isText,
  seconds: isNumber,
});

const listCorrections = statement(`
  select script_number as id, is_current, case when not is_current then text end as text, language, seconds
  from (
    select script_number, text, language, seconds, ts_match_vq(tokens, :mark::tsquery) as is_current
    from script_correction where script_number > :after::bigint order by script_number limit :limit::integer
  ) as next order by id`).reading({
  id: isNumber,
  isCurrent: isBoolean,
  text: orNull(isText),
  language: isText,
  seconds: isNumber,
});

/** Rows that were copied from a compressed column by an earlier release; reading them takes ten times as long. */
const listSearchable = statement(`
  select number as id, pg_column_compression(tokens) is not null as is_compressed
  from searchable_script where number > :after::bigint order by number limit :limit::integer`).reading({
  id: isNumber,
  isCompressed: isBoolean,
});

/** Deleting a script locks it before its account's counts; this keeps the same order. */
const lockScript = statement("select from script where number = :id::bigint for update");

/** A text that changed in the meantime got its tokens with that change. Nobody can add the reel to a library meanwhile. */
const lockTranscript = statement(
  "select from transcript where id = :id::bigint and text = :text and language = :language for update",
);

const renewTranscript = statement(
  "update transcript set tokens = :tokens::tsvector where id = :id::bigint and times is null",
);

const renewCorrection = statement(
  "update script_correction set tokens = :tokens::tsvector where script_number = :id::bigint and text = :text",
);

const indexScriptsOf = statement(
  "select index_scripts_2(array(select number from script where transcript_id = :id::bigint), :tokens::tsvector)",
);

const indexScript = statement("select index_scripts_2(array[:id::bigint], null)");

/** Updated rows land wherever there is room, so their libraries must be packed again. */
const unpackScripts = (numbers: "select number from script where transcript_id = :id::bigint" | "select :id::bigint") =>
  statement(`
  with moved as (
    update searchable_script set packed = false
    where packed and number in (${numbers}) returning library
  )
  update account_content as c set unpacked = c.unpacked + m.scripts
  from (select library, count(*)::integer as scripts from moved group by library) as m where c.number = m.library`);
const unpackScriptsOf = unpackScripts("select number from script where transcript_id = :id::bigint");
const unpackScript = unpackScripts("select :id::bigint");

/**
 * Renews tokens that were made by earlier rules, a few at a time, so that an upgrade needn't wait. Until then, such
 * texts are found by their former tokens.
 */
export const renewSearchTokens = (database: Database): PeriodicTask => ({
  name: "renew-search-tokens",
  everySeconds: 60,
  scope: "service",
  async run() {
    const forgotten = await indexForgottenScripts(database);
    const transcripts = await renewTranscripts(database);
    const corrections = await renewCorrections(database);
    const compressed = await uncompress(database);
    return forgotten || transcripts || corrections || compressed;
  },
});

const placeOf = async (database: Database, subject: string): Promise<number> =>
  (await findPlace.row(database, { subject, revision: tokensRevision }))?.after ?? 0;

async function renewTranscripts(database: Database): Promise<boolean> {
  const after = await placeOf(database, "transcript");
  const rows = await listTranscripts.rows(database, { after, mark: revisionLexeme, limit: batch });
  for (const { id, reel, text, language, seconds } of rows) {
    if (reel === null || text === null) continue;
    const tokens = indexOf(reel, { text, language, seconds });
    await transaction(database, async (inside) => {
      if ((await lockTranscript.run(inside, { id, text, language })) === 0) return;
      await renewTranscript.run(inside, { id, tokens });
      await indexScriptsOf.run(inside, { id, tokens });
      await unpackScriptsOf.run(inside, { id });
    });
  }
  return await moveOn(database, "transcript", rows, batch);
}

async function renewCorrections(database: Database): Promise<boolean> {
  const after = await placeOf(database, "script_correction");
  const rows = await listCorrections.rows(database, { after, mark: revisionLexeme, limit: batch });
  for (const { id, text, language, seconds } of rows) {
    if (text === null) continue;
    const tokens = indexOfCorrection({ text, language, seconds });
    await transaction(database, async (inside) => {
      await renewCorrection.run(inside, { id, text, tokens });
      await indexScript.run(inside, { id });
    });
  }
  return await moveOn(database, "script_correction", rows, batch);
}

async function uncompress(database: Database): Promise<boolean> {
  const after = await placeOf(database, "searchable_script");
  const rows = await listSearchable.rows(database, { after, limit: largeBatch });
  for (const { id, isCompressed } of rows)
    if (isCompressed)
      await transaction(database, async (inside) => {
        await lockScript.run(inside, { id });
        await indexScript.run(inside, { id });
        await unpackScript.run(inside, { id });
      });
  return await moveOn(database, "searchable_script", rows, largeBatch);
}

/** True when there may be more rows than these. */
async function moveOn(
  database: Database,
  subject: string,
  rows: readonly { readonly id: number }[],
  limit: number,
): Promise<boolean> {
  const last = rows.at(-1);
  if (last === undefined) return false;
  await notePlace.run(database, { subject, revision: tokensRevision, after: last.id });
  return rows.length === limit;
}
