import { isText } from "../engine/columns.ts";
import { statement, type Transaction } from "../engine/statement.ts";
import type { DatabaseFunction } from "./database-function.ts";

const listTriggers = statement(`
  select t.tgname as name, c.relname as "table" from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
  where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`).reading({ name: isText, table: isText });

/**
 * Brings functions and triggers into the database, whatever migrations left there. Creating a trigger locks its table, so one that
 * exists is left alone.
 */
export async function applyFunctions(inside: Transaction, functions: readonly DatabaseFunction[]): Promise<void> {
  // Many statements in one text, which cannot be prepared.
  await inside.query(functions.map(({ sql }) => sql).join(""));
  const present = await listTriggers.rows(inside);
  const missing = functions
    .flatMap(({ triggers = [] }) => triggers)
    .filter((trigger) => present.every(({ name, table }) => name !== trigger.name || table !== trigger.table));
  if (missing.length > 0) await inside.query(missing.map(({ sql }) => sql).join(""));
}
