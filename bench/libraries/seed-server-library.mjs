import pg from "pg";
import { openStore } from "../../server/dist/adapters/database/open-store.js";
import { createNewId } from "../../server/dist/callers/api-key.js";
import { reelAddress } from "../../server/dist/adapters/platforms/platform.js";
import { standinPlatform } from "../../server/dist/adapters/platforms/platforms.js";
import { codeOf, columnValues, numbers, seededPlatform, transcriptColumns, transcriptOf } from "./seed-library.mjs";

/** Texts that differ; a million rows repeat them, so that the database makes them by itself. */
const distinctTexts = 5_000;
const batch = 100;
/** Numbers to sort by, which the rows don't repeat. */
const spread = { views: "(random() * 1000000)::bigint", engagement_rate: "random() * 20" };

/** Libraries as people have them, in turn until the transcripts are used up. */
export const smallSizes = [9, 30, 90, 300, 900];

/**
 * Fills a new database of a server with `transcripts`, each in one library: one of `largest` scripts, the others of 9 to
 * 900, all mixed as if they had come over the years. The role must be a superuser, because nothing else may switch the
 * checks of foreign keys off. Always the same rows, but for ids. Returns the accounts by the size of their library.
 */
export async function seedServerLibrary({ databaseUrl, transcripts, largest }) {
  const store = await openStore({ databaseUrl, dataDirectory: "unused", newId: createNewId() });
  await store.close();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      "set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0",
    );
    await client.query("set work_mem = '256MB'; set maintenance_work_mem = '512MB'");
    await makeTexts(client);
    const indexes = await dropIndexes(client);
    await makeRows(client, transcripts, largest);
    for (const { definition } of indexes) await client.query(definition);
    await client.query("drop table seed_text, seed_owner");
    await client.query("vacuum analyze");
    return await accountsBySize(client, largest);
  } finally {
    await client.end();
  }
}

async function makeTexts(client) {
  await client.query(
    `create unlogged table seed_text as select 0 as place, ${transcriptColumns.join(", ")} from transcript limit 0`,
  );
  const next = numbers(1);
  const platform = standinPlatform(seededPlatform);
  const now = new Date();
  for (let from = 0; from < distinctTexts; from += batch) {
    const rows = Array.from({ length: batch }, (_, at) => {
      const index = from + at;
      return [index, ...columnValues(transcriptOf(reelAddress(platform, codeOf(index)), index, next, now))];
    });
    const width = rows[0].length;
    const places = rows.map(
      (_, row) => `(${Array.from({ length: width }, (__, column) => `$${row * width + column + 1}`).join(", ")})`,
    );
    await client.query(`insert into seed_text values ${places.join(", ")}`, rows.flat());
  }
}

/** What only finds rows is made anew when all are there, which takes a tenth of the time. */
async function dropIndexes(client) {
  const { rows } = await client.query(`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = 'public' and i.tablename in ('transcript', 'script')
      and not exists (select from pg_constraint where conname = i.indexname)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}

async function makeRows(client, transcripts, largest) {
  const sizes = [largest];
  let left = transcripts - largest;
  for (let place = 0; left > 0; place += 1) {
    const size = Math.min(smallSizes[place % smallSizes.length], left);
    sizes.push(size);
    left -= size;
  }
  await client.query(
    `insert into account (id, email, plan, created_at)
     select 'acc_seed' || lpad(place::text, 12, '0'), 'bench@example.com', 'creator', now()
     from generate_series(1, $1::integer) as place`,
    [sizes.length],
  );
  await client.query(
    `create unlogged table seed_owner as
     select row_number() over (order by hashint8extended(owner * 1000003 + nth, 7)) as place, owner
     from unnest($1::integer[]) with ordinality as library (size, owner), generate_series(1, size) as nth`,
    [sizes],
  );
  await client.query("select setseed(0.5)");
  await client.query(
    `insert into transcript (platform, media_id, ${transcriptColumns.join(", ")})
     select 'standin', 'seeded' || o.place, ${transcriptColumns.map((column) => spread[column] ?? column).join(", ")}
     from seed_owner o join seed_text t on t.place = (o.place * 7919) % $1 order by o.place`,
    [distinctTexts],
  );
  await client.query(
    `insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, tokens, handle)
     select 'scr_seed' || lpad(o.place::text, 12, '0'), a.account_id, t.id, t.created_at + o.place * interval '1 second',
       t.views, t.engagement_rate, t.tokens || array_to_tsvector(array['#' || a.account_id]), t.handle
     from seed_owner o
       cross join lateral (select 'acc_seed' || lpad(o.owner::text, 12, '0') as account_id) a
       join transcript t on t.platform = 'standin' and t.media_id = 'seeded' || o.place
     order by o.place`,
  );
}

export async function accountsBySize(client, largest) {
  const { rows } = await client.query(
    "select account_id, count(*)::integer as scripts from script group by account_id",
  );
  const bySize = new Map([largest, ...smallSizes].map((size) => [size, []]));
  for (const { account_id: accountId, scripts } of rows) bySize.get(scripts)?.push(accountId);
  return bySize;
}
