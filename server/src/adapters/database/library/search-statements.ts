import type { ScriptSearch } from "../../../ports.ts";
import { isBoolean, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { computedStatement, statement, type Column, type RowOf, type Statement } from "../engine/statement.ts";
import {
  excerptRow,
  listedColumns,
  longestSegments,
  ofScript,
  readCharacters,
  scriptRow,
  segments,
  tabledColumns,
  wholeText,
} from "../transcripts/transcript-row.ts";
import { lengthUnit } from "../transcripts/transcript-times.ts";

const isSortKey: Column<number | Date | null> = (value): value is number | Date | null =>
  value === null || isNumber(value) || isMoment(value);

const listedRow = {
  ...excerptRow,
  /** A part further on in such a text that has what was searched for, and the second of its segment. */
  laterText: orNull(isText),
  laterAt: orNull(isNumber),
  sortedBy: isSortKey,
  number: isNumber,
  isExact: isBoolean,
  /** Written by `wordStarts`. */
  wordStarts: orNull(isText),
  /** Whether a search found the row: only then its words' starts are of use. */
  timed: isBoolean,
  total: orNull(isNumber),
  more: isBoolean,
};
export type ListedRow = RowOf<typeof listedRow>;

type Sort = ScriptSearch["sort"];
/** Sorts that an index of scripts has in order. */
export type IndexedSort = Exclude<Sort, "likes" | "posted">;

interface SortKey {
  /** The expression to sort by, for the named table. */
  readonly of: (table: string) => string;
  readonly type: string;
  readonly order: string;
}

/** The value is looked up for each row by its key, because a sort is not worth another column in every library. */
const ofReel = (field: string) => (table: string) =>
  `(select ${field} from script as r join transcript as t on t.id = r.transcript_id where r.number = ${table}.number)`;

const keys: Record<Sort, SortKey> = {
  views: { of: (table) => `${table}.views`, type: "bigint", order: "desc nulls last" },
  engagement: { of: (table) => `${table}.engagement_rate`, type: "float8", order: "desc nulls last" },
  date: { of: (table) => `${table}.added_at`, type: "timestamptz", order: "desc" },
  likes: { of: ofReel("(t.reel ->> 'likes')::bigint"), type: "bigint", order: "desc nulls last" },
  posted: { of: ofReel("(t.reel ->> 'postedAt')::timestamptz"), type: "timestamptz", order: "desc nulls last" },
};

export const isIndexed = (sort: Sort): sort is IndexedSort => sort !== "likes" && sort !== "posted";

/** The order of rows: by the sort's value, the newest script first among equals. */
const orderOf = (sort: Sort, value: string, table: string): string =>
  `${value} ${keys[sort].order}, ${table}.number desc`;

/** The last row's sort value and number; both are null on the first page. */
interface Position {
  readonly sortedBy: number | Date | null;
  readonly number: number | null;
}

/** Conditions for the rows after a position, in two parts that an index can walk: known values, then unknown ones. */
const partsBehind = (sort: Sort, value: string): string[] => {
  const position = `:sortedBy::${keys[sort].type}`;
  const comparison = `(${value}, number) < (${position}, :number::bigint)`;
  const unknown = `${value} is null and (${position} is not null or number < :number::bigint)`;
  return sort === "date" ? [comparison] : [comparison, unknown];
};

type FilterParameter = "filtered" | "tags" | "postedAfter" | "postedBefore" | "transcribedAfter" | "transcribedBefore";

/** Tags and dates aren't in the tokens. They are looked up row by row, and only where a search asks for them. */
const filter = `(not :filtered::boolean or (
        select s.tags & :tags::integer = :tags::integer
          and (:postedAfter::timestamptz is null or (t.reel ->> 'postedAt')::timestamptz >= :postedAfter::timestamptz)
          and (:postedBefore::timestamptz is null or (t.reel ->> 'postedAt')::timestamptz < :postedBefore::timestamptz)
          and (:transcribedAfter::timestamptz is null
            or coalesce(c.created_at, t.created_at) >= :transcribedAfter::timestamptz)
          and (:transcribedBefore::timestamptz is null
            or coalesce(c.created_at, t.created_at) < :transcribedBefore::timestamptz)
        from script as s ${ofScript} where s.number = f.number
      ))`;

type SearchParameter =
  | "library"
  | "anything"
  | "query"
  | "exact"
  | "ranked"
  | "exactly"
  | "counted"
  | "limit"
  | "needles"
  | FilterParameter
  | keyof Position;

/** Words of which the times are read: more than are said in a reel of three minutes. */
const mostWords = 1_000;

/** Bytes of JSON above which the second of a segment isn't looked up: more than the longest correction takes. */
const mostSegmentBytes = 2_000_000;

/** Joins lengths and starts, in hundredths of a second, of which each is written as what it is after the one before it. */
const joinedStarts = (rows: string): string => `(
      select string_agg(length || ' ' || start - before, ' ' order by ordinal) from (
        select ordinal, length, start, lag(start, 1, 0) over (order by ordinal) as before from (${rows}) as starts
        where ordinal <= ${mostWords}
      ) as followed
    )`;

/**
 * The starts by which the second of a hit is found, in the fewest bytes: those of words or, where words have no times and there are
 * too many segments to be read, of segments. Ends and probabilities aren't shown.
 */
const wordStarts = `coalesce(${joinedStarts(`
          select (position + 2) / 3 as ordinal, max(number) filter (where position % 3 = 1) % ${lengthUnit} as length,
            (max(number) filter (where position % 3 = 2)::bigint + 5) / 10 as start
          from unnest((case when c.script_number is null then t.words else c.words end)[1:${3 * mostWords}])
            with ordinality as numbers (number, position)
          group by 1`)}, case when octet_length(${segments}::text) between ${longestSegments} + 1 and ${mostSegmentBytes} then ${joinedStarts(`
          select ordinal, length(segment ->> 'text') + 1 as length, round((segment ->> 'start')::numeric * 100)::bigint as start
          from json_array_elements(${segments}) with ordinality as every (segment, ordinal)`)} end) as word_starts`;

/** Characters that are read around a word further on in a text, and of those how many before it. */
const laterCharacters = 600;
const charactersBefore = 200;

/** Characters in which words are looked for, which is as many as a corrected text may have. */
const mostCharacters = 100_000;
/**
 * The position behind the beginning of a long text at which the last of the searched words begins first. Only a hint where to read,
 * because letters with accents aren't compared as in the tokens.
 */
const later = `left join lateral (
      select max(strpos(long.words, ' ' || needle)) as position
      from unnest(:needles::text[]) as needle, (
        select ' ' || translate(lower(left(${wholeText}, ${mostCharacters})),
          chr(10) || chr(9) || '.,;:!?"()', repeat(' ', 11)) as words
      ) as long
      where length(${wholeText}) > ${readCharacters}
    ) as later on later.position > ${readCharacters} - ${charactersBefore}`;

const laterText = `case when later.position is not null then substr(${wholeText},
      later.position - ${charactersBefore}, ${laterCharacters}) end as later_text,
    case when later.position is not null
      and octet_length(${segments}::text) <= ${mostSegmentBytes} then (
      select (segment ->> 'start')::float8 from (
        select segment, nth, sum(length(segment ->> 'text') + 1) over (order by nth) - length(segment ->> 'text') as begins
        from json_array_elements(${segments})
          with ordinality as all_segments (segment, nth)
      ) as placed where begins <= later.position order by nth desc limit 1
    ) end as later_at`;

/** Every row of the library is read, and of nobody else's. `ts_match_vq` and not its operator, so that no index is tried. */
const matches = `(:anything::boolean or ts_match_vq(f.tokens, :query::tsquery))
      and ${filter}`;
const exactness = ":ranked::boolean and ts_match_vq(f.tokens, :exact::tsquery) as is_exact";

/**
 * A page of the scripts that match, from the first one or behind a position.
 *
 * - With `:anything`, no words are looked for.
 * - Rows that match `:exact` come first; without `:ranked`, all rows are alike. `:exactly` says on which side the position is.
 * - With `:counted` the total is known, and rows before the position aren't matched again.
 */
const matchedPage = (sort: Sort): string => {
  const behindRow = isIndexed(sort) ? `(${partsBehind(sort, keys[sort].of("f")).join(" or ")})` : "true";
  const behind = `(${partsBehind(sort, "sorted_by").join(" or ")})`;
  return `
  with matched as materialized (
    select f.number, ${keys[sort].of("f")} as sorted_by, ${exactness}
    from searchable_script as f
    where f.library = :library::bigint
      and (not :counted::boolean or :exactly::boolean or ${behindRow})
      and ${matches}
  ), page as materialized (
    select number, sorted_by, is_exact from matched
    where :number::bigint is null
      or (is_exact = :exactly::boolean and ${behind})
      or (:exactly::boolean and not is_exact)
    order by is_exact desc, ${orderOf(sort, "sorted_by", "matched")}
    limit :limit::integer + 1
  )`;
};

/** The rows of `page`, a common table expression, with what a list shows of them. */
const shownPage = (sort: Sort, total: string): string => `
  select s.id, s.added_at, page.sorted_by, s.number, page.is_exact, ${total} as total,
    (select count(*) from page) > :limit::integer as more,
    ${wordStarts}, true as timed, ${laterText}, ${listedColumns}
  from page
    join script as s on s.number = page.number
    join transcript as t on t.id = s.transcript_id
    left join script_correction as c on c.script_number = s.number
    ${later}
  order by page.is_exact desc, ${orderOf(sort, "page.sorted_by", "s")}
  limit :limit::integer`;

const matching = (sort: Sort) =>
  computedStatement<SearchParameter>(`${matchedPage(sort)}
  ${shownPage(sort, "case when :counted::boolean then null else (select count(*) from matched) end")}`).reading(
    listedRow,
  );

/** The first scripts of a library, in which a frequent word fills a page. */
const firstScripts = 500;

/**
 * The first page of the scripts that match, and their number. Of a frequent word there are tens of thousands, and keeping
 * and sorting their rows took a quarter of a search. So the numbers are gathered in an array, and the page is made of
 * those among the first scripts of the library where these are enough; of all others only where they aren't.
 */
const matchingFirstPage = (sort: IndexedSort) => {
  const value = keys[sort].of;
  return computedStatement<Exclude<SearchParameter, "counted" | "exactly" | keyof Position>>(`
  with last as materialized (
    select ${value("script")} as sorted_by, number from script
    where account_id = (select account_id from account_content where number = :library::bigint)
    order by ${orderOf(sort, value("script"), "script")} offset ${firstScripts} limit 1
  ), matched as materialized (
    -- Numbers are negative where only another form of a word matches.
    select array_agg(case when is_exact then number else -number end) as numbers, array_agg(sorted_by) as keys,
      array_agg(number) filter (
        where is_exact = :ranked::boolean
          and (sorted_by, number) >= ((select sorted_by from last), (select number from last))
      ) as foremost
    from (
      select f.number, ${value("f")} as sorted_by, ${exactness}
      from searchable_script as f
      where f.library = :library::bigint
        and ${matches}
      offset 0
    ) as f
  ), page as materialized (
    select number, sorted_by, is_exact from (
      select f.number, ${value("f")} as sorted_by, :ranked::boolean as is_exact
      from (
        select unnest(foremost) as number from matched where cardinality(foremost) > :limit::integer
      ) as best join searchable_script as f on f.number = best.number
      union all
      select abs(number), sorted_by, number > 0 from (
        select unnest(numbers) as number, unnest(keys) as sorted_by from matched
        where coalesce(cardinality(foremost), 0) <= :limit::integer
      ) as every_match
    ) as matched
    order by is_exact desc, ${orderOf(sort, "sorted_by", "matched")}
    limit :limit::integer + 1
  )
  ${shownPage(sort, "(select cardinality(numbers) from matched)")}`).reading(listedRow);
};

/** Only the numbers of the scripts that match, because a table looks for all of them at once. */
const matchingNumbers = (sort: Sort) =>
  computedStatement<SearchParameter>(`${matchedPage(sort)}
  select number, sorted_by, is_exact, (select count(*) from page) > :limit::integer as more
  from page order by is_exact desc, ${orderOf(sort, "sorted_by", "page")} limit :limit::integer`).reading({
    number: isNumber,
    sortedBy: isSortKey,
    isExact: isBoolean,
    more: isBoolean,
  });

/** A page of all scripts of an account: an index has them in order, and behind a position each part walks it on its own. */
const everything = (sort: IndexedSort, goesOn: boolean) => {
  const value = keys[sort].of;
  const rows = (condition: string): string => `
      select number, id, account_id, handle, added_at, views, engagement_rate, transcript_id, tags from script
      where account_id = :accountId ${condition}
      order by ${orderOf(sort, value("script"), "script")} limit :limit::integer + 1`;
  const parts = partsBehind(sort, value("script")).map((part) => `(${rows(`and ${part}`)})`);
  return computedStatement<"accountId" | "limit" | keyof Position>(`
  with page as materialized (${
    goesOn
      ? `select * from (${parts.join(" union all ")}) as part
      order by ${orderOf(sort, value("part"), "part")} limit :limit::integer + 1`
      : rows("")
  }
  )
  select s.id, s.added_at, ${value("s")} as sorted_by, s.number, false as is_exact, null as word_starts, false as timed,
    null as later_text, null::float8 as later_at,
    coalesce((select scripts from account_content where account_id = :accountId), 0) as total,
    (select count(*) from page) > :limit::integer as more, ${listedColumns}
  from page as s ${ofScript}
  order by ${orderOf(sort, value("s"), "s")} limit :limit::integer`).reading(listedRow);
};

const unindexed = (sort: Exclude<Sort, IndexedSort>) => {
  const anyPage = matching(sort);
  return { firstPage: anyPage, anyPage };
};

/** The first page of a search in a large library, and any page. */
export const searchStatements = {
  views: { firstPage: matchingFirstPage("views"), anyPage: matching("views") },
  engagement: { firstPage: matchingFirstPage("engagement"), anyPage: matching("engagement") },
  date: { firstPage: matchingFirstPage("date"), anyPage: matching("date") },
  likes: unindexed("likes"),
  posted: unindexed("posted"),
};

export const numberStatements = {
  views: matchingNumbers("views"),
  engagement: matchingNumbers("engagement"),
  date: matchingNumbers("date"),
  likes: matchingNumbers("likes"),
  posted: matchingNumbers("posted"),
};

/** The first page of a list, and those behind a position. */
export interface ListStatements {
  readonly first: ListStatement;
  readonly behind: ListStatement;
}
type ListStatement = Statement<"accountId" | "limit" | keyof Position, ListedRow>;

const listOf = (sort: IndexedSort): ListStatements => ({
  first: everything(sort, false),
  behind: everything(sort, true),
});

export const listStatements = {
  views: listOf("views"),
  engagement: listOf("engagement"),
  date: listOf("date"),
};

/** Bytes of text above which a page of a table ends. */
export const fullPage = 1_000_000;

/**
 * Rows of a table by their numbers, in that order, until a page is full; those that were deleted meanwhile are left out. Lengths are
 * looked up without reading the texts.
 */
export const findTabled = statement(`
  with listed as materialized (
    select s.number, page_row.position, octet_length(${wholeText}) as length
    from unnest(:numbers::bigint[]) with ordinality as page_row (number, position)
      join script as s on s.number = page_row.number ${ofScript}
    where s.account_id = :accountId
  ), page as (
    select number, position,
      coalesce(sum(length) over (order by position rows between unbounded preceding and 1 preceding), 0) as before
    from listed
  )
  select s.id, s.added_at, page.position, ${tabledColumns}
  from page join script as s on s.number = page.number ${ofScript}
  where page.before < :full::bigint order by page.position`).reading({ ...scriptRow, position: isNumber });

/** A script with the first of its segments. */
export const findUntimed = statement(`
  select s.id, s.added_at, ${tabledColumns}
  from script as s ${ofScript} where s.account_id = :accountId and s.id = :id`).reading(scriptRow);

export const findContent = statement(
  "select number, changes, scripts from account_content where account_id = :accountId",
).reading({ number: isNumber, changes: isNumber, scripts: isNumber });
