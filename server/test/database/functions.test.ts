import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Transaction } from "../../src/adapters/database/engine/statement.ts";
import { databaseFunctions } from "../../src/adapters/database/functions/database-functions.ts";
import { migrate } from "../../src/adapters/database/migrations/migrate.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { readSchema } from "../../src/adapters/database/migrations/read-schema.ts";
import { openTestEngine } from "../harness/test-stores.ts";

const folder = new URL("../../src/adapters/database/functions/", import.meta.url);
const bodyOf = (sql: string): string => sql.slice(sql.indexOf("$$") + 2, sql.lastIndexOf("$$"));
const inOrder = (texts: readonly string[]): string[] => texts.toSorted();

/** Runs `work` in a transaction that is rolled back. */
async function undone(work: (inside: Transaction) => Promise<void>): Promise<void> {
  const engine = await openTestEngine();
  const inside = await engine.pool.connect();
  await inside.query("begin");
  await work(inside);
  await inside.query("rollback");
  inside.release();
  await engine.close();
}

test("every function and trigger of a migrated database has one file, with its text", () =>
  undone(async (inside) => {
    const functions = await inside.query<{ name: string; body: string }>(
      "select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace",
    );
    const bodies = databaseFunctions.map(({ name, sql }) => `${name}${bodyOf(sql)}`);
    expect(inOrder(functions.rows.map(({ name, body }) => `${name}${body}`))).toEqual(inOrder(bodies));
    const present = await inside.query<{ name: string }>(
      `select c.relname || '.' || t.tgname as name from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
       where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
    );
    const named = databaseFunctions.flatMap(({ triggers = [] }) =>
      triggers.map(({ table, name }) => `${table}.${name}`),
    );
    expect(inOrder(present.rows.map(({ name }) => name))).toEqual(inOrder(named));

    // Signatures and conditions are compared as the database describes them.
    const before = await readSchema(inside);
    for (const { triggers = [] } of databaseFunctions)
      for (const { name, table, sql } of triggers) await inside.query(`drop trigger ${name} on ${table}; ${sql}`);
    for (const { sql } of databaseFunctions) await inside.query(sql);
    expect(await readSchema(inside)).toBe(before);
  }));

test("every file of a function is in the list", async () => {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !/^(apply-functions|database-functions?)\.ts$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  const names = texts.map((text) => /name: "(\w+)"/.exec(text)?.[1] ?? "");
  expect(inOrder(names)).toEqual(inOrder(databaseFunctions.map(({ name }) => name)));
});

test("a database arrives at the same functions from every earlier migration, whatever functions it has", async () => {
  const committed = await readFile(new URL("../../../schema.sql", import.meta.url), "utf8");
  for (const [done] of migrations.entries())
    await undone(async (inside) => {
      await inside.query("drop schema public cascade; create schema public");
      if (done > 0) {
        await migrate(inside, migrations.slice(0, done));
        for (const { sql } of databaseFunctions)
          await inside.query(sql.replace(bodyOf(sql), " begin raise exception 'an earlier text'; end "));
      }
      await migrate(inside);
      expect(await readSchema(inside)).toBe(committed);
    });
});
