import { createHash } from "node:crypto";
import { isBoolean, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, type Queryable, type Transaction } from "../engine/statement.ts";
import { applyFunctions } from "../functions/apply-functions.ts";
import { compactTranscriptsName, startCompactForm } from "../transcripts/compact-transcripts.ts";
import { migrations as ownMigrations, type Migration } from "./migrations.ts";

const checksumOf = ({ sql, checksum }: Migration): string => checksum ?? createHash("sha256").update(sql).digest("hex");

const makeTable = statement(
  "create table if not exists migration (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
);

/** Databases of the first releases lack the column. Adding one that is there would wait for every reader of the table. */
const hasColumn = statement(
  "select exists (select from pg_attribute where attrelid = to_regclass('migration') and attname = 'additive') as there",
).reading({ there: isBoolean });
const addColumn = statement("alter table migration add column additive boolean");

const hasTable = statement("select to_regclass('migration') is not null as there").reading({ there: isBoolean });

const listApplied = statement(
  "select number, name, checksum, to_jsonb(migration) -> 'additive' = 'true' as additive from migration order by number",
).reading({
  number: isNumber,
  name: isText,
  checksum: isText,
  additive: orNull(isBoolean),
});

const noteApplied = statement(
  "insert into migration (number, name, checksum, additive) values (:number, :name, :checksum, :additive)",
);

/** Calls wait at most this long for a change of the tables, even while others read them. */
const waitForLocks = statement("set local lock_timeout = '500ms'");

/**
 * Lists the migrations that a database lacks, and changes nothing. Throws if a newer release changed the database, unless it
 * only added, or if a migration differs from ours.
 */
export async function pendingMigrations(
  on: Queryable,
  migrations: readonly Migration[] = ownMigrations,
): Promise<readonly Migration[]> {
  if (!(await hasTable.onlyRow(on)).there) return migrations;
  const applied = await listApplied.rows(on);
  for (const row of applied) {
    const migration = migrations[row.number - 1];
    if (!migration && row.additive === true) continue;
    if (!migration)
      throw new Error(
        `The database was set up by a newer release of Reelscript (migration ${row.name} is unknown here). Install that release, or move DATA_DIR aside or name an empty database in DATABASE_URL.`,
      );

    if (migration.name !== row.name || checksumOf(migration) !== row.checksum)
      throw new Error(
        `The database was set up by a different migration ${row.name} than the one of this release (${migration.name}). Migrations never change once released: install the release that made this database, or move DATA_DIR aside or name an empty database in DATABASE_URL.`,
      );
  }
  return migrations.slice(applied.length);
}

/**
 * Brings the tables up to date. The caller holds a transaction and the lock that excludes other processes. Throws like
 * `pendingMigrations`, and with the SQL state 55P03 if others use a table: nothing is changed then, and a retry may succeed.
 */
export async function migrate(
  inside: Transaction,
  migrations: readonly Migration[] = ownMigrations,
): Promise<string[]> {
  const pending = await pendingMigrations(inside, migrations);
  if (pending.length === 0) return [];
  await waitForLocks.run(inside);
  await makeTable.run(inside);
  if (!(await hasColumn.onlyRow(inside)).there) await addColumn.run(inside);
  const done = migrations.length - pending.length;
  for (const [index, migration] of pending.entries()) {
    // Many statements in one text, which cannot be prepared.
    await inside.query(migration.sql);
    if (migration.functions) await applyFunctions(inside, migration.functions);
    await noteApplied.run(inside, {
      number: done + index + 1,
      name: migration.name,
      checksum: checksumOf(migration),
      additive: migration.isAdditive ?? false,
    });
  }
  // No release before has used a new database.
  if (done === 0 && pending.some(({ name }) => name === compactTranscriptsName)) await startCompactForm(inside);
  return pending.map((migration) => migration.name);
}
