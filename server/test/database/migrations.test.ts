import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { migrate } from "../../src/adapters/database/migrations/migrate.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { anAllowance } from "./conformance/fixtures.ts";
import { newId, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

/**
 * The first 16 digits of the SHA-256 of each migration's SQL. 0008 was changed once after it was first used, before anything
 * was released; it is frozen as it is here.
 */
const frozen: Readonly<Record<string, string>> = {
  "0001-first-tables": "c2ec9bdc742a38cc",
  "0002-reports": "8f805d3201539879",
  "0003-bio": "12f5bb659e8e21f5",
  "0004-idempotent-answers": "b90c2cfd1d4c9a64",
  "0005-thumbnails": "0e7b3e298e293faa",
  "0006-sessions": "af1f90b9e34341fe",
  "0007-key-requests": "dd814d83415db5d4",
  "0008-billing": "182a8efb1536d900",
  "0009-bio-handles": "7c4dda0521983f42",
  "0010-bio-totals": "0b4b8e15b3635ca1",
  "0011-delete-accounts": "e88e50aaa3dd869b",
  "0012-removed-accounts": "7f4d79aa465b0110",
  "0013-remembered-use": "141fcf73f3fdadc9",
  "0014-repairs": "4f1242b9527a0b57",
  "0015-fair-queue": "ca3ed2382b6c5f39",
  "0017-moderation": "0e2a4176ea190219",
  "0018-libraries": "964956c0fe621a45",
  "0019-open-holds-and-objects": "ffcf3cbd36e526ea",
  "0022-bio-batches": "6d5f219d7dc78674",
  "0023-bio-takedowns": "fd80ec2ae3005652",
  "0024-bio-images": "b088b3265e4ff67f",
  "0025-bio-link-health": "9811054347045055",
  "0026-extensions": "cc47403789e27422",
  "0027-sent-media": "881e6f85f912ed79",
  "0033-drop-script-tokens": "3ee4140a0bd5ae9d",
  "0036-webhooks": "301161f9875d93cb",
  "0037-workers": "99405dca1a0f06df",
  "0038-key-expiry": "09978ef7c2933f7a",
  "0039-interim-text": "d9723a7d99d7b9ef",
  "0040-corrections": "143dc24b274fa411",
  "0041-share-links": "09e0698794c204b1",
  "0042-what-outlives": "cd73072a91d59ee4",
  "0043-sent-hours": "cb0ef457d7b17b16",
  "0044-platform-turns": "c8d491cc9ab58c7d",
};

describe("migrations", () => {
  test("are never changed", () => {
    for (const { name, sql } of migrations) {
      const hash = createHash("sha256").update(sql).digest("hex").slice(0, 16);
      const advice =
        name in frozen
          ? `Migration ${name} was changed, and databases that have it would refuse to start: put it back, and make a new one.`
          : `Migration ${name} is new: freeze it by adding this line to the list in this test:\n  "${name}": "${hash}",`;
      expect(frozen[name], advice).toBe(hash);
    }
    const gone = Object.keys(frozen).filter((name) => migrations.every((one) => one.name !== name));
    expect(gone, "Migrations were taken away; databases that have them would refuse to start.").toEqual([]);
  });

  test("come behind those that were released, because databases know them by their place", () => {
    expect(migrations[25]?.name).toBe("0036-webhooks");
  });

  test("stand in the order of their numbers", () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });
});

/** The last migration that the release before this one has, and what that release does with what later ones touch. */
const before = "0013-remembered-use";
const addTranscript = `
  insert into transcript as t (platform, media_id, reel, text, segments, language, language_probability, seconds,
    speech_seconds, truncated, model, created_at, views, engagement_rate, token_version, tokens, handle)
  values ('standin', $1, '{"url": "http://127.0.0.1/reel/C/", "shortcode": "C", "caption": null, "author": {"handle": null}}', 'alpha beta', '[]', 'en', 1, 1, 1, false, 'm', now(), 5, 1, 1, '''alpha'':1B ''beta'':2B', null)`;
const takeCached = `
  with found as (
    select * from transcript where platform = 'standin' and media_id = $1
  ), added as (
    insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, tokens, handle)
    select 'scr_' || $2::text || $1, $2::text, found.id, now(), found.views, found.engagement_rate,
      found.tokens || array_to_tsvector(array['#' || $2::text]), found.handle
    from found
    where not exists (select from script where account_id = $2::text and transcript_id = found.id)
    on conflict (account_id, transcript_id) do nothing
  )
  select id from found`;
const search = `
  with matched as materialized (
    select number, added_at from script where tokens @@ ('''#' || $1 || ''' & ''alpha''')::tsquery and account_id || '' = $1
  )
  select count(*)::integer as total from matched`;
const removeScript = "delete from script where account_id = $1 and id = $2 returning id";
const addReport = `
  insert into report (id, account_id, handle, created_at, reels_analyzed, timezone, findings)
  values ('rep_' || $1, $1, 'cook', now(), 1, 'UTC', '{}')`;

describe.skipIf(!testDatabaseUrl)("the release before this one (runs with TEST_DATABASE_URL)", () => {
  let databaseUrl = "";
  let drop = async () => undefined as unknown;
  let old = new pg.Client();

  beforeAll(async () => {
    ({ databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? ""));
    old = new pg.Client({ connectionString: databaseUrl });
    await old.connect();
    const pool = new pg.Pool({ connectionString: databaseUrl });
    const client = await pool.connect();
    await migrate(client, migrations.slice(0, migrations.findIndex(({ name }) => name === before) + 1));
    client.release();
    await pool.end();
  });
  afterAll(async () => {
    await old.end();
    await drop();
  });

  test("goes on serving while this one migrates and serves beside it", async () => {
    const account = async (id: string) =>
      old.query("insert into account (id, email, plan, created_at) values ($1, 'a@example.test', 'free', now())", [id]);
    const work = async (id: string, reel: string) => {
      await old.query(addTranscript, [reel]);
      await old.query(takeCached, [reel, id]);
      await old.query(takeCached, [reel, id]);
    };
    await account("acc_old");
    await work("acc_old", "one");
    const store = await openStore({ databaseUrl, dataDirectory: "unused", newId });
    const list = () => store.scripts.search("acc_old", { sort: "date", limit: 5 });
    const found = () => store.scripts.search("acc_old", { query: "alpha", sort: "date", limit: 5 });
    expect((await list()).total).toBe(1);
    await work("acc_old", "two");
    await work("acc_old", "three");
    await old.query(addReport, ["acc_old"]);
    expect([(await list()).total, (await found()).total]).toEqual([3, 3]);
    expect((await old.query(search, ["acc_old"])).rows).toEqual([{ total: 3 }]);
    await store.transcriptions.takeCached({ platform: "standin", mediaId: "one" }, anAllowance("acc_old"), new Date());
    expect((await old.query(removeScript, ["acc_old", "scr_acc_oldtwo"])).rowCount).toBe(1);
    expect([(await list()).total, (await found()).total]).toEqual([2, 2]);
    expect((await old.query(search, ["acc_old"])).rows).toEqual([{ total: 2 }]);
    expect((await store.reports.list("acc_old", { limit: 5 })).reports).toHaveLength(1);
    await store.close();
  });
});
