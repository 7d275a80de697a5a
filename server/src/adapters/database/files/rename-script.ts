import { isNumber, isText } from "../engine/columns.ts";
import { jsonOf, statement, transaction, type Database } from "../engine/statement.ts";
import { indexOf, isReel } from "../transcripts/transcript-row.ts";

/** Locked before any row, because a takedown locks the whole table first and then the rows. */
const announceChange = statement("lock table script in row exclusive mode");

const lockTranscript = statement(`
  select t.id, s.number, t.reel, t.text, t.language, t.seconds
  from script as s join transcript as t on t.id = s.transcript_id
  where s.account_id = :accountId and s.id = :scriptId and t.platform = 'file' and t.owner = s.account_id
  for update of t`).reading({
  id: isNumber,
  number: isNumber,
  reel: isReel,
  text: isText,
  language: isText,
  seconds: isNumber,
});

const rename = statement(`
  update transcript set reel = :reel::json, tokens = case when times is null then :tokens::tsvector else tokens end
  where id = :id`);

const indexScript = statement(
  "select index_scripts_2(numbers => array[:number::bigint], brought => :tokens::tsvector)",
);

/** `Files.rename`. The title is the caption of the transcript, which nobody else has. */
export const renameScript = (
  database: Database,
  accountId: string,
  scriptId: string,
  title: string,
): Promise<boolean> =>
  transaction(database, async (inside) => {
    await announceChange.run(inside);
    const row = await lockTranscript.row(inside, { accountId, scriptId });
    if (row === undefined) return false;
    const reel = { ...row.reel, caption: title };
    const tokens = indexOf(reel, row);
    await rename.run(inside, { id: row.id, reel: jsonOf(reel), tokens });
    await indexScript.run(inside, { number: row.number, tokens });
    return true;
  });
