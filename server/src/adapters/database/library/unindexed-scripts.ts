import { isNumber, isText } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";
import { indexOf, isReel } from "../transcripts/transcript-row.ts";

/** Rows per run; a text has at most 100,000 characters. */
const batch = 20;

const listUnindexed = statement("select number from unindexed_script order by number limit :limit::integer").reading({
  number: isNumber,
});

const listNamed = statement(`
  select u.number from unindexed_script as u join script as s on s.number = u.number where s.id = any(:ids::text[])`).reading(
  {
    number: isNumber,
  },
);

/** Locks in the order of a correction: the table, because a takedown locks it, the transcript, and then the script. */
const announceChange = statement("lock table script in row exclusive mode");

/** Nobody can transcribe the reel again meanwhile. */
const readTranscript = statement(`
  select t.reel, t.text, t.language, t.seconds from script as s join transcript as t on t.id = s.transcript_id
  where s.number = :number::bigint for share of t`).reading({
  reel: isReel,
  text: isText,
  language: isText,
  seconds: isNumber,
});

/** Deleting a script locks it before its account's counts; this keeps the same order. */
const lockScript = statement("select from script where number = :number::bigint for update");

const indexScript = statement("select index_scripts_2(array[:number::bigint], :tokens::tsvector)");

const forget = statement("delete from unindexed_script where number = :number::bigint");

/** Indexes these scripts if their transcripts haven't been indexed yet. */
export async function indexAddedScripts(database: Database, ids: readonly string[]): Promise<void> {
  for (const { number } of await listNamed.rows(database, { ids })) await index(database, number);
}

/** Catches up for processes that ended before indexing. True if there may be more. */
export async function indexForgottenScripts(database: Database): Promise<boolean> {
  const rows = await listUnindexed.rows(database, { limit: batch });
  for (const { number } of rows) await index(database, number);
  return rows.length === batch;
}

const index = (database: Database, number: number): Promise<void> =>
  transaction(database, async (inside) => {
    await announceChange.run(inside);
    const transcript = await readTranscript.row(inside, { number });
    if (transcript === undefined) return;
    await lockScript.run(inside, { number });
    const { reel, text, language, seconds } = transcript;
    await indexScript.run(inside, { number, tokens: indexOf(reel, { text, language, seconds }) });
    await forget.run(inside, { number });
  });
