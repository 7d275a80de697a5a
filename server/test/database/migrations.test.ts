import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { advisoryLock } from "../../src/adapters/database/engine/advisory-lock.ts";
import { transaction } from "../../src/adapters/database/engine/statement.ts";
import { migrate } from "../../src/adapters/database/migrations/migrate.ts";
import { readSchema } from "../../src/adapters/database/migrations/read-schema.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { bareEmbedded, bareOnServer, type Bare } from "./bare-databases.ts";
import { anAccount, transcribe } from "./conformance/fixtures.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

/** The first 16 digits of the SHA-256 of each migration's SQL. */
const frozen: Readonly<Record<string, string>> = {
  "0001-baseline": "dfe135a86ffdb0d8",
};

describe("migrations", () => {
  test("are never changed", () => {
    for (const { name, sql } of migrations) {
      const hash = createHash("sha256").update(sql).digest("hex").slice(0, 16);
      const advice =
        name in frozen
          ? `Migration ${name} was changed, and databases that have it would refuse to start. Restore it and add a new one; before the first release, write "${hash}" into this test instead.`
          : `Migration ${name} is new: freeze it by adding this line to the list in this test:\n  "${name}": "${hash}",`;
      expect(frozen[name], advice).toBe(hash);
    }
    const gone = Object.keys(frozen).filter((name) => migrations.every((one) => one.name !== name));
    expect(gone, "Migrations were taken away; databases that have them would refuse to start.").toEqual([]);
  });

  test("are in the order of their numbers", () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });
});

/** What the next release might bring: it only adds. */
const next = {
  name: "9999-next",
  sql: "alter table script add column starred boolean not null default false; create table star (id text primary key);",
};

function changing(make: () => Promise<Bare>): void {
  let bare: Bare;
  beforeEach(async () => {
    bare = await make();
  });
  afterEach(() => bare.remove());

  test("refuses a database that a newer release changed", async () => {
    await bare.within((pool) => transaction(pool, (inside) => migrate(inside, [...migrations, next])));
    await expect(bare.open()).rejects.toThrow("set up by a newer release of Reelscript (migration 9999-next");
  });
}

test("schema.sql is what migrations make; renew it with `npm run surface`", async () => {
  const bare = await bareEmbedded();
  const committed = await readFile(new URL("../../../schema.sql", import.meta.url), "utf8");
  expect(await bare.within((pool) => readSchema(pool))).toBe(committed);
  await bare.remove();
});

describe("a change of the tables in the embedded database", () => {
  changing(bareEmbedded);
});
describe.skipIf(!testDatabaseUrl)("a change of the tables on a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  changing(async () => {
    const bare = await bareOnServer();
    await bare.open().then((store) => store.close());
    return bare;
  });

  test("is made while the release before serves", async () => {
    const bare = await bareOnServer();
    const store = await bare.open();
    const { id } = await anAccount(store);
    let [serves, served] = [true, 0];
    const serving = (async () => {
      for (; serves || served < 3; served += 1) await transcribe(store, id, { text: "alpha beta" });
    })();
    const applied = await bare.within((pool) =>
      transaction(pool, async (inside) => {
        await advisoryLock(inside, "migrate");
        return migrate(inside, [...migrations, next]);
      }),
    );
    expect(applied).toEqual([next.name]);
    serves = false;
    await serving;
    await transcribe(store, id, { text: "alpha gamma" });
    const found = await store.scripts.search(id, { query: "alpha", sort: "date", limit: 1 });
    expect(found.total).toBe(served + 1);
    await store.close();
    await bare.remove();
  });
});
