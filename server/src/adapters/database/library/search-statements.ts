import type { ScriptSearch } from "../../../ports.ts";
import { isBoolean, isListOf, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { computedStatement, statement, type Column, type RowOf } from "../engine/statement.ts";
import { ofScript, scriptColumns, transcriptRow } from "../transcriptions/transcript-row.ts";

export const scriptRow = {
  id: isText,
  addedAt: isMoment,
  correctedAt: orNull(isMoment),
  typicalViews: orNull(isNumber),
  ...transcriptRow,
};

const isSortKey: Column<number | Date | null> = (value): value is number | Date | null =>
  value === null || isNumber(value) || isMoment(value);
const listedRow = {
  ...scriptRow,
  sortedBy: isSortKey,
  number: isNumber,
  isExact: isBoolean,
  words: orNull(isListOf(isNumber)),
  total: orNull(isNumber),
  more: isBoolean,
};
export type ListedRow = RowOf<typeof listedRow>;

type Sort = ScriptSearch["sort"];

const columns: Record<Sort, { readonly name: string; readonly type: string; readonly order: string }> = {
  views: { name: "views", type: "bigint", order: "desc nulls last" },
  engagement: { name: "engagement_rate", type: "float8", order: "desc nulls last" },
  date: { name: "added_at", type: "timestamptz", order: "desc" },
};

/** The order of the rows of `table`: by the sort's value, the newest script first among equals. */
const orderOf = (sort: Sort, table: string): string =>
  `${table}.${columns[sort].name} ${columns[sort].order}, ${table}.number desc`;

/** The value that the last row before was sorted by, and its number; both are null on the first page. */
interface Position {
  readonly sortedBy: number | Date | null;
  readonly number: number | null;
}

/** Conditions for the rows after a position, in two parts that an index can walk: known values, then unknown ones. */
const partsBehind = (sort: Sort): string[] => {
  const { name, type } = columns[sort];
  const position = `:sortedBy::${type}`;
  const comparison = `(${name}, number) < (${position}, :number::bigint)`;
  const unknown = `${name} is null and (${position} is not null or number < :number::bigint)`;
  return sort === "date" ? [comparison] : [comparison, unknown];
};

type SearchParameter = "library" | "query" | "exact" | "ranked" | "exactly" | "counted" | "limit" | keyof Position;

/**
 * A page of the scripts that match, from the first one or behind a position.
 *
 * - Every row of the library is read, and of nobody else's: an index of words would be everybody's. `ts_match_vq` and not its
 *   operator, so that no index is tried.
 * - Rows that match `:exact` come first; without `:ranked`, all rows are alike. `:exactly` says on which side the position is.
 * - With `:counted` the total is known, and rows before the position aren't matched again.
 */
const matching = (sort: Sort) => {
  const { name } = columns[sort];
  const behind = `(${partsBehind(sort).join(" or ")})`;
  return computedStatement<SearchParameter>(`
  with matched as materialized (
    select number, ${name}, :ranked::boolean and ts_match_vq(tokens, :exact::tsquery) as is_exact
    from searchable_script
    where library = :library::bigint
      and (not :counted::boolean or :exactly::boolean or ${behind})
      and ts_match_vq(tokens, :query::tsquery)
  ), page as materialized (
    select number, is_exact from matched
    where :number::bigint is null
      or (is_exact = :exactly::boolean and ${behind})
      or (:exactly::boolean and not is_exact)
    order by is_exact desc, ${orderOf(sort, "matched")}
    limit :limit::integer + 1
  )
  select s.id, s.added_at, s.${name} as sorted_by, s.number, page.is_exact,
    case when :counted::boolean then null else (select count(*) from matched) end as total,
    (select count(*) from page) > :limit::integer as more,
    case when c.script_number is null then t.words else c.words end as words,
    ${scriptColumns}
  from page
    join script as s on s.number = page.number
    join transcript as t on t.id = s.transcript_id
    left join script_correction as c on c.script_number = s.number
  order by page.is_exact desc, ${orderOf(sort, "s")}
  limit :limit::integer`).reading(listedRow);
};

/** A page of all scripts of an account: an index has them in order, and behind a position each part walks it on its own. */
const everything = (sort: Sort, goesOn: boolean) => {
  const listed = (condition: string): string => `
      select number, id, account_id, handle, added_at, views, engagement_rate, transcript_id from script
      where account_id = :accountId ${condition} order by ${orderOf(sort, "script")} limit :limit::integer + 1`;
  const parts = partsBehind(sort).map((part) => `(${listed(`and ${part}`)})`);
  return computedStatement<"accountId" | "limit" | keyof Position>(`
  with page as materialized (${
    goesOn
      ? `select * from (${parts.join(" union all ")}) as part order by ${orderOf(sort, "part")} limit :limit::integer + 1`
      : listed("")
  }
  )
  select s.id, s.added_at, s.${columns[sort].name} as sorted_by, s.number, false as is_exact, null::integer[] as words,
    coalesce((select scripts from account_content where account_id = :accountId), 0) as total,
    (select count(*) from page) > :limit::integer as more, ${scriptColumns}
  from page as s ${ofScript}
  order by ${orderOf(sort, "s")} limit :limit::integer`).reading(listedRow);
};

const bySort = <Result>(make: (sort: Sort) => Result): Record<Sort, Result> => ({
  views: make("views"),
  engagement: make("engagement"),
  date: make("date"),
});

export const searchStatements = bySort(matching);

export const listStatements = bySort((sort) => ({
  first: everything(sort, false),
  behind: everything(sort, true),
}));

export const findContent = statement(
  "select number, changes from account_content where account_id = :accountId",
).reading({ number: isNumber, changes: isNumber });
