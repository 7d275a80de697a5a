import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { ListPosition, ReelIdentity, Scripts } from "../../src/ports.ts";
import { startUpkeep } from "../harness/look-after.ts";
import { bareEmbedded, bareOnServer, type Bare } from "./bare-databases.ts";
import { after, anAccount, anAllowance, transcribe } from "./conformance/fixtures.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

type Search = Parameters<Scripts["search"]>[1];

/** Six texts; every other row is a copy of one of them. */
const texts = ["alpha beta", "alpha gamma beta", "gamma alpine", "delta beta", "epsilon", "alpha beta gamma"];
const copies = 1_300;

/** More scripts of each text than a small library has, as if they had come one by one. */
const multiply =
  (accountId: string) =>
  async (pool: Pool): Promise<ReelIdentity[]> => {
    const { rows } = await pool.query<{ media_id: string }>(
      `with base as (
         select t.*, row_number() over (order by t.id) - 1 as place from transcript t
           join script s on s.transcript_id = t.id where s.account_id = $1
       ), copied as (
         insert into transcript (platform, media_id, reel, text, segments, language, language_probability, seconds,
           speech_seconds, truncated, model, created_at, views, engagement_rate, token_version, tokens, handle)
         select platform, 'copy ' || n, reel, text, segments, language, language_probability, seconds, speech_seconds,
           truncated, model, created_at, nullif(n * 7919 % 1000, 0), n % 13, token_version, tokens, handle
         from generate_series(1, $2::integer) as n join base on base.place = n % 6
         returning id, media_id, views, engagement_rate, tokens, handle
       )
       insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, tokens, handle)
       select 'scr ' || media_id, $1, id, '2026-01-01'::timestamptz + id * interval '1 second', views, engagement_rate,
         tokens || array_to_tsvector(array['#' || $1]), handle from copied
       returning substr(id, 5) as media_id`,
      [accountId, copies],
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

function libraries(make: () => Promise<Bare>): void {
  let bare: Bare;
  let [large, small] = ["", ""];
  let cached: readonly ReelIdentity[] = [];

  const withStore = async <Result>(work: (store: OpenedStore) => Promise<Result>, background = false) => {
    const store = await bare.open();
    const upkeep = background ? startUpkeep(store) : undefined;
    return work(store).finally(async () => {
      await upkeep?.stop();
      await store.close();
    });
  };
  const content = () =>
    bare.within(async (pool) => {
      const { rows } = await pool.query<{
        scripts: number;
        shelf: string;
        real: number;
        shelved: number;
        right: number;
      }>(
        `select c.scripts, c.shelf, count(s.number)::integer as real, count(h.number)::integer as shelved,
           (count(*) filter (where h.tokens = s.tokens and h.views is not distinct from s.views))::integer as right
         from account_content c join script s on s.account_id = c.account_id
           left join shelved_script h on h.number = s.number and h.library = c.number
         where c.account_id = $1 group by c.account_id`,
        [large],
      );
      return rows[0];
    });
  /** Stopped and started again until the work in the background is done. */
  const shelve = async () => {
    for (let tries = 0; tries < 100; tries += 1) {
      await withStore(() => new Promise((resolve) => setTimeout(resolve, 700)), true);
      if ((await content())?.shelf === "ready") return;
    }
    throw new Error("The library was not shelved");
  };
  const walk = async (store: OpenedStore, of: Omit<Search, "limit">) => {
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
  const everything = async (store: OpenedStore) => {
    const found: Awaited<ReturnType<typeof walk>>[] = [];
    for (const sort of ["date", "views", "engagement"] as const)
      for (const search of searches) found.push(await walk(store, { ...search, sort }));
    return found;
  };

  beforeAll(async () => {
    bare = await make();
    await withStore(async (store) => {
      [large, small] = [(await anAccount(store)).id, (await anAccount(store)).id];
      for (const [index, text] of texts.entries()) {
        const handle = index % 2 === 0 ? "Even" : "odd";
        await transcribe(store, large, { text, handle, views: index }, after(index));
        await transcribe(store, small, { text, handle }, after(index));
      }
    });
    cached = await bare.within(multiply(large));
  });
  afterAll(() => bare.remove());

  test("answers the same before and after its scripts stand together", async () => {
    expect(await content()).toEqual({ scripts: 1_306, shelf: "none", real: 1_306, shelved: 0, right: 0 });
    const before = await withStore(everything);
    await shelve();
    expect(await content()).toEqual({ scripts: 1_306, shelf: "ready", real: 1_306, shelved: 1_306, right: 1_306 });
    expect(await withStore(everything)).toEqual(before);
    const totals = [652, 870, 434, 653, 0, 653, 653];
    expect(before.map((one) => one.totals)).toEqual([...totals, ...totals, ...totals].map((total) => [total]));
    for (const [index, one] of before.entries()) expect(new Set(one.ids).size).toBe(totals[index % totals.length]);
  });

  test("counts and finds what comes, goes and changes while pages are read", async () => {
    await withStore(async (store) => {
      const search = { query: "beta", sort: "date", limit: 4 } as const;
      const page = await store.scripts.search(large, search);
      for (const { id } of page.scripts) expect(await store.scripts.remove(large, id)).toBe(true);
      await transcribe(store, large, { text: "new beta" }, after(1_000_000));
      const next = await store.scripts.search(large, { ...search, after: page.next });
      expect(next.total).toBe(page.total - 3);
      expect(await store.scripts.search(large, { sort: "views", limit: 1 })).toMatchObject({ total: 1_303 });
      expect(await store.scripts.search(large, { ...search, query: "new" })).toMatchObject({ total: 1 });
    });
    await withStore(async (store) => {
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
    });
    await bare.within((pool) =>
      pool.query(
        "update script set tokens = tokens || $2::tsvector, views = 5 where account_id = $1 and added_at > '2026-03-10'",
        [large, "'changed':1B"],
      ),
    );
    const changed = await withStore((store) => walk(store, { query: "changed", sort: "views" }));
    expect(changed.totals).toEqual([1]);
    expect(await content()).toEqual({ scripts: 1_303, shelf: "ready", real: 1_303, shelved: 1_303, right: 1_303 });
  });

  test("stays right whoever adds and removes at the same time, also while it is shelved", async () => {
    await bare.within(async (pool) => {
      await pool.query("delete from shelved_script");
      await pool.query("update account_content set shelf = 'none', shelf_position = 0");
    });
    await withStore(async (store) => {
      const { scripts } = await store.scripts.search(large, { sort: "date", limit: 200 });
      await Promise.all([
        ...scripts.map(({ id }) => store.scripts.remove(large, id)),
        ...cached
          .slice(0, 300)
          .flatMap((reel) => [
            store.transcriptions.takeCached(reel, anAllowance(small), after(0)),
            store.transcriptions.takeCached(reel, anAllowance(large), after(0)),
          ]),
      ]);
      expect(await store.scripts.search(small, { sort: "date", limit: 1 })).toMatchObject({ total: 306 });
    }, true);
    await shelve();
    const { scripts, real, shelved, right } = (await content())!;
    expect(scripts).toBeGreaterThan(1_000);
    expect([scripts, shelved, right]).toEqual([real, real, real]);
  });

  test("is forgotten with its account", async () => {
    await withStore(async (store) => expect(await store.accounts.remove(large, after(2_000_000))).toBe(true));
    expect(await content()).toBeUndefined();
    const left = await bare.within((pool) => pool.query("select count(*)::integer as rows from shelved_script"));
    expect(left.rows).toEqual([{ rows: 0 }]);
  });
}

describe("a large library in the embedded database", () => {
  libraries(bareEmbedded);
});
describe.skipIf(!testDatabaseUrl)("a large library on a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  libraries(bareOnServer);
});
