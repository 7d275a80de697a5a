import { scriptLengthOf } from "@reelscript/contract";
import type {
  FoundScripts,
  ListPosition,
  Scripts,
  ScriptRow,
  ScriptSearch,
  TabledScripts,
  TablePosition,
  WordStart,
} from "../../../ports.ts";
import { isBoolean, isListOf, isNumber, isText, orNull } from "../engine/columns.ts";
import type { ReadRoute } from "../engine/server/read-route.ts";
import { statement, type Database, type Queryable, type RowOf } from "../engine/statement.ts";
import {
  type excerptRow,
  ofScript,
  readCharacters,
  scriptColumns,
  scriptRow,
  isReel,
  toTranscript,
} from "../transcripts/transcript-row.ts";
import { readBeginningOfTimes, unpackWords } from "../transcripts/transcript-times.ts";
import { findUnread, listUnread } from "./unread-scripts.ts";
import { revisionLexeme } from "../transcripts/search-index.ts";
import {
  findContent,
  findTabled,
  findUntimed,
  fullPage,
  isIndexed,
  listStatements,
  numberStatements,
  searchStatements,
  type IndexedSort,
  type ListStatements,
  type ListedRow,
} from "./search-statements.ts";
import { beginningsIn, searchQueryOf, type SearchQuery } from "./search-query.ts";
import { similarWords } from "./similar-words.ts";
import { tagBit } from "./tags.ts";

const findScript = statement(`
  select s.id, s.added_at, ${scriptColumns}, t.heard_by, t.revision as shared_revision
  from script as s ${ofScript} where s.account_id = :accountId and s.id = :id`).reading({
  ...scriptRow,
  heardBy: isListOf(isText),
  sharedRevision: isNumber,
});

const countHandles = statement(`
  select min(handle) as handle, count(*) as scripts from script where account_id = :accountId
  group by lower(handle) order by count(*) desc, lower(handle) collate "C"`).reading({
  handle: orNull(isText),
  scripts: isNumber,
});

/** Libraries above this size aren't counted, because a count reads each row, and their searches begin by a longer statement. */
const largestSmall = 1_000;

const isLarge = statement(
  "select scripts > :most::integer as large from account_content where account_id = :accountId",
).reading({ large: isBoolean });

const countKinds = statement(`
  select t.platform, coalesce(c.language, t.language) as language, coalesce(c.seconds, t.seconds) as seconds, count(*) as scripts
  from script as s join transcript as t on t.id = s.transcript_id left join script_correction as c on c.script_number = s.number
  where s.account_id = :accountId group by 1, 2, 3`).reading({
  platform: isText,
  language: isText,
  seconds: isNumber,
  scripts: isNumber,
});

const listReels = statement(`
  select s.number, s.id, t.reel from script s join transcript t on t.id = s.transcript_id
  where s.account_id = :accountId and s.number > :after::bigint
  order by s.number limit :limit::integer + 1`).reading({ number: isNumber, id: isText, reel: isReel });

const findOfReels = statement(`
  select s.id, t.media_id, coalesce(c.language, t.language) as language, coalesce(c.text, t.text) as text
  from transcript as t join script as s on s.transcript_id = t.id left join script_correction as c on c.script_number = s.number
  where s.account_id = :accountId and t.platform = :platform and t.media_id = any(:mediaIds::text[])`).reading({
  id: isText,
  mediaId: isText,
  language: isText,
  text: isText,
});

const countScripts = statement("select count(*) as total from script where account_id = :accountId").reading({
  total: isNumber,
});

export const createScripts = (database: Database, reads: ReadRoute): Scripts => ({
  search: (accountId, search) => reads.read(accountId, (on) => searchLibrary(on, accountId, search)),
  similarWords: (accountId, words) => reads.read(accountId, (on) => similarWords(on, accountId, words)),
  table: (accountId, search, position) => reads.read(accountId, (on) => table(on, accountId, search, position)),
  findIds: (accountId, search) => reads.read(accountId, (on) => findIds(on, accountId, search)),
  async find(accountId, scriptId) {
    const row = await findScript.row(database, { accountId, id: scriptId });
    return row && { ...toScript(row), heardBy: row.heardBy, sharedRevision: row.sharedRevision };
  },
  async findUntimed(accountId, scriptId) {
    const row = await findUntimed.row(database, { accountId, id: scriptId });
    return row && toBeginning(row);
  },
  findUnread: (accountId, scriptId, { words = false } = {}) => findUnread(database, accountId, scriptId, words),
  listUnread: (accountId, after) => reads.read(accountId, (on) => listUnread(on, accountId, after)),
  handles: (accountId) =>
    reads.read(accountId, async (on) => {
      const rows = await countHandles.rows(on, { accountId });
      return {
        handles: rows.flatMap(({ handle, scripts }) => (handle === null ? [] : [{ handle, scripts }])),
        total: rows.reduce((sum, { scripts }) => sum + scripts, 0),
      };
    }),
  kinds: (accountId) =>
    reads.read(accountId, async (on) => {
      if ((await isLarge.row(on, { accountId, most: largestSmall }))?.large) return undefined;
      const rows = await countKinds.rows(on, { accountId });
      return rows.map(({ seconds, ...row }) => ({ ...row, length: scriptLengthOf(seconds) }));
    }),
  async listReels(accountId, after, limit) {
    const { total } = await countScripts.onlyRow(database, { accountId });
    const rows = await listReels.rows(database, { accountId, after, limit });
    const page = rows.slice(0, limit);
    return {
      scripts: page.map(({ id, reel }) => ({ id, reelUrl: reel.url })),
      position: page.at(-1)?.number ?? after,
      more: rows.length > limit,
      total,
    };
  },
  findOfReels: (accountId, platform, mediaIds) =>
    reads.read(accountId, (on) => findOfReels.rows(on, { accountId, platform, mediaIds })),
});

