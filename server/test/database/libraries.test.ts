import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { ListPosition, ReelIdentity, Scripts } from "../../src/ports.ts";
import { lookAfter, runUpkeep, startUpkeep } from "../harness/look-after.ts";
import { after, anAccount, anAllowance, transcribe } from "./conformance/fixtures.ts";
import { openEmbedded, openOnServer, plainly } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

type Search = Parameters<Scripts["search"]>[1];

/** Six texts; every other row is a copy of one of them. */
const texts = ["alpha beta", "alpha gamma beta", "gamma alpine", "delta beta", "alphas epsilon", "alpha beta gamma"];
const copies = 1_300;

/** So many scripts of each text that they are put together on the disk. */
const multiply =
  (accountId: string, name = "copy", count = copies) =>
  async (pool: Pool): Promise<ReelIdentity[]> => {
    const { rows } = await pool.query<{ media_id: string }>(
      `with base as (
         select t.platform, t.reel, t.text, t.segments, t.language, t.language_probability, t.seconds, t.speech_seconds,
           t.truncated, t.model, t.gaps, t.revision, t.created_at, t.handle, f.tokens,
           row_number() over (order by t.id) - 1 as position
         from transcript t join script s on s.transcript_id = t.id join searchable_script f on f.number = s.number
         where s.account_id = $1
       ), copied as (
         insert into transcript (platform, media_id, reel, text, segments, language, language_probability, seconds,
           speech_seconds, truncated, model, gaps, revision, created_at, views, engagement_rate, tokens, handle)
         select platform, $3 || ' ' || n, reel, text, segments, language, language_probability, seconds, speech_seconds,
           truncated, model, gaps, revision, created_at, nullif(n * 7919 % 1000, 0), n % 13, tokens, handle
         from generate_series(1, $2::integer) as n join base on base.position = n % 6
         returning id, media_id, views, engagement_rate, handle
       )
       insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
       select 'scr ' || media_id, $1, id, '2026-01-01'::timestamptz + id * interval '1 second', views, engagement_rate,
         handle from copied
       returning substr(id, 5) as media_id`,
      [accountId, count, name],
    );
    return rows.map((row) => ({ platform: "standin", mediaId: row.media_id }));
  };

const searches: readonly Omit<Search, "limit" | "sort">[] = [
  { query: "alpha " },
  { query: "al" },
  { query: '"alpha beta"' },
  { query: "gamma alp" },
  { query: "nothing" },
  { handle: "even" },
  { query: "beta", handle: "@ODD" },
];

