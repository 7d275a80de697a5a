import { onServer } from "./processes/throwaway-postgres.ts";
import { type Report, shown } from "./report.ts";
import { timesOf } from "./statistics.ts";

/** Counts come as text. */
type Table = Readonly<Record<"name" | "live" | "dead" | "vacuums" | "size", string>> &
  Readonly<Record<"updated" | "hot", number>>;

type Sizes = Readonly<Record<"transcripts" | "whole" | "transcript" | "script" | "searchable" | "scripts", number>>;

/** How much a database takes in all, and each transcript and script of it. */
export async function measureSizes(report: Report, databaseUrl: string): Promise<void> {
  const { rows } = await onServer(databaseUrl, (client) =>
    client.query<Record<keyof Sizes, string>>(`
      select (select count(*) from transcript) as transcripts, pg_database_size(current_database()) as whole,
        pg_total_relation_size('transcript') as transcript, pg_total_relation_size('script') as script,
        pg_total_relation_size('searchable_script') as searchable, (select count(*) from script) as scripts`),
  );
  const size = Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)])) as Sizes;
  report.figures([
    { what: `database of ${size.transcripts} transcripts`, value: size.whole / 1e9, unit: "GB" },
    {
      what: "a transcript in the cache, with indexes",
      value: size.transcript / size.transcripts / 1_000,
      unit: "KB",
    },
    { what: "a script in a library, with indexes", value: size.script / size.scripts / 1_000, unit: "KB" },
    { what: "what a search reads of it", value: size.searchable / size.scripts / 1_000, unit: "KB" },
  ]);
}

/** What the run left behind, and how long it takes to clear it away. */
export const measureDeadRows = ({ report, databaseUrl }: { readonly report: Report; readonly databaseUrl: string }) =>
  onServer(databaseUrl, async (client) => {
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query<Table>(`
      select relname as name, n_live_tup as live, n_dead_tup as dead, n_tup_upd as updated, n_tup_hot_upd as hot,
        autovacuum_count as vacuums, pg_size_pretty(pg_total_relation_size(relid)) as size
      from pg_stat_user_tables where n_dead_tup > 0 or n_tup_upd > 1000 order by n_dead_tup desc limit 12`);
    const times = new Map<string, number>();
    for (const { name } of rows)
      times.set(name, (await timesOf(() => client.query(`vacuum ${name}`).then(() => false)))[0]!);
    report.table(
      ["table", "rows", "dead", "updates", "in place", "autovacuums", "size", "vacuum"],
      rows.map(({ name, live, dead, updated, hot, vacuums, size }) => [
        name,
        live,
        dead,
        updated,
        Number(updated) > 0 ? `${((100 * Number(hot)) / Number(updated)).toFixed(0)} %` : "–",
        vacuums,
        size,
        shown(times.get(name)!, "ms", 1),
      ]),
    );
  });
