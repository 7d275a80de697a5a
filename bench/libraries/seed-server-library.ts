import type pg from "pg";
import { openStore } from "#server/adapters/database/open-store.ts";
import { createNewId } from "#server/callers/api-key.ts";
import { reelAddress } from "#server/adapters/platforms/platform.ts";
import { standinPlatform } from "#server/adapters/platforms/platforms.ts";
import { onServer } from "../processes/throwaway-postgres.ts";
import { numbers } from "../statistics.ts";
import { codeOf, columnValues, seededPlatform, transcriptColumns, transcriptOf } from "./seed-library.ts";

/** Texts that differ; a million rows repeat them, so that the database makes them by itself. */
const distinctTexts = 5_000;
const batch = 100;
/** Numbers to sort by, which the rows don't repeat. */
const spread: Readonly<Record<string, string>> = {
  views: "(random() * 1000000)::bigint",
  engagement_rate: "random() * 20",
};

/** Libraries as people have them, in turn until the transcripts are used up. */
const smallSizes = [9, 30, 90, 300, 1_000];

/**
 * Fills a new database of a server with `transcripts`, each in one library: one of `largest` scripts, the others of 9 to
 * 1,000, all mixed as if they had come over the years. The role must be a superuser, because nothing else may switch the
 * checks of foreign keys off. Always the same rows, but for ids. Returns the accounts by the size of their library.
 */
export async function seedServerLibrary({
  databaseUrl,
  transcripts,
  largest,
}: {
  readonly databaseUrl: string;
  readonly transcripts: number;
  readonly largest: number;
}): Promise<AccountsBySize> {
  const store = await openStore({ databaseUrl, dataDirectory: "unused", newId: createNewId() });
  await store.close();
  return await onServer(databaseUrl, async (client) => {
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
  });
}

async function makeTexts(client: pg.Client): Promise<void> {
  await client.query(
    `create unlogged table seed_text as select 0 as place, ${transcriptColumns.join(", ")} from transcript limit 0`,
  );
  const next = numbers(1);
  const platform = standinPlatform(seededPlatform);
  const now = new Date();
  for (let from = 0; from < distinctTexts; from += batch) {
    const rows = Array.from({ length: batch }, (_, at) => {
      const index = from + at;
      return [index, ...columnValues(transcriptOf(reelAddress(platform, codeOf(index))!, index, next, now))];
    });
    const width = rows[0]!.length;
    const places = rows.map(
      (_, row) => `(${Array.from({ length: width }, (__, column) => `$${row * width + column + 1}`).join(", ")})`,
    );
    await client.query(`insert into seed_text values ${places.join(", ")}`, rows.flat());
  }
}

/** Indexes that only find rows are rebuilt after all rows are in, which takes a tenth of the time. */
async function dropIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = 'public' and i.tablename in ('transcript', 'script', 'searchable_script')
      and not exists (select from pg_constraint where conname = i.indexname)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}

async function makeRows(client: pg.Client, transcripts: number, largest: number): Promise<void> {
  const sizes = [largest];
  let left = transcripts - largest;
  for (let place = 0; left > 0; place += 1) {
    const size = Math.min(smallSizes[place % smallSizes.length]!, left);
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
    `insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
     select 'scr_seed' || lpad(o.place::text, 12, '0'), a.account_id, t.id, t.created_at + o.place * interval '1 second',
       t.views, t.engagement_rate, t.handle
     from seed_owner o
       cross join lateral (select 'acc_seed' || lpad(o.owner::text, 12, '0') as account_id) a
       join transcript t on t.platform = 'standin' and t.media_id = 'seeded' || o.place
     order by o.place`,
  );
  await makeSearchable(client);
}

/** What triggers and the service's periodic work do: libraries from 500 scripts on are together, the others are mixed. */
async function makeSearchable(client: pg.Client): Promise<void> {
  await client.query(
    `insert into account_content (account_id, scripts, changes)
     select account_id, count(*), 1 from script group by account_id`,
  );
  for (const [packed, size, order] of [
    [false, "c.scripts < 500", "s.number"],
    [true, "c.scripts >= 500", "c.number, s.number"],
  ])
    await client.query(
      `insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
       select s.number, c.number, s.added_at, s.views, s.engagement_rate, ${packed}, t.tokens
       from script s join account_content c on c.account_id = s.account_id join transcript t on t.id = s.transcript_id
       where ${size} order by ${order}`,
    );
}

export type AccountsBySize = ReadonlyMap<number, readonly string[]>;

export async function accountsBySize(client: pg.Client, largest: number): Promise<AccountsBySize> {
  const { rows } = await client.query<{ account_id: string; scripts: number }>(
    "select account_id, count(*)::integer as scripts from script group by account_id",
  );
  const bySize = new Map<number, string[]>([largest, ...smallSizes].map((size) => [size, []]));
  for (const { account_id: accountId, scripts } of rows) bySize.get(scripts)?.push(accountId);
  return bySize;
}
