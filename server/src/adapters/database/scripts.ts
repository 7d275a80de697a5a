import type { Pool } from "pg";
import type { Scripts } from "../../ports.ts";
import { searchQueryOf } from "./search-query.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import { toTranscript, transcriptColumns, type TranscriptRow } from "./transcript-row.ts";

type Sort = Parameters<Scripts["search"]>[1]["sort"];

const keys: Record<Sort, string> = { views: "views", engagement: "engagement_rate", date: "added_at" };

const orders: Record<Sort, (table: string) => string> = {
  views: (table) => `${table}.views desc nulls last, ${table}.number desc`,
  engagement: (table) => `${table}.engagement_rate desc nulls last, ${table}.number desc`,
  date: (table) => `${table}.added_at desc, ${table}.number desc`,
};

/** The matches are kept apart so that the database finds them by their tokens, whatever the order. */
const matching = (sort: Sort): Statement => ({
  name: `search-scripts-by-${sort}`,
  text: `
    with matched as materialized (
      select number, ${keys[sort]} from script where tokens @@ $2::tsquery and account_id || '' = $1
    ), page as materialized (
      select number from matched order by ${orders[sort]("matched")} limit $3
    )
    select s.id, s.added_at, (select count(*) from matched) as total, ${transcriptColumns("t")}
    from page join script s on s.number = page.number join transcript t on t.id = s.transcript_id
    order by ${orders[sort]("s")}`,
});

const everything = (sort: Sort): Statement => ({
  name: `list-scripts-by-${sort}`,
  text: `
    with page as materialized (
      select number, id, added_at, views, engagement_rate, transcript_id from script
      where account_id = $1 order by ${orders[sort]("script")} limit $2
    )
    select page.id, page.added_at, (select count(*) from script where account_id = $1) as total,
      ${transcriptColumns("t")}
    from page join transcript t on t.id = page.transcript_id
    order by ${orders[sort]("page")}`,
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
