import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readScript } from "../../src/adapters/database/library/unread-scripts.ts";
import { compactTranscriptsName } from "../../src/adapters/database/transcripts/compact-transcripts.ts";
import { migrate, pendingMigrations } from "../../src/adapters/database/migrations/migrate.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { transaction } from "../../src/adapters/database/engine/statement.ts";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { runUpkeep } from "../harness/look-after.ts";
import {
  after,
  aReel,
  anAccount,
  anAllowance,
  newestScriptId,
  start,
  transcribe,
  transcriptOf,
} from "./conformance/fixtures.ts";
import { openEmbedded, openOnServer, plainly } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const text = "Salt comes first. Pepper, then the very best oil.";
const words = text.split(/(?= )/).map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.4 }));
const segments = [
  { start: 0, end: 1.5, text: "Salt comes first." },
  { start: 1.5, end: 4.9, text: "Pepper, then the very best oil." },
];
const said = { text, caption: "Kitchen", handle: "cook" };
/** More than are rewritten at a time. */
const count = 60;

type Open = () => Promise<{ store: OpenedStore; pool: Pool; close: () => Promise<void> }>;

function compact(open: Open): void {
  let opened: Awaited<ReturnType<Open>>;
  let store: OpenedStore;
  beforeAll(async () => {
    opened = await plainly(open)();
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  const forms = async (): Promise<unknown> =>
    (
      await opened.pool.query(`
        select count(*) filter (where times is null)::integer as plain,
          count(*) filter (where times is not null and words is null and segments::text = '[]' and tokens = '')::integer
            as compact
        from transcript`)
    ).rows[0];
  const totals = async (accountId: string): Promise<number[]> =>
    Promise.all(
      ["salt", "vinegar", "kitchen"].map(
        async (query) => (await store.scripts.search(accountId, { query, sort: "date", limit: 1 })).total,
      ),
    );
  /** All that is read of the times and words of a library. */
  async function everythingOf(accountId: string): Promise<unknown> {
    const { scripts } = await store.scripts.search(accountId, { query: "pepper", sort: "date", limit: 100 });
    const unread = await Promise.all(
      scripts.map(async ({ id }) => readScript((await store.scripts.findUnread(accountId, id, { words: true }))!)),
    );
    const beginning = await store.transcriptions.readBeginning(scripts.at(-1)!.transcript.reel, 1);
    const originals = await Promise.all(scripts.slice(0, 3).map(({ id }) => store.corrections.find(accountId, id)));
    const exported = (await store.scripts.listUnread(accountId)).scripts.map(readScript);
    return { scripts, unread, beginning, originals, exported, totals: await totals(accountId) };
  }

  test("statements of the release before work while the form is plain", async () => {
    const { id } = await anAccount(store);
    const { mediaId } = aReel();
    const stored = await opened.pool.query(
      `with stored as (
         insert into transcript as t (platform, media_id, owner, reel, text, segments, language, language_probability,
           seconds, speech_seconds, truncated, model, created_at, gaps, words, revision, heard_by, views,
           engagement_rate, tokens, handle)
         values ('standin', $1, null, $4, 'old words', '[{"start":0,"end":1,"text":"old words"}]', 'en', 1, 1, 1, false,
           'whisper-base', $3, '[]', '{3,0,500,6,500,1000}', 1, '{}', 1, 1, '''!2'' ''old'':1B ''words'':2B', 'cook')
         on conflict (platform, media_id, owner) do update set media_id = t.media_id
         returning id, views, engagement_rate, handle
       )
       insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
       select 'scr_' || $1, $2, id, $3, views, engagement_rate, handle from stored`,
      [mediaId, id, start, JSON.stringify(transcriptOf(aReel()).reel)],
    );
    expect(stored.rowCount).toBe(1);
    const find = async (query: string) => (await store.scripts.search(id, { query, sort: "date", limit: 1 })).total;
    expect([await find("old"), await find("new")]).toEqual([1, 0]);
    await opened.pool.query("update transcript set tokens = '''!2'' ''new'':1B' where media_id = $1", [mediaId]);
    await opened.pool.query("select index_scripts(numbers => array(select number from script where account_id = $1))", [
      id,
    ]);
    expect([await find("old"), await find("new")]).toEqual([0, 1]);
    const script = await store.scripts.findUnread(id, `scr_${mediaId}`, { words: true });
    expect(readScript(script!).words).toHaveLength(2);
    await opened.pool.query("delete from script where account_id = $1", [id]);
    await opened.pool.query("delete from transcript where media_id = $1", [mediaId]);
  });

  test("nothing is changed while a process of the release before is seen", async () => {
    const report = "insert into machine_clock (name, server_ahead, seen_at) values ('older', 0, now() - $1::interval)";
    await opened.pool.query(report, ["5 seconds"]);
    expect(await store.compactTranscripts(() => false)).toBe("olderProcess");
    expect((await opened.pool.query("select from storage_form")).rowCount).toBe(0);
    await opened.pool.query("delete from machine_clock");
    await opened.pool.query(report, ["2 minutes"]);
  });

  test("what is rewritten reads, searches and counts as before", async () => {
    const { id } = await anAccount(store);
    const { id: other } = await anAccount(store);
    for (let index = 0; index < count; index += 1)
      await transcribe(store, id, said, after(index), { segments, words: index % 2 === 0 ? words : null });
    const correctedId = await newestScriptId(store, id);
    await store.corrections.change(id, correctedId, () => ["Vinegar comes first.", segments[1]!.text], after(100));
    expect(await forms()).toEqual({ plain: count, compact: 0 });
    const before = await everythingOf(id);
    expect(await totals(id)).toEqual([count - 1, 1, count]);

    // It breaks off once.
    let turns = 0;
    const first = await store.compactTranscripts(() => (turns += 1) > 1);
    expect(first).toMatchObject({ transcripts: 50, isDone: false });
    expect(await everythingOf(id)).toEqual(before);
    const whole = await store.compactTranscripts(() => false);
    if (whole === "olderProcess") throw new Error("an older process was seen");
    expect(whole).toMatchObject({ transcripts: count, isDone: true });
    expect(whole.place).toBe(whole.last);
    expect(whole.bytesAfter).toBeLessThan(whole.bytesBefore / 2);
    expect(await forms()).toEqual({ plain: 0, compact: count });
    expect(await everythingOf(id)).toEqual(before);
    expect(await store.compactTranscripts(() => false)).toEqual(whole);

    // Others take them, the copy goes, and all are as they were.
    const { scripts } = await store.scripts.search(id, { sort: "date", limit: 100 });
    for (const { transcript } of scripts)
      await store.transcriptions.takeCached(transcript.reel, anAllowance(other), after(200));
    expect(await totals(other)).toEqual([count, 0, count]);
    await store.corrections.change(id, correctedId, () => "remove", after(201));
    expect(await totals(id)).toEqual([count, 0, count]);
    await store.accounts.remove(other, after(202));
    await store.accounts.remove(id, after(202));
  });

  test("the release before refuses to start from then on", async () => {
    const older = transaction(opened.pool, (inside) =>
      migrate(
        inside,
        migrations.slice(
          0,
          migrations.findIndex(({ name }) => name === compactTranscriptsName),
        ),
      ),
    );
    await expect(older).rejects.toThrow(`set up by a newer release of Reelscript (migration ${compactTranscriptsName}`);
    expect(await pendingMigrations(opened.pool)).toEqual([]);
  });

  test("a transcript that no library has is found by whoever takes it", async () => {
    const { id } = await anAccount(store);
    const { id: second } = await anAccount(store);
    const { reel } = await transcribe(store, id, said, start, { segments, words });
    expect(await forms()).toMatchObject({ plain: 0 });
    const scriptId = await newestScriptId(store, id);
    await store.deletedScripts.delete(id, [scriptId], start);
    await store.transcriptions.takeCached(reel, anAllowance(second), start);
    expect(await totals(second)).toEqual([1, 0, 1]);
    expect(await store.accounts.remove(second, start)).toBe(true);
    expect(await store.deletedScripts.restore(id, [scriptId])).toEqual([scriptId]);
    expect(await totals(id)).toEqual([1, 0, 1]);
    expect((await opened.pool.query("select from unindexed_script")).rowCount).toBe(0);
  });

  test("indexing is caught up after a process ended too early", async () => {
    const { id } = await anAccount(store);
    await transcribe(store, id, said, start, { segments, words });
    const scriptId = await newestScriptId(store, id);
    // The process commits the statement and ends.
    await opened.pool.query("select delete_scripts($1, array[$2], now())", [id, scriptId]);
    await opened.pool.query("select restore_scripts($1, array[$2])", [id, scriptId]);
    expect(await totals(id)).toEqual([0, 0, 0]);
    await runUpkeep(store, "renew-search-tokens", start);
    expect(await totals(id)).toEqual([1, 0, 1]);
  });
}

describe("compact transcripts in the embedded database", () => {
  compact(openEmbedded);
});
describe.skipIf(!testDatabaseUrl)("compact transcripts on a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  compact(() => openOnServer(testDatabaseUrl ?? ""));
});
