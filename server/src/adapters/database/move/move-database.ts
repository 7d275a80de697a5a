import { isNumber, isText, orNull } from "../engine/columns.ts";
import { computedStatement, statement, transaction, type Database, type Transaction } from "../engine/statement.ts";
import { checkLedger } from "./check-ledger.ts";
import { bindReleasesToForm } from "../transcripts/compact-transcripts.ts";
import { type MovedTable, tablesToMove } from "./describe-tables.ts";

/** Number of rows that arrived, per table. */
export type Receipt = Readonly<Record<string, number>>;

/** Rows with media, pictures or long texts may be large. */
const rowsAtATime = 100;

const makeProgress = statement(
  "create table if not exists database_move (name text primary key, after text, rows bigint not null default 0, done boolean not null default false)",
);
const findProgress = statement("select after, rows, done from database_move where name = :name").reading({
  after: orNull(isText),
  rows: isNumber,
  done: (value): value is boolean => typeof value === "boolean",
});
const noteProgress = statement(`
  insert into database_move (name, after, rows, done) values (:name, :after::text, :rows::bigint, :done::boolean)
  on conflict (name) do update set after = excluded.after, rows = database_move.rows + excluded.rows, done = excluded.done`);
const endProgress = statement("drop table database_move");
const isBegun = statement(
  "select to_regclass('database_move') is not null or not exists (select from account) as begun",
).reading({ begun: (value): value is boolean => typeof value === "boolean" });

/**
 * Copies everything from one database into another, whose tables are those of this release. An interrupted move continues where
 * it stopped. Nothing else may use either database. Throws if the target contains other data, or if the result differs from the
 * source.
 */
export async function moveDatabase(
  from: Database,
  to: Database,
  onTable: (name: string, rows: number) => void,
): Promise<Receipt> {
  if (!(await isBegun.onlyRow(to)).begun)
    throw new Error("The database to move to has accounts already. Name an empty one.");
  await makeProgress.run(to);
  const tables = await tablesToMove(from, to);
  for (const table of tables) await setTriggers(to, table, "disable");
  try {
    for (const table of tables) onTable(table.name, await copyTable(from, to, table));
  } finally {
    for (const table of tables) await setTriggers(to, table, "enable");
  }
  const receipt: Record<string, number> = {};
  for (const { name } of tables) {
    const sentRows = await countOf(from, name);
    const arrivedRows = await countOf(to, name);
    if (sentRows !== arrivedRows)
      throw new Error(`${arrivedRows} of ${sentRows} rows of ${name} arrived. Run the command again.`);
    receipt[name] = arrivedRows;
  }
  await checkLedger(from, to);
  await bindReleasesToForm(to);
  await endProgress.run(to);
  return receipt;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** These triggers would count rows a second time that are copied with their counts. */
const setTriggers = (to: Database, { name }: MovedTable, how: "enable" | "disable"): Promise<number> =>
  computedStatement<never>(`alter table ${quoted(name)} ${how} trigger user`).run(to);

async function countOf(database: Database, name: string): Promise<number> {
  const count = computedStatement<never>(`select count(*) as rows from ${quoted(name)}`).reading({ rows: isNumber });
  return (await count.onlyRow(database)).rows;
}

/**
 * Some of the rows, as JSON that only the databases read, so no number passes through this program. Rows are read in physical
 * order, which doesn't change while nobody writes.
 */
function statementsOf({ name, columns, counted }: MovedTable) {
  const list = columns.map(quoted).join(", ");
  const read = computedStatement<"after">(`
    with moved_rows as materialized (
      select ctid as place_in_table, ${list} from ${quoted(name)}
      where :after::tid is null or ctid > :after::tid
      order by ctid limit ${rowsAtATime}
    )
    select json_agg(row_to_json(moved_rows) order by place_in_table)::text as rows, count(*) as number,
      max(place_in_table)::text as last
    from moved_rows`).reading({ rows: orNull(isText), number: isNumber, last: orNull(isText) });
  const write = computedStatement<"rows">(`
    insert into ${quoted(name)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${quoted(name)}, :rows::json)`);
  const empty = computedStatement<never>(`delete from ${quoted(name)}`);
  const count = counted.map((column) =>
    computedStatement<never>(`
      select setval(pg_get_serial_sequence('${quoted(name)}', '${column.replaceAll("'", "''")}'), max(${quoted(column)}))
      from ${quoted(name)} having max(${quoted(column)}) is not null`),
  );
  return { read, write, empty, count };
}

async function copyTable(from: Database, to: Database, table: MovedTable): Promise<number> {
  const { read, write, empty, count } = statementsOf(table);
  const { name } = table;
  const before = await findProgress.row(to, { name });
  let after = before?.after ?? null;
  let copied = before?.rows ?? 0;
  if (before?.done) return copied;
  // The copied rows include those that migrations wrote.
  if (before === undefined) await note(to, { name, after, rows: 0 }, (inside) => empty.run(inside));
  for (;;) {
    const { rows, number, last } = await read.onlyRow(from, { after });
    if (rows === null) break;
    await note(to, { name, after: last, rows: number }, (inside) => write.run(inside, { rows }));
    after = last;
    copied += number;
  }
  for (const one of count) await one.run(to);
  await noteProgress.run(to, { name, after, rows: 0, done: true });
  return copied;
}

/** Writes and records the rows in one transaction, so that nothing is copied twice. */
const note = (
  to: Database,
  { name, after, rows }: { readonly name: string; readonly after: string | null; readonly rows: number },
  write: (inside: Transaction) => Promise<number>,
): Promise<void> =>
  transaction(to, async (inside) => {
    await write(inside);
    await noteProgress.run(inside, { name, after, rows, done: false });
  });
