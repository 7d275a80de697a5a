import { tokenVersion } from "../../../search/search-tokens.ts";
import type { BackgroundJob } from "../upkeep/background-job.ts";
import { isNumber, isText } from "../engine/columns.ts";
import { execute, rowsOf, statement } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";
import { announceChange, indexOfCorrection } from "./corrections.ts";

const batchSize = 50;

const findStale = statement(
  "find-stale-corrections",
  `
    select script_number, text, language, seconds from script_correction
    where token_version < :version::integer order by token_version, script_number limit :most::integer`,
  { script_number: isNumber, text: isText, language: isText, seconds: isNumber },
);

/** Before its correction, as whoever corrects it has them. */
const lockScript = statement(
  "lock-script-to-reindex",
  "select number from script where number = :number::bigint for update",
);

/** A text that was corrected again meanwhile has the tokens of that. */
const renew = statement(
  "renew-tokens-of-correction",
  `
    update script_correction set tokens = :tokens::tsvector, token_version = :version::integer
    where script_number = :number::bigint and token_version < :version::integer and text = :text returning script_number`,
);

/** A trigger puts in the words of the correction. */
const indexScript = statement("reindex-script", "update script set tokens = tokens where number = :number::bigint");

/** Renews the tokens of corrected texts that earlier rules made. */
export function reindexCorrections(version: number = tokenVersion): BackgroundJob {
  return {
    name: "reindex-corrections",
    version,
    async batch(database) {
      const stale = await rowsOf(database, findStale, { version, most: batchSize });
      for (const { script_number: number, ...corrected } of stale) {
        const tokens = indexOfCorrection(corrected);
        await transaction(database, async (inside) => {
          await execute(inside, announceChange);
          await execute(inside, lockScript, { number });
          await execute(inside, renew, { number, tokens, version, text: corrected.text });
          await execute(inside, indexScript, { number });
        });
      }
      return stale.length === 0 ? undefined : "";
    },
  };
}
