import type { ScriptLength } from "@reelscript/contract";
import type { ScriptSearch } from "../../../ports.ts";
import { isBoolean, isListOf, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { computedStatement, statement, type Column, type RowOf } from "../engine/statement.ts";
import { ofScript, scriptColumns, transcriptRow } from "../transcriptions/transcript-row.ts";
import { mostTerms, searchTermsOf, stemsOfTerm, type SearchTerm } from "../../../search/search-terms.ts";
import { commonBeginning } from "../../../search/stems.ts";
import { handleLexeme, languageLexeme, lengthLexeme, lexeme, platformLexeme, stemLexeme } from "./search-index.ts";

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

const orderOf = (sort: Sort, table: string): string =>
  `${table}.${columns[sort].name} ${columns[sort].order}, ${table}.number desc`;

/** The value that the last row before was sorted by, its number, and whether it had the very words. */
interface Position {
  readonly sortedBy: number | Date | null;
  readonly number: number | null;
}

/** Conditions for the rows after a position, in two parts that an index can walk: known values, then unknown ones. */
const partsBehind = (sort: Sort): string[] => {
  const { name, type } = columns[sort];
  const position = `:sortedBy::${type}`;
  const known = `(${name}, number) < (${position}, :number::bigint)`;
  const unknown = `${name} is null and (${position} is not null or number < :number::bigint)`;
  return sort === "date" ? [known] : [known, unknown];
};

/** The start of a page, and whether all matches were counted before. */
type Beginning = "first" | "behind" | "behind-counted";

/** Like `scriptColumns`, reads the account's copy or the shared transcript. */
const ownWords = "case when c.script_number is null then t.words else c.words end as words";

/**
 * Every row of the library is read, and of nobody else's: an index of words would be everybody's. The function and not its
 * operator, so that no index is tried. Rows that match `:exact` come first; without `:ranked`, all rows are alike.
 */
const matching = (sort: Sort, beginning: Beginning) => {
  const behind = beginning === "first" ? "" : `(${partsBehind(sort).join(") or (")})`;
  const isCounted = beginning === "behind-counted";
  return computedStatement<"library" | "query" | "exact" | "ranked" | "exactly" | "limit" | keyof Position>(`
  with matched as materialized (
    select number, ${columns[sort].name}, :ranked::boolean and ts_match_vq(tokens, :exact::tsquery) as is_exact
    from searchable_script
    where library = :library::bigint
    ${isCounted ? `and (:exactly::boolean or ${behind})` : ""} and ts_match_vq(tokens, :query::tsquery)
  ), page as materialized (
    select number, is_exact from matched
    ${behind === "" ? "" : `where (is_exact = :exactly::boolean and ${behind}) or (:exactly::boolean and not is_exact)`}
    order by is_exact desc, ${orderOf(sort, "matched")} limit :limit::integer + 1
  )
  select s.id, s.added_at, s.${columns[sort].name} as sorted_by, s.number, page.is_exact,
    ${isCounted ? "null" : "(select count(*) from matched)"} as total,
    (select count(*) from page) > :limit::integer as more, ${ownWords}, ${scriptColumns}
  from page join script as s on s.number = page.number ${ofScript}
  order by page.is_exact desc, ${orderOf(sort, "s")} limit :limit::integer`).reading(listedRow);
};

const countedScripts = "coalesce((select scripts from account_content where account_id = :accountId), 0)";

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
    ${countedScripts} as total,
    (select count(*) from page) > :limit::integer as more, ${scriptColumns}
  from page as s ${ofScript}
  order by ${orderOf(sort, "s")} limit :limit::integer`).reading(listedRow);
};

const bySort = <Made>(make: (sort: Sort) => Made): Record<Sort, Made> => ({
  views: make("views"),
  engagement: make("engagement"),
  date: make("date"),
});
const byBeginning = <Made>(make: (beginning: Beginning) => Made): Record<Beginning, Made> => ({
  first: make("first"),
  behind: make("behind"),
  "behind-counted": make("behind-counted"),
});

export const searchStatements = bySort((sort) => byBeginning((beginning) => matching(sort, beginning)));

export const listStatements = bySort((sort) => ({
  first: everything(sort, false),
  behind: everything(sort, true),
}));

export const findContent = statement(
  "select number, changes from account_content where account_id = :accountId",
).reading({ number: isNumber, changes: isNumber });

function spell({ words, isPrefix }: SearchTerm): string {
  const [word = "", ...more] = words.map(lexeme);
  if (isPrefix) return `${word}:*`;
  return more.length === 0 ? word : `(${[word, ...more].join(" <-> ")})`;
}

/** The beginning that all forms share is looked up first, because most texts have no word that begins so. */
const shortestBeginning = 2;

/** In any form that has the same stem; signs and phrases are what they are. */
function spellLoosely(term: SearchTerm): string {
  const [word = ""] = term.words;
  const stems = stemsOfTerm(term);
  if (stems.length === 0) return spell(term);
  const forms = stems.flatMap((stem) => (stem === word ? [stemLexeme(stem)] : [lexeme(stem), stemLexeme(stem)]));
  const beginning = commonBeginning([word, ...stems]);
  const others = `(${forms.join(" | ")})`;
  return `(${spell(term)} | ${beginning.length < shortestBeginning ? others : `(${lexeme(beginning)}:* & ${others})`})`;
}

interface SearchQuery {
  readonly tsquery: string;
  /** The query that the best matches also satisfy; the same as `tsquery` when there are no other matches. */
  readonly exact: string;
}

/**
 * Two tsquery literals: all words in any form, and in the very form. A quoted phrase as a phrase, the last word as a prefix
 * while nothing follows it. Symbols that people also say in words, such as &, are needed only in the second one, unless
 * there is nothing else. `"everything"` when nothing narrows the search, `"nothing"` when no script can match.
 */
export function searchQueryOf(search: {
  readonly query?: string | undefined;
  readonly handle?: string | undefined;
  readonly platform?: string | undefined;
  readonly language?: string | undefined;
  readonly length?: ScriptLength | undefined;
}): SearchQuery | "everything" | "nothing" {
  const conditions: string[] = [];
  if (search.handle !== undefined) {
    const handle = handleLexeme(search.handle);
    if (!handle) return "nothing";
    conditions.push(handle);
  }
  if (search.platform !== undefined) conditions.push(platformLexeme(search.platform));
  if (search.language !== undefined) conditions.push(languageLexeme(search.language));
  if (search.length !== undefined) conditions.push(lengthLexeme(search.length));
  const joined = (words: readonly string[]): string => [...conditions, ...words].join(" & ");
  if (search.query !== undefined && search.query.trim() !== "") {
    const terms = searchTermsOf(search.query).slice(0, mostTerms);
    if (terms.length === 0) return "nothing";
    const needed = terms.filter(({ sign }) => sign !== "sign");
    const loose = new Set((needed.length > 0 ? needed : terms).map(spellLoosely));
    return { tsquery: joined([...loose]), exact: joined([...new Set(terms.map(spell))]) };
  }
  return conditions.length === 0 ? "everything" : { tsquery: joined([]), exact: joined([]) };
}
