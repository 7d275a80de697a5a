import { isListOf, isText } from "../engine/columns.ts";
import { statement, type Queryable } from "../engine/statement.ts";

/** A table as both databases have it. */
export interface MovedTable {
  readonly name: string;
  /** Columns of both databases; generated ones fill themselves. */
  readonly columns: readonly string[];
  /** Columns numbered by a sequence. */
  readonly counted: readonly string[];
}

const listTables = statement(`
  select c.relname::text as name,
    array(
      select a.attname::text from pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
    ) as columns,
    array(
      select a.attname::text from pg_attribute as a
      where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
    ) as counted,
    array(
      select distinct f.confrelid::regclass::text from pg_constraint as f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
    ) as needed
  from pg_class as c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  order by c.relname`).reading({
  name: isText,
  columns: isListOf(isText),
  counted: isListOf(isText),
  needed: isListOf(isText),
});

/** Tables about running processes, with nothing lasting. */
const passing: ReadonlySet<string> = new Set(["migration", "worker", "task_lease", "machine_clock", "database_move"]);

/** The tables of both databases, referenced ones first. Throws if tables refer to each other in a circle. */
export async function tablesToMove(from: Queryable, to: Queryable): Promise<MovedTable[]> {
  const before = new Map((await listTables.rows(from)).map((table) => [table.name, table]));
  const tables = (await listTables.rows(to)).filter(({ name }) => !passing.has(name) && before.has(name));
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: MovedTable[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(({ needed }) => needed.every((name) => !left.has(name)));
    if (next === undefined)
      throw new Error(`The tables ${[...left.keys()].join(", ")} refer to one another in a circle.`);
    const { name, columns, counted } = next;
    left.delete(name);
    ordered.push({
      name,
      columns: columns.filter((column) => before.get(name)!.columns.includes(column)),
      counted,
    });
  }
  return ordered;
}
