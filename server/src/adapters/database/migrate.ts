import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { migrations as ownMigrations, type Migration } from "./migrations/migrations.ts";

const checksumOf = (migration: Migration) => createHash("sha256").update(migration.sql).digest("hex");

/**
 * Brings the tables up to date. The caller holds a transaction and the lock that keeps other processes out of it.
 * Throws when the database was changed by a newer release or by a migration that differs from ours.
 */
export async function migrate(client: PoolClient, migrations: readonly Migration[] = ownMigrations): Promise<string[]> {
  await client.query(
    "create table if not exists migration (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
  );
  const applied = await client.query<{ number: number; name: string; checksum: string }>(
    "select number, name, checksum from migration order by number",
  );
  for (const row of applied.rows) {
    const migration = migrations[row.number - 1];
    if (!migration) {
      throw new Error(
        `The database was set up by a newer release of Reelscript (migration ${row.name} is unknown here). Install that release, or use another database.`,
      );
    }
    if (migration.name !== row.name || checksumOf(migration) !== row.checksum) {
      throw new Error(
        `The database was set up by a different migration ${row.name} than the one of this release (${migration.name}). Migrations never change once released: install the release that made this database, or use another database.`,
      );
    }
  }
  const pending = migrations.slice(applied.rows.length);
  for (const [index, migration] of pending.entries()) {
    await client.query(migration.sql);
    await client.query("insert into migration (number, name, checksum) values ($1, $2, $3)", [
      applied.rows.length + index + 1,
      migration.name,
      checksumOf(migration),
    ]);
  }
  return pending.map((migration) => migration.name);
}