function libraries(open: typeof openEmbedded | (() => ReturnType<typeof openOnServer>)): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let store: OpenedStore;
  let large = "";
  let small = "";
  let cached: readonly ReelIdentity[] = [];

  const content = async () => {
    const { rows } = await opened.pool.query<{ scripts: number; real: number; packed: number; right: number }>(
      `select c.scripts, count(s.number)::integer as real, (count(*) filter (where f.packed))::integer as packed,
           (count(*) filter (where f.tokens <> '' and t.tokens in (f.tokens, '') and f.views is not distinct from s.views))::integer as right
         from account_content c join script s on s.account_id = c.account_id
           join transcript t on t.id = s.transcript_id
           left join searchable_script f on f.number = s.number and f.library = c.number
         where c.account_id = $1 group by c.account_id`,
      [large],
    );
    return rows[0];
  };
  const walk = async (of: Omit<Search, "limit">) => {
    const ids: string[] = [];
    const totals = new Set<number>();
    let next: ListPosition | undefined;
    do {
      const page = await store.scripts.search(large, { ...of, limit: 150, after: next });
      ids.push(...page.scripts.map(({ id }) => id));
      totals.add(page.total);
      next = page.next;
    } while (next);
    return { ids, totals: [...totals] };
  };
  const everything = async () => {
    const walks: Awaited<ReturnType<typeof walk>>[] = [];
    for (const sort of ["date", "views", "engagement"] as const)
      for (const search of searches) walks.push(await walk({ ...search, sort }));
    return walks;
  };

  beforeAll(async () => {
    opened = await open();
    ({ store } = opened);
    large = (await anAccount(store)).id;
    small = (await anAccount(store)).id;
    for (const [index, text] of texts.entries()) {
      const handle = index % 2 === 0 ? "Even" : "odd";
      await transcribe(store, large, { text, handle, views: index }, after(index));
      await transcribe(store, small, { text, handle }, after(index));
    }
    cached = await multiply(large)(opened.pool);
  });
  afterAll(() => opened.close());

  test("answers the same before and after its scripts are put together", async () => {
    expect(await content()).toEqual({ scripts: 1_306, real: 1_306, packed: 0, right: 1_306 });
    const before = await everything();
    await lookAfter(store);
    expect(await content()).toEqual({ scripts: 1_306, real: 1_306, packed: 1_306, right: 1_306 });
    expect(await everything()).toEqual(before);
    const totals = [870, 1_088, 434, 653, 0, 653, 653];
    expect(before.map((one) => one.totals)).toEqual([...totals, ...totals, ...totals].map((total) => [total]));
    for (const [index, one] of before.entries()) expect(new Set(one.ids).size).toBe(totals[index % totals.length]);
  });

  test("fills a first page alike, whether its first scripts have enough matches", async () => {
    for (const sort of ["date", "views", "engagement"] as const)
      for (const search of searches)
        for (const limit of [20, 300, 500]) {
          const page = await store.scripts.search(large, { ...search, sort, limit });
          const table = await store.scripts.table(large, { ...search, sort, limit }, undefined);
          expect(page.scripts.map(({ id }) => id)).toEqual(table.scripts.map(({ id }) => id));
          expect(page.next === undefined).toBe(page.total <= limit);
        }
  });

  test("counts and finds what comes, goes and changes while pages are read", async () => {
    const search = { query: "beta", sort: "date", limit: 4 } as const;
    const page = await store.scripts.search(large, search);
    for (const { id } of page.scripts)
      expect(await store.deletedScripts.delete(large, [id], after(1_000_000))).toEqual([id]);
    await transcribe(store, large, { text: "new beta" }, after(1_000_000));
    const next = await store.scripts.search(large, { ...search, after: page.next });
    expect(next.total).toBe(page.total - 3);
    expect(await store.scripts.search(large, { sort: "views", limit: 1 })).toMatchObject({ total: 1_303 });
    expect(await store.scripts.search(large, { ...search, query: "new" })).toMatchObject({ total: 1 });
    const { scripts } = await store.scripts.search(large, { query: "new beta", sort: "date", limit: 1 });
    const correct = (texts: readonly string[] | "remove") =>
      store.corrections.change(large, scripts[0]!.id, () => texts, after(1_000_001));
    const totals = () =>
      Promise.all(
        ["new", "corrected"].map(
          async (query) => (await store.scripts.search(large, { query, sort: "date", limit: 1 })).total,
        ),
      );
    await correct(["corrected beta"]);
    expect(await totals()).toEqual([0, 1]);
    await correct("remove");
    expect(await totals()).toEqual([1, 0]);
    expect(await content()).toEqual({ scripts: 1_303, real: 1_303, packed: 1_302, right: 1_303 });
  });

  test("stays right under concurrent additions and removals, and while it is packed", async () => {
    await opened.pool.query("update searchable_script set packed = false");
    await opened.pool.query("update account_content set unpacked = scripts");
    const upkeep = startUpkeep(store);
    const { scripts } = await store.scripts.search(large, { sort: "date", limit: 200 });
    await Promise.all([
      ...scripts.map(({ id }) => store.deletedScripts.delete(large, [id], after(1_000_000))),
      ...cached
        .slice(0, 300)
        .flatMap((reel) => [
          store.transcriptions.takeCached(reel, anAllowance(small), after(0)),
          store.transcriptions.takeCached(reel, anAllowance(large), after(0)),
        ]),
    ]);
    expect(await store.scripts.search(small, { sort: "date", limit: 1 })).toMatchObject({ total: 306 });
    await upkeep.stop();
    await lookAfter(store);
    const { scripts: counted, real, packed, right } = (await content())!;
    expect(counted).toBeGreaterThan(1_000);
    expect(packed).toBeGreaterThan(1_000);
    expect([counted, right]).toEqual([real, real]);
  });

  test("of a huge account are put together in steps, after those of a small one", async () => {
    const huge = (await anAccount(store)).id;
    const modest = (await anAccount(store)).id;
    for (const account of [huge, modest])
      for (const [index, text] of texts.entries())
        await transcribe(store, account, { text, handle: "odd" }, after(index));
    await multiply(huge, "huge", 4_500)(opened.pool);
    await multiply(modest, "modest", 600)(opened.pool);
    const packed = async () => {
      const { rows } = await opened.pool.query<{ packed: number }>(
        `select (count(*) filter (where f.packed))::integer as packed
         from unnest($1::text[]) with ordinality as account (id, position) join account_content c on c.account_id = account.id
           join searchable_script f on f.library = c.number
         group by account.position order by account.position`,
        [[huge, modest]],
      );
      return rows.map((row) => row.packed);
    };
    const task = store.upkeep.find(({ name }) => name === "pack-libraries")!;
    expect(await packed()).toEqual([0, 0]);
    const steps: number[][] = [];
    while (await task.run(new Date(), AbortSignal.timeout(60_000))) steps.push(await packed());
    expect(steps).toEqual([
      [0, 606],
      [2_000, 606],
      [4_000, 606],
      [4_506, 606],
    ]);
  });

  test("is found by current rules after renewing tokens in steps", async () => {
    const owner = (await anAccount(store)).id;
    for (let index = 0; index < 30; index += 1)
      await transcribe(store, owner, { text: `Two landlords ${index} 🔥`, caption: "Ovens" }, after(index));
    const [corrected] = (await store.scripts.search(owner, { sort: "date", limit: 1 })).scripts;
    await store.corrections.change(owner, corrected!.id, () => ["Three tenants"], after(100));
    // An earlier release left its rows like this.
    for (const table of ["transcript", "script_correction", "searchable_script"])
      await opened.pool.query(`update ${table} set tokens = 'two:1B' where tokens <> '' and not tokens @@ 'corrected'`);
    await opened.pool.query("update searchable_script set packed = true");
    await opened.pool.query("update account_content set unpacked = 0");
    await opened.pool.query("update search_renewal set revision = 1");
    const totals = () =>
      Promise.all(
        ["landlord ", "🔥", "tenant ", "oven ", "two "].map(
          async (query) => (await store.scripts.search(owner, { query, sort: "date", limit: 1 })).total,
        ),
      );
    expect(await totals()).toEqual([0, 0, 0, 0, 30]);
    const current = async () =>
      (await opened.pool.query("select from searchable_script where tokens @@ '''!3'''")).rowCount ?? 0;
    const task = store.upkeep.find(({ name }) => name === "renew-search-tokens")!;
    const before = await current();
    expect(await task.run(new Date(), AbortSignal.timeout(60_000))).toBe(true);
    const renewed = (await current()) - before;
    expect(renewed).toBeGreaterThan(0);
    expect(renewed).toBeLessThan(60);
    await runUpkeep(store, "renew-search-tokens", new Date());
    expect(await totals()).toEqual([29, 29, 1, 30, 29]);
    const { rows } = await opened.pool.query<{ unpacked: number }>(
      "select unpacked from account_content where account_id = $1",
      [owner],
    );
    expect(rows).toEqual([{ unpacked: 30 }]);
    expect(await store.deletedScripts.delete(owner, [corrected!.id], after(1_000_000))).toHaveLength(1);
  });

  test("is read uncompressed, also where an earlier release left compressed words", async () => {
    const owner = (await anAccount(store)).id;
    const text = Array.from({ length: 150 }, (_, index) => `शब्दावली${index}`).join(" ");
    await transcribe(store, owner, { text }, after(0));
    const compressed = async () => {
      const { rows } = await opened.pool.query(
        "select number from searchable_script where pg_column_compression(tokens) is not null",
      );
      return rows.length;
    };
    expect(await compressed()).toBe(0);
    await opened.pool.query(`
      create temp table old as select number, tokens from searchable_script where length(tokens) > 100;
      alter table searchable_script disable trigger searchable_script_uncompressed;
      update searchable_script as f set tokens = old.tokens, packed = true from old where old.number = f.number;
      alter table searchable_script enable trigger searchable_script_uncompressed;
      drop table old`);
    await opened.pool.query("update search_renewal set after = 0 where subject = 'searchable_script'");
    expect(await compressed()).toBe(1);
    await runUpkeep(store, "renew-search-tokens", new Date());
    expect(await compressed()).toBe(0);
    expect(await store.scripts.search(owner, { query: "शब्दावली7 ", sort: "date", limit: 1 })).toMatchObject({
      total: 1,
    });
  });

  test("is forgotten with its account", async () => {
    expect(await store.accounts.remove(large, after(2_000_000))).toBe(true);
    expect(await content()).toBeUndefined();
    const left = await opened.pool.query(
      "select count(*)::integer as rows from searchable_script where library not in (select number from account_content)",
    );
    expect(left.rows).toEqual([{ rows: 0 }]);
  });
}

describe("a large library in the embedded database", () => {
  libraries(openEmbedded);
});
describe.skipIf(!testDatabaseUrl)("a large plain library on PostgreSQL (runs with TEST_DATABASE_URL)", () => {
  libraries(plainly(() => openOnServer(testDatabaseUrl ?? "")));
});
