import type { PeriodicTask } from "../../../ports.ts";
import { isNumber } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";

/** Rows per run, so that a huge library holds up neither other libraries nor, in the embedded database, other statements. */
const mostRows = 2_000;

/** 500 rows scattered among other accounts' rows cost a search about as much as the packed ones. The condition matches the index. */
const findUnpacked = statement(
  "select number from account_content where unpacked >= 500 order by unpacked, number limit 1",
).reading({ number: isNumber });

/** Skips scripts that are being deleted, whose rows go anyway. */
const lockScripts = statement(`
  select s.number from searchable_script as f join script as s on s.number = f.number
  where f.library = :library::bigint and not f.packed order by s.number limit ${mostRows} for key share of s skip locked`).reading(
  {
    number: isNumber,
  },
);

/** Rows that are written again land at the end of the table, one after another. */
const pack = statement(`
  with unpacked as (
    delete from searchable_script where number = any(:numbers::bigint[])
    returning number, library, added_at, views, engagement_rate, tokens
  )
  insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
  select number, library, added_at, views, engagement_rate, true, tokens from unpacked order by number`);

const notePacked = statement(`
  update account_content
  set unpacked = case when :packed::integer < ${mostRows} then 0 else greatest(unpacked - :packed::integer, 0) end
  where number = :library::bigint`);

/** Moves the rows of a large library next to each other on the disk, because a search reads all of them. */
export const packLibraries = (database: Database): PeriodicTask => ({
  name: "pack-libraries",
  everySeconds: 30,
  scope: "service",
  async run() {
    const row = await findUnpacked.row(database);
    if (row === undefined) return false;
    const library = row.number;
    await transaction(database, async (inside) => {
      const scripts = await lockScripts.rows(inside, { library });
      await pack.run(inside, { numbers: scripts.map(({ number }) => number) });
      await notePacked.run(inside, { library, packed: scripts.length });
    });
    return true;
  },
});
