import type { Pool } from "pg";
import type { ListPosition, Scripts, ScriptRow } from "../../ports.ts";
import { searchQueryOf } from "./search-query.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import { toTranscript, transcriptColumns, type TranscriptRow } from "./transcript-row.ts";

type Sort = Parameters<Scripts["search"]>[1]["sort"];

const keys: Record<Sort, string> = { views: "views", engagement: "engagement_rate", date: "added_at" };
const types: Record<Sort, string> = { views: "bigint", engagement: "float8", date: "timestamptz" };

const orders: Record<Sort, (table: string) => string> = {
  views: (table) => `${table}.views desc nulls last, ${table}.number desc`,
  engagement: (table) => `${table}.engagement_rate desc nulls last, ${table}.number desc`,
  date: (table) => `${table}.added_at desc, ${table}.number desc`,
};

/** What stands behind a position, in two parts that an index can walk: the rows whose value is known, then the others. */
const partsBehind = (sort: Sort, key: string, number: string): string[] => {
  const position = `${key}::${types[sort]}`;
  const known = `(${keys[sort]}, number) < (${position}, ${number}::bigint)`;
  const unknown = `${keys[sort]} is null and (${position} is not null or number < ${number}::bigint)`;
  return sort === "date" ? [known] : [known, unknown];
};

/** The matches are kept apart so that the database finds them by their tokens, whatever the order. */
const matching = (sort: Sort, goesOn: boolean): Statement => ({
  name: `search-scripts-by-${sort}${goesOn ? "-behind" : ""}`,
  text: `
    with matched as materialized (
      select number, ${keys[sort]} from script where tokens @@ $2::tsquery and account_id || '' = $1
    ), page as materialized (
      select number from matched
      ${goesOn ? `where (${partsBehind(sort, "$4", "$5").join(") or (")})` : ""}
      order by ${orders[sort]("matched")} limit $3::integer + 1
    )
    select s.id, s.added_at, s.${keys[sort]} as sorted_by, s.number, (select count(*) from matched) as total,
      (select count(*) from page) > $3::integer as more, ${transcriptColumns("t")}
    from page join script s on s.number = page.number join transcript t on t.id = s.transcript_id
    order by ${orders[sort]("s")} limit $3::integer`,
});

const everything = (sort: Sort, goesOn: boolean): Statement => {
  const listed = (condition: string): string => `
      select number, id, added_at, views, engagement_rate, transcript_id from script
      where account_id = $1 ${condition} order by ${orders[sort]("script")} limit $2::integer + 1`;
  const parts = partsBehind(sort, "$3", "$4").map((part) => `(${listed(`and ${part}`)})`);
  return {
    name: `list-scripts-by-${sort}${goesOn ? "-behind" : ""}`,
    text: `
    with page as materialized (${
      goesOn
        ? `select * from (${parts.join(" union all ")}) as part order by ${orders[sort]("part")} limit $2::integer + 1`
        : listed("")
    }
    )
    select page.id, page.added_at, page.${keys[sort]} as sorted_by, page.number,
      (select count(*) from script where account_id = $1) as total,
      (select count(*) from page) > $2::integer as more, ${transcriptColumns("t")}
    from page join transcript t on t.id = page.transcript_id
    order by ${orders[sort]("page")} limit $2::integer`,
  };
};

const statements = (goesOn: boolean) => ({
  search: {
    views: matching("views", goesOn),
    engagement: matching("engagement", goesOn),
    date: matching("date", goesOn),
  },
  list: {
    views: everything("views", goesOn),
    engagement: everything("engagement", goesOn),
    date: everything("date", goesOn),
  },
});
const fromBeginning = statements(false);
const fromPosition = statements(true);

const findScript: Statement = {
  name: "find-script",
  text: `
    select s.id, s.added_at, ${transcriptColumns("t")}
    from script s join transcript t on t.id = s.transcript_id where s.account_id = $1 and s.id = $2`,
};

const countHandles: Statement = {
  name: "count-handles",
  text: `
    select min(handle) as handle, count(*) as scripts from script where account_id = $1
    group by lower(handle) order by count(*) desc, lower(handle) collate "C"`,
};

const removeScript: Statement = {
  name: "remove-script",
  text: "delete from script where account_id = $1 and id = $2 returning id",
};

export function createScripts(pool: Pool): Scripts {
  const search: Scripts["search"] = async (accountId, asked) => {
    const { query, handle, sort, limit, after } = asked;
    const owner = storable(accountId);
    const wanted = searchQueryOf(owner, { query, handle });
    if (wanted === "nothing") return { scripts: [], total: 0 };
    const { search: searching, list: listing } = after ? fromPosition : fromBeginning;
    const position = after ? [keyOf(sort, after), after.number] : [];
    const rows = await (wanted === "everything"
      ? rowsOf<ListedRow>(pool, listing[sort], [owner, limit, ...position])
      : rowsOf<ListedRow>(pool, searching[sort], [owner, wanted.tsquery, limit, ...position]));
    const last = rows.at(-1);
    if (last === undefined && after !== undefined) {
      const { total } = await search(accountId, { ...asked, limit: 1, after: undefined });
      return { scripts: [], total };
    }
    return {
      scripts: rows.map(toScript),
      total: last?.total ?? 0,
      ...(last?.more && { next: { sortedBy: valueOf(last.sorted_by), number: last.number } }),
    };
  };
  return {
    search,
    async find(accountId, scriptId) {
      const [row] = await rowsOf<ScriptRead>(pool, findScript, [storable(accountId), storable(scriptId)]);
      return row && toScript(row);
    },
    async handles(accountId) {
      const rows = await rowsOf<{ handle: string | null; scripts: number }>(pool, countHandles, [storable(accountId)]);
      return {
        handles: rows.filter((row): row is { handle: string; scripts: number } => row.handle !== null),
        total: rows.reduce((sum, { scripts }) => sum + scripts, 0),
      };
    },
    async remove(accountId, scriptId) {
      return (await rowsOf(pool, removeScript, [storable(accountId), storable(scriptId)])).length > 0;
    },
  };
}

type ScriptRead = TranscriptRow & { id: string; added_at: Date };
type ListedRow = ScriptRead & { sorted_by: number | Date | null; number: number; total: number; more: boolean };

const toScript = (row: ScriptRead): ScriptRow => ({
  id: row.id,
  transcript: toTranscript(row),
  addedAt: row.added_at,
});

const valueOf = (key: number | Date | null): number | null => (key instanceof Date ? key.getTime() : key);

/** Callers can make positions up: whatever they say must be a value of the column. */
function keyOf(sort: Sort, { sortedBy }: ListPosition): number | Date | null {
  if (sort === "engagement" || (sortedBy === null && sort === "views")) return sortedBy;
  return sort === "date" ? new Date(sortedBy ?? 0) : Math.trunc(sortedBy ?? 0);
}
