import { createHash } from "node:crypto";
import { isNumber, isText } from "../engine/columns.ts";
import { statement, type Transaction } from "../engine/statement.ts";
import { migrations as ownMigrations, type Migration } from "./migrations.ts";

const checksumOf = (migration: Migration) => createHash("sha256").update(migration.sql).digest("hex");

const makeTable = statement(
  "create table if not exists migration (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
);

const listApplied = statement("select number, name, checksum from migration order by number").reading({
  number: isNumber,
  name: isText,
  checksum: isText,
});

const noteApplied = statement("insert into migration (number, name, checksum) values (:number, :name, :checksum)");

/**
 * Brings the tables up to date. The caller holds a transaction and the lock that keeps other processes out of it.
 * Throws when the database was changed by a newer release or by a migration that differs from ours.
 */
export async function migrate(
  inside: Transaction,
  migrations: readonly Migration[] = ownMigrations,
): Promise<string[]> {
  await makeTable.run(inside);
  const applied = await listApplied.rows(inside);
  for (const row of applied) {
    const migration = migrations[row.number - 1];
    if (!migration)
      throw new Error(
        `The database was set up by a newer release of Reelscript (migration ${row.name} is unknown here). Install that release, or move DATA_DIR aside or name an empty database in DATABASE_URL.`,
      );

    if (migration.name !== row.name || checksumOf(migration) !== row.checksum)
      throw new Error(
        `The database was set up by a different migration ${row.name} than the one of this release (${migration.name}). Migrations never change once released: install the release that made this database, or move DATA_DIR aside or name an empty database in DATABASE_URL.`,
      );
  }
  const pending = migrations.slice(applied.length);
  for (const [index, migration] of pending.entries()) {
    // Many statements in one text, which cannot be prepared.
    await inside.query(migration.sql);
    const number = applied.length + index + 1;
    await noteApplied.run(inside, { number, name: migration.name, checksum: checksumOf(migration) });
  }
  return pending.map((migration) => migration.name);
}