type FoundByQuery = FoundScripts["scripts"][number];

async function searchLibrary(on: Queryable, accountId: string, search: ScriptSearch): Promise<FoundScripts> {
  const query = searchQueryOf(search);
  if (query === "nothing") return { scripts: [], total: 0 };
  const tags = search.tag === undefined ? 0 : await tagBit(on, accountId, search.tag);
  if (tags === undefined) return { scripts: [], total: 0 };
  const { sort } = search;
  const page = await (query === "everything" && isIndexed(sort) && !isFiltered(search)
    ? list(on, accountId, search, listStatements[sort], sort)
    : match(on, accountId, query === "everything" ? undefined : query, search, tags));
  if (page) return page;
  // After the last script no row is left that could carry the total.
  const { total } = search.after
    ? await searchLibrary(on, accountId, { ...search, limit: 1, after: undefined })
    : { total: 0 };
  return { scripts: [], total };
}

const isFiltered = ({ tag, postedAfter, postedBefore, transcribedAfter, transcribedBefore }: ScriptSearch): boolean =>
  [tag, postedAfter, postedBefore, transcribedAfter, transcribedBefore].some((one) => one !== undefined);

async function list(
  on: Queryable,
  accountId: string,
  { limit, after }: Pick<ScriptSearch, "limit" | "after">,
  { first, behind }: ListStatements,
  sort: IndexedSort,
): Promise<FoundScripts | undefined> {
  const { sortedBy, number } = positionOf(sort, after);
  return pageOf(await (after ? behind : first).rows(on, { accountId, limit, sortedBy, number }));
}

/** Matches are counted for the first page; later ones know the total while the library is the same. */
async function match(
  on: Queryable,
  accountId: string,
  query: SearchQuery | undefined,
  search: ScriptSearch,
  tags: number,
): Promise<FoundScripts | undefined> {
  const content = await findContent.row(on, { accountId });
  if (content === undefined) return undefined;
  const { number: library, changes, scripts } = content;
  const counted = search.after?.counted?.changes === changes ? search.after.counted : undefined;
  const values = matchValues({ library, query, search, tags, counted: counted !== undefined });
  const { firstPage, anyPage } = searchStatements[search.sort];
  const isLargeFirstPage = search.after === undefined && scripts > largestSmall;
  const rows = await (isLargeFirstPage ? firstPage : anyPage).rows(on, values);
  return pageOf(rows, counted?.total, changes);
}

interface Match {
  readonly library: number;
  /** Without one, any script matches. */
  readonly query: SearchQuery | undefined;
  readonly search: ScriptSearch;
  readonly tags: number;
  /** The total is known, or not asked for. */
  readonly counted: boolean;
}

function matchValues({ library, query, search, tags, counted }: Match) {
  const { sort, limit, after } = search;
  const { sortedBy, number } = positionOf(sort, after);
  const ranked = query !== undefined && query.exact !== query.tsquery;
  return {
    library,
    anything: query === undefined,
    query: query?.tsquery ?? revisionLexeme,
    exact: query?.exact ?? revisionLexeme,
    ranked,
    exactly: ranked && after?.exact === true,
    counted,
    limit,
    needles: search.query === undefined ? [] : beginningsIn(search.query),
    sortedBy,
    number,
    filtered: isFiltered(search),
    tags,
    postedAfter: search.postedAfter ?? null,
    postedBefore: search.postedBefore ?? null,
    transcribedAfter: search.transcribedAfter ?? null,
    transcribedBefore: search.transcribedBefore ?? null,
  };
}

/** Scripts that a table finds at once; it reads their rows in parts. */
const mostNumbers = 5_000;

async function table(
  on: Queryable,
  accountId: string,
  search: Omit<ScriptSearch, "after">,
  position: TablePosition | undefined,
): Promise<TabledScripts> {
  const query = searchQueryOf(search);
  if (query === "nothing") return { scripts: [] };
  const { limit } = search;
  const { numbers, after: behind } = position?.numbers.length
    ? position
    : await findNumbers(on, accountId, query === "everything" ? undefined : query, {
        ...search,
        after: position?.after,
      });
  const pageNumbers = numbers.slice(0, limit);
  const scripts = await findTabled.rows(on, { accountId, numbers: pageNumbers, full: fullPage });
  const rest = numbers.slice(scripts.at(-1)?.position ?? pageNumbers.length);
  const goesOn = rest.length > 0 || behind !== undefined;
  return { scripts: scripts.map(toBeginning), next: goesOn ? { numbers: rest, after: behind } : undefined };
}

