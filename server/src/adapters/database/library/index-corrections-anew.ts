import { tokenVersion } from "../../../search/search-tokens.ts";
import type { BackgroundJob } from "../upkeep/background-job.ts";
import { isNumber, isText } from "../engine/columns.ts";
import { execute, rowsOf, statement } from "../engine/statement.ts";
import { isReel } from "../transcriptions/reel-columns.ts";
import { indexOf } from "../transcriptions/transcript-row.ts";

const batchSize = 50;

const findStale = statement(
  "find-stale-corrections",
  `
    select c.script_number, c.text, c.language, c.seconds, t.reel
    from script_correction as c join script as s on s.number = c.script_number join transcript as t on t.id = s.transcript_id
    where c.token_version < :version::integer order by c.token_version, c.script_number limit :most::integer`,
  { script_number: isNumber, text: isText, language: isText, seconds: isNumber, reel: isReel },
);

/** A text that was corrected again meanwhile has the tokens of that. */
const renew = statement(
  "renew-tokens-of-correction",
  `
    update script_correction set tokens = :tokens::tsvector, token_version = :version::integer
    where script_number = :number::bigint and token_version < :version::integer and text = :text returning script_number`,
);

/** A trigger puts in those of the correction. */
const indexScript = statement("index-script-anew", "update script set tokens = tokens where number = :number::bigint");

/** Renews the tokens of corrected texts that earlier rules made. */
export function indexCorrectionsAnew(version: number = tokenVersion): BackgroundJob {
  return {
    name: "index-corrections-anew",
    version,
    async batch(database) {
      const stale = await rowsOf(database, findStale, { version, most: batchSize });
      for (const { script_number: number, text, reel, ...kind } of stale) {
        await execute(database, renew, { number, tokens: indexOf(reel, { text, ...kind }), version, text });
        await execute(database, indexScript, { number });
      }
      return stale.length === 0 ? undefined : "";
    },
  };
}
