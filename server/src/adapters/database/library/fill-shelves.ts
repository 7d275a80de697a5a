import type { BackgroundJob } from "../upkeep/background-job.ts";
import { isNumber, isText, orNull } from "../engine/columns.ts";
import { execute, rowOf, rowsOf, statement } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";

const accountsAtATime = 50;
const scriptsAtATime = 200;
/** As many loose rows of a library cost a search about as much again as the packed ones. */
const looseRows = 500;

/** Whoever adds a script meanwhile counts by itself, and what exists already is left alone. */
const countContents = statement(
  "count-contents",
  `
    with next as (
      select id from account where id > :position order by id limit :most::integer
    ), counted as (
      insert into account_content (account_id, scripts)
      select id, (select count(*) from script where account_id = next.id) from next
      where not exists (select from account_content where account_id = next.id)
      on conflict (account_id) do nothing
    )
    select max(id) as position from next`,
  { position: orNull(isText) },
);

/** Counts the content of accounts from before it was counted with each change. */
export const countLibraries: BackgroundJob = {
  name: "count-libraries",
  version: 1,
  batch: async (database, position) =>
    (await rowOf(database, countContents, { position, most: accountsAtATime }))?.position ?? undefined,
};

const findUnshelved = statement(
  "find-unshelved",
  `
    select account_id, number, shelf_position from account_content where scripts > 1000 and shelf <> 'ready'
    order by number limit 1`,
  { account_id: isText, number: isNumber, shelf_position: isNumber },
);

/** From here on those who add scripts put them onto the shelf too. Waits for those who added some without. */
const beginShelf = statement(
  "begin-shelf",
  "update account_content set shelf = 'filling' where account_id = :accountId and shelf = 'none'",
);

const lockScripts = statement(
  "lock-scripts-to-shelve",
  `
    select number, transcript_id from script where account_id = :accountId and transcript_id > :position::bigint
    order by transcript_id limit :most::integer for key share`,
  { number: isNumber, transcript_id: isNumber },
);

const shelve = statement(
  "shelve-scripts",
  `
    insert into shelved_script (number, library, added_at, views, engagement_rate, packed, tokens)
    select number, :library::bigint, added_at, views, engagement_rate, true, tokens from script where number = any(:numbers::bigint[])
    order by transcript_id
    on conflict (number) do nothing`,
);

const keepPlace = statement(
  "keep-place-of-shelf",
  "update account_content set shelf_position = :position where account_id = :accountId",
);

const endShelf = statement("end-shelf", "update account_content set shelf = 'ready' where account_id = :accountId");

/** Copies the libraries that have become large to where their rows stand together. */
export const fillShelves: BackgroundJob = {
  name: "fill-shelves",
  version: 1,
  async batch(database) {
    const next = await rowOf(database, findUnshelved);
    if (!next) return undefined;
    const { account_id: accountId, number: library, shelf_position: position } = next;
    await execute(database, beginShelf, { accountId });
    await transaction(database, async (inside) => {
      const found = await rowsOf(inside, lockScripts, { accountId, position, most: scriptsAtATime });
      const last = found.at(-1);
      if (!last) return execute(inside, endShelf, { accountId });
      await execute(inside, shelve, { library, numbers: found.map(({ number }) => number) });
      return execute(inside, keepPlace, { accountId, position: last.transcript_id });
    });
    return "";
  },
};

const findLoose = statement(
  "find-loose",
  "select library from shelved_script where not packed group by library having count(*) >= :least::integer limit 1",
  { library: isNumber },
);

/** New rows come to the end of the table, one behind the other. */
const pack = statement(
  "pack-shelf",
  `
    with loose as (
      delete from shelved_script where library = :library::bigint and not packed
      returning number, library, added_at, views, engagement_rate, tokens
    )
    insert into shelved_script (number, library, added_at, views, engagement_rate, packed, tokens)
    select number, library, added_at, views, engagement_rate, true, tokens from loose order by number`,
);

/** Puts together what came to a large library one by one and stands among the rows of others. */
export const packShelves: BackgroundJob = {
  name: "pack-shelves",
  version: 1,
  async batch(database) {
    const row = await rowOf(database, findLoose, { least: looseRows });
    if (!row) return undefined;
    await execute(database, pack, { library: row.library });
    return "";
  },
};