const listIds = statement(`
  select s.id from unnest(:numbers::bigint[]) with ordinality as found (number, rank)
    join script as s on s.number = found.number
  where s.account_id = :accountId order by found.rank`).reading({ id: isText });

async function findIds(
  on: Queryable,
  accountId: string,
  search: Omit<ScriptSearch, "after">,
): Promise<{ readonly ids: readonly string[]; readonly hasMore: boolean }> {
  const query = searchQueryOf(search);
  if (query === "nothing") return { ids: [], hasMore: false };
  const { numbers, after } = await findNumbers(on, accountId, query === "everything" ? undefined : query, search);
  const rows = await listIds.rows(on, { accountId, numbers: numbers.slice(0, search.limit) });
  return { ids: rows.map(({ id }) => id), hasMore: after !== undefined || numbers.length > search.limit };
}

/** The next scripts that match, and where more follow. */
async function findNumbers(
  on: Queryable,
  accountId: string,
  query: SearchQuery | undefined,
  search: ScriptSearch,
): Promise<TablePosition> {
  const tags = search.tag === undefined ? 0 : await tagBit(on, accountId, search.tag);
  const content = await findContent.row(on, { accountId });
  if (tags === undefined || content === undefined) return { numbers: [], after: undefined };
  const block = { ...search, limit: mostNumbers };
  const counted = search.after !== undefined;
  const values = matchValues({ library: content.number, query, search: block, tags, counted });
  const rows = await numberStatements[search.sort].rows(on, values);
  const last = rows.at(-1);
  return { numbers: rows.map(({ number }) => number), after: last?.more ? behindRow(last) : undefined };
}

function pageOf(rows: readonly ListedRow[], countedTotal?: number, changes?: number): FoundScripts | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const total = countedTotal ?? last.total ?? 0;
  const next = behindRow(last);
  return {
    scripts: rows.map(toFound),
    total,
    ...(last.more && { next: { ...next, ...(changes !== undefined && { counted: { total, changes } }) } }),
  };
}

const behindRow = ({
  sortedBy,
  number,
  isExact,
}: Pick<ListedRow, "sortedBy" | "number" | "isExact">): ListPosition => ({
  sortedBy: valueOf(sortedBy),
  number,
  ...(isExact && { exact: true as const }),
});

function toFound(row: ListedRow): FoundByQuery {
  const { timed, laterText, laterAt } = row;
  const { segments, words: packed } = readBeginningOfTimes({ ...row, words: null });
  const wordStarts = timed ? wordStartsOf(row.wordStarts, packed) : [];
  return {
    ...toExcerpt({ ...row, segments: [...segments], times: null }),
    ...(wordStarts.length > 0 && { wordStarts }),
    ...(laterText !== null && { later: { text: laterText, at: laterAt } }),
  };
}

/** A script of which a list reads the beginning and the end. */
export function toExcerpt(row: RowOf<typeof excerptRow>): ScriptRow {
  const { ending, speechLength } = row;
  const isBeginning = speechLength > readCharacters && ending !== null;
  return { ...toBeginning(row), ...(isBeginning && { whole: { ending, length: speechLength } }) };
}

/** A script of whose times only the beginning was read. */
const toBeginning = (row: RowOf<typeof scriptRow>): ScriptRow =>
  toScript({ ...row, segments: [...readBeginningOfTimes({ ...row, words: null }).segments], times: null });

/** The starts of words as a statement wrote them, or else from packed times. */
function wordStartsOf(written: string | null, packed: readonly number[] | null): WordStart[] {
  if (written === null) return unpackWords(packed ?? []).map(({ length, start }) => ({ length, at: start / 1_000 }));
  const numbers = written.split(" ").map(Number);
  const starts: WordStart[] = [];
  let hundredths = 0;
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    hundredths += numbers[index + 1] ?? 0;
    starts.push({ length: numbers[index] ?? 0, at: hundredths / 100 });
  }
  return starts;
}

export const toScript = (row: RowOf<typeof scriptRow>): ScriptRow => ({
  id: row.id,
  transcript: toTranscript(row),
  addedAt: row.addedAt,
  correctedAt: row.correctedAt,
  typicalViews: row.typicalViews,
  tags: row.tags,
});

const valueOf = (key: number | Date | null): number | null => (key instanceof Date ? key.getTime() : key);

/** Callers can invent positions, so a position must be a possible value of the column. The first page has none. */
function positionOf(sort: ScriptSearch["sort"], after: ListPosition | undefined) {
  if (after === undefined) return { sortedBy: null, number: null };
  const { sortedBy, number } = after;
  if (sort === "engagement" || (sortedBy === null && sort !== "date")) return { sortedBy, number };
  const isMoment = sort === "date" || sort === "posted";
  return { sortedBy: isMoment ? new Date(sortedBy ?? 0) : Math.trunc(sortedBy ?? 0), number };
}
