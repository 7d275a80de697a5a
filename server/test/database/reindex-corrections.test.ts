import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { lookAfter } from "../harness/look-after.ts";
import { bareEmbedded, bareOnServer, type Bare } from "./bare-databases.ts";
import { after, anAccount, transcribe } from "./conformance/fixtures.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

function indexingCorrections(make: () => Promise<Bare>): void {
  let bare: Bare;
  beforeEach(async () => {
    bare = await make();
  });
  afterEach(() => bare.remove());

  const withStore = async <Result>(work: (store: OpenedStore) => Promise<Result>) => {
    const store = await bare.open();
    return work(store).finally(() => store.close());
  };
  const count = async (store: OpenedStore, accountId: string, query: string) =>
    (await store.scripts.search(accountId, { query, sort: "date", limit: 1 })).total;
  const totals = (store: OpenedStore, id: string) =>
    Promise.all(["yeast", '"yeast rises"', "bread", "east", "old"].map((query) => count(store, id, query)));

  /** An account with corrected scripts; what these tables hold of them was indexed by earlier rules. */
  async function withOldTokens(scripts: number, tables: readonly string[]): Promise<string> {
    const accountId = await withStore(async (store) => {
      const { id } = await anAccount(store);
      for (let made = 0; made < scripts; made += 1)
        await transcribe(store, id, { text: "east rises", caption: "bread" });
      const page = await store.scripts.search(id, { sort: "date", limit: scripts });
      for (const script of page.scripts) await store.corrections.change(id, script.id, () => ["yeast rises"], after(1));
      expect(await totals(store, id)).toEqual([scripts, scripts, scripts, 0, 0]);
      return id;
    });
    await bare.within(async (pool) => {
      for (const table of tables) await pool.query(`update ${table} set tokens = '''old'':1B', token_version = 0`);
      await pool.query(`
        update script as s set tokens = t.tokens || array_to_tsvector(array['#' || s.account_id])
        from transcript as t where t.id = s.transcript_id`);
    });
    return accountId;
  }

  test("renews the tokens of corrected scripts", { timeout: 60_000 }, async () => {
    const id = await withOldTokens(3, ["transcript", "script_correction"]);
    await withStore(async (store) => {
      expect(await totals(store, id)).toEqual([0, 0, 0, 0, 3]);
      await lookAfter(store);
      expect(await totals(store, id)).toEqual([3, 3, 3, 0, 0]);
    });
  });

  test("does it again when it was cut off between the correction and its script", { timeout: 60_000 }, async () => {
    const id = await withOldTokens(1, ["script_correction"]);
    await bare.within(async (pool) => {
      await pool.query(
        "create function cut_off() returns trigger language plpgsql as 'begin raise exception ''cut off''; end'",
      );
      await pool.query("create trigger cut_off before update on script for each row execute function cut_off()");
    });
    await withStore(async (store) => {
      const job = store.upkeep.find(({ name }) => name === "reindex-corrections");
      await expect(job?.run(new Date(), new AbortController().signal)).rejects.toThrow("cut off");
    });
    await bare.within((pool) => pool.query("drop function cut_off cascade"));
    await withStore(async (store) => {
      await lookAfter(store);
      expect(await totals(store, id)).toEqual([1, 1, 1, 0, 0]);
    });
  });
}

describe("indexing corrections in the embedded database", () => {
  indexingCorrections(bareEmbedded);
});
describe.skipIf(!testDatabaseUrl)("indexing corrections on a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  indexingCorrections(bareOnServer);
});
