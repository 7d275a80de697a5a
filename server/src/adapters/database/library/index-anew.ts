import { tokenVersion } from "../../../search/search-tokens.ts";
import type { BackgroundJob } from "../upkeep/background-job.ts";
import type { DatabaseLog } from "../engine/engine.ts";
import { isNumber, isText } from "../engine/columns.ts";
import { execute, rowsOf, statement } from "../engine/statement.ts";
import { isReel } from "../transcriptions/reel-columns.ts";
import { indexOf } from "../transcriptions/transcript-row.ts";

const batchSize = 50;

const findStale = statement(
  "find-stale-tokens",
  `
    select id, text, reel, language, seconds from transcript where id > :position::bigint and token_version < :version::integer
    order by id limit :most::integer`,
  { id: isNumber, text: isText, reel: isReel, language: isText, seconds: isNumber },
);

/** Whether some are left behind the position: processes of the release before go on adding them. */
const anyStale = statement(
  "any-stale-tokens",
  "select id from transcript where token_version < :version::integer limit 1",
);

/** The tokens of a text that was changed meanwhile are of that text: they are left alone. */
const renew = statement(
  "renew-tokens",
  `
    with renewed as (
      update transcript set tokens = :tokens::tsvector, token_version = :version
      where id = :id and token_version < :version and text = :text returning id, tokens
    )
    update script set tokens = renewed.tokens || array_to_tsvector(array['#' || script.account_id])
    from renewed where script.transcript_id = renewed.id`,
);

/**
 * Renews the tokens of texts that earlier rules made; until then they are found by those. What later rules made
 * is left alone, so that two releases side by side do not undo each other's work.
 */
export function indexAnew(log: DatabaseLog, version: number = tokenVersion): BackgroundJob {
  let transcripts = 0;
  return {
    name: "index-anew",
    version,
    async batch(database, position) {
      const stale = await rowsOf(database, findStale, { position: Number(position), version, most: batchSize });
      for (const { id, text, reel, ...kind } of stale) {
        const tokens = indexOf(reel, { text, ...kind });
        await execute(database, renew, { id, tokens, version, text });
        transcripts += 1;
      }
      const last = stale.at(-1);
      if (last) return String(last.id);
      return (await execute(database, anyStale, { version })) > 0 ? "" : undefined;
    },
    onDone() {
      log.info({ transcripts }, "Rebuilt the search index of transcripts");
      transcripts = 0;
    },
  };
}
