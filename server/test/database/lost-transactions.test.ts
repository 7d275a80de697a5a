import type { Pool } from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isNumber, isText } from "../../src/adapters/database/engine/columns.ts";
import { statement, transaction } from "../../src/adapters/database/engine/statement.ts";
import { eachWithUnavailable } from "../../src/adapters/database/engine/unavailable.ts";
import { openOnServer } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const count = statement("update pair set count = count + 1 where name = :name");
const countBoth = statement(`
  with earlier as (update pair set count = count + 1 where name = :first returning name)
  update pair set count = count + 1 from earlier where pair.name = :second`);
const listPairs = statement("select name, count from pair order by name").reading({ name: isText, count: isNumber });

const lost = (code: string) => Object.assign(new Error("lost"), { code });

describe.skipIf(!testDatabaseUrl)("work that another transaction got ahead of (runs with TEST_DATABASE_URL)", () => {
  let pool: Pool;
  beforeAll(async () => {
    const opened = await openOnServer(testDatabaseUrl ?? "");
    ({ pool } = opened);
    await pool.query("create table pair (name text primary key, count integer not null)");
    return opened.close;
  });
  beforeEach(async () => void (await pool.query("truncate pair; insert into pair values ('a', 0), ('b', 0)")));

  const countWaiting = async (): Promise<number> => {
    const { rows } = await pool.query<{ waiting: number }>(`select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0]!.waiting;
  };

  test("is done again: two transactions that wait for each other", async () => {
    let arrivals = 0;
    let open = (): void => undefined;
    const bothHaveOne = new Promise<void>((resolve) => (open = resolve));
    const inOrder = (first: string, second: string) =>
      transaction(pool, async (inside) => {
        await count.run(inside, { name: first });
        arrivals += 1;
        if (arrivals >= 2) open();
        await bothHaveOne;
        await count.run(inside, { name: second });
      });
    await Promise.all([inOrder("a", "b"), inOrder("b", "a")]);
    expect(arrivals).toBe(3);
    expect(await listPairs.rows(pool)).toEqual([
      { name: "a", count: 2 },
      { name: "b", count: 2 },
    ]);
  });

  test("is done again: a statement of its own, and a transaction", async () => {
    let alone: Promise<number> | undefined;
    await transaction(pool, async (inside) => {
      await count.run(inside, { name: "b" });
      // Either may be the one that is done again. Then the other has ended, and nothing waits any more.
      if (alone === undefined) {
        alone = countBoth.run(pool, { first: "a", second: "b" });
        await expect.poll(countWaiting).toBeGreaterThan(0);
      }
      await count.run(inside, { name: "a" });
    });
    expect(await alone).toBe(1);
    expect(await listPairs.rows(pool)).toEqual([
      { name: "a", count: 2 },
      { name: "b", count: 2 },
    ]);
  });

  test.each([
    ["40P01", 3],
    ["40001", 3],
    ["23505", 1],
    ["55P03", 1],
  ])("with the state %s is tried %i times at most", async (code, tries) => {
    let tried = 0;
    const failing = transaction(pool, async (inside) => {
      tried += 1;
      await count.run(inside, { name: "a" });
      throw lost(code);
    });
    await expect(failing).rejects.toMatchObject({ code });
    expect(tried).toBe(tries);
    expect(await listPairs.rows(pool)).toMatchObject([{ count: 0 }, { count: 0 }]);
  });

  test("is unavailable to callers when it is lost each time", async () => {
    const { port } = eachWithUnavailable({
      port: { change: () => transaction(pool, () => Promise.reject(lost("40P01"))) },
    });
    await expect(port.change()).rejects.toMatchObject({ code: "unavailable", status: 503 });
  });

  test("of a statement alone is tried at most three times", async () => {
    await pool.query("create sequence tried");
    await pool.query(`create function lose() returns void language plpgsql as $$
      begin perform nextval('tried'); raise exception 'lost' using errcode = '40P01'; end $$`);
    await expect(statement("select lose()").run(pool)).rejects.toMatchObject({ code: "40P01" });
    expect((await pool.query("select last_value::integer as tries from tried")).rows).toEqual([{ tries: 3 }]);
  });
});
