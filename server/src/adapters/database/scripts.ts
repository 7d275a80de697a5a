import type { Pool } from "pg";
import type { Scripts } from "../../ports.ts";
import { searchQueryOf } from "./search-query.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import { toTranscript, transcriptColumns, type TranscriptRow } from "./transcript-row.ts";

type Sort = Parameters<Scripts["search"]>[1]["sort"];

const orders: Record<Sort, (table: string) => string> = {
  views: (table) => `${table}.views desc nulls last, ${table}.number desc`,
  engagement: (table) => `${table}.engagement_rate desc nulls last, ${table}.number desc`,
  date: (table) => `${table}.added_at desc, ${table}.number desc`,
};

const wholeRows = (order: string): string => `
    select s.id, s.added_at, ${transcriptColumns("t")}, totals.total
    from page
    join script s on s.number = page.number
    join transcript t on t.id = s.transcript_id
    cross join totals
    order by ${order}`;

/** The matches are kept apart so that the database finds them by their tokens, whatever the order. */
const matching = (sort: Sort): Statement => ({
  name: `search-scripts-by-${sort}`,
  text: `
    with matched as materialized (
      select number, added_at, views, engagement_rate from script
      where tokens @@ $2::tsquery and account_id || '' = $1
    ), totals as (
      select count(*) as total from matched
    ), page as (
      select number from matched order by ${orders[sort]("matched")} limit $3
    )
    ${wholeRows(orders[sort]("s"))}`,
});

const everything = (sort: Sort): Statement => ({
  name: `list-scripts-by-${sort}`,
  text: `
    with totals as (
      select count(*) as total from script where account_id = $1
    ), page as (
      select number from script where account_id = $1 order by ${orders[sort]("script")} limit $2
    )
    ${wholeRows(orders[sort]("s"))}`,
});

const searchStatements = { views: matching("views"), engagement: matching("engagement"), date: matching("date") };
const listStatements = { views: everything("views"), engagement: everything("engagement"), date: everything("date") };

export const createScripts = (pool: Pool): Scripts => ({
  async search(accountId, { query, handle, sort, limit }) {
    const owner = storable(accountId);
    const wanted = searchQueryOf(owner, { query, handle });
    if (wanted === "nothing") return { scripts: [], total: 0 };
    const rows = await (wanted === "everything"
      ? rowsOf<ScriptRowRead>(pool, listStatements[sort], [owner, limit])
      : rowsOf<ScriptRowRead>(pool, searchStatements[sort], [owner, wanted.tsquery, limit]));
    return {
      scripts: rows.map((row) => ({ id: row.id, transcript: toTranscript(row), addedAt: row.added_at })),
      total: rows[0]?.total ?? 0,
    };
  },
});

type ScriptRowRead = TranscriptRow & { id: string; added_at: Date; total: number };
