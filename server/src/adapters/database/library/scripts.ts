import { scriptLengthOf } from "@reelscript/contract";
import type { FoundScripts, ListPosition, Scripts, ScriptRow, ScriptSearch } from "../../../ports.ts";
import { isBoolean, isListOf, isNumber, isText, orNull } from "../engine/columns.ts";
import type { ReadRoute } from "../engine/read-route.ts";
import { columnsOf, statement, type Database, type Queryable, type RowOf } from "../engine/statement.ts";
import { ofScript, scriptColumns, transcriptRow, isReel } from "../transcriptions/transcript-row.ts";
import { readWords } from "../transcriptions/word-times.ts";
import { findUnread, listUnread } from "./unread-scripts.ts";
import { revisionLexeme } from "./search-index.ts";
import {
  findContent,
  isIndexed,
  listStatements,
  scriptRow,
  searchStatements,
  type ListedRow,
} from "./search-statements.ts";
import { tagBit } from "./tags.ts";
import { searchQueryOf } from "./search-query.ts";

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

/** Libraries above this size aren't counted, because a count reads each row. */
const largestCounted = 1_000;

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
  search: (accountId, wanted) => reads.read(accountId, (on) => search(on, accountId, wanted)),
  async find(accountId, scriptId) {
    const row = await findScript.row(database, { accountId, id: scriptId });
    return row && { ...toScript(row), heardBy: row.heardBy, sharedRevision: row.sharedRevision };
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
      if ((await isLarge.row(on, { accountId, most: largestCounted }))?.large) return undefined;
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

async function search(on: Queryable, accountId: string, wanted: ScriptSearch): Promise<FoundScripts> {
  const query = searchQueryOf(wanted);
  if (query === "nothing") return { scripts: [], total: 0 };
  const tags = wanted.tag === undefined ? 0 : await tagBit(on, accountId, wanted.tag);
  if (tags === undefined) return { scripts: [], total: 0 };
  const { sort } = wanted;
  const found = await (query === "everything" && isIndexed(sort) && !isFiltered(wanted)
    ? list(on, accountId, wanted, sort)
    : match(on, accountId, query === "everything" ? undefined : query, wanted, tags));
  if (found) return found;
  // After the last script no row is left that could carry the total.
  const { total } = wanted.after
    ? await search(on, accountId, { ...wanted, limit: 1, after: undefined })
    : { total: 0 };
  return { scripts: [], total };
}

const isFiltered = ({ tag, postedAfter, postedBefore, transcribedAfter, transcribedBefore }: ScriptSearch): boolean =>
  [tag, postedAfter, postedBefore, transcribedAfter, transcribedBefore].some((one) => one !== undefined);

async function list(
  on: Queryable,
  accountId: string,
  { limit, after, tabled }: ScriptSearch,
  sort: keyof (typeof listStatements)["listed"],
): Promise<FoundScripts | undefined> {
  const { first, behind } = listStatements[tabled ? "tabled" : "listed"][sort];
  const { sortedBy, number } = positionOf(sort, after);
  return pageOf(await (after ? behind : first).rows(on, { accountId, limit, sortedBy, number }));
}

/** Matches are counted for the first page; later ones know the total while the library is the same. Without a query any script matches. */
async function match(
  on: Queryable,
  accountId: string,
  query: { readonly tsquery: string; readonly exact: string } | undefined,
  wanted: ScriptSearch,
  tags: number,
): Promise<FoundScripts | undefined> {
  const { sort, limit, after, tabled } = wanted;
  const content = await findContent.row(on, { accountId });
  if (content === undefined) return undefined;
  const { number: library, changes } = content;
  const counted = after?.counted?.changes === changes ? after.counted : undefined;
  const { sortedBy, number } = positionOf(sort, after);
  const ranked = query !== undefined && query.exact !== query.tsquery;
  const exactly = ranked && after?.exact === true;
  const rows = await searchStatements[tabled ? "tabled" : "listed"][sort].rows(on, {
    library,
    anything: query === undefined,
    query: query?.tsquery ?? revisionLexeme,
    exact: query?.exact ?? revisionLexeme,
    ranked,
    exactly,
    counted: counted !== undefined,
    limit,
    sortedBy,
    number,
    filtered: isFiltered(wanted),
    tags,
    postedAfter: wanted.postedAfter ?? null,
    postedBefore: wanted.postedBefore ?? null,
    transcribedAfter: wanted.transcribedAfter ?? null,
    transcribedBefore: wanted.transcribedBefore ?? null,
  });
  return pageOf(rows, counted?.total, changes);
}

function pageOf(rows: readonly ListedRow[], countedTotal?: number, changes?: number): FoundScripts | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const total = countedTotal ?? last.total ?? 0;
  const next = { sortedBy: valueOf(last.sortedBy), number: last.number, ...(last.isExact && { exact: true as const }) };
  return {
    scripts: rows.map(toFound),
    total,
    ...(last.more && { next: { ...next, ...(changes !== undefined && { counted: { total, changes } }) } }),
  };
}

function toFound(row: ListedRow): FoundByQuery {
  const words = readWords(row.text, row.words);
  return { ...toScript(row), ...(words !== null && { words }) };
}

export const toScript = (row: RowOf<typeof scriptRow>): ScriptRow => ({
  id: row.id,
  transcript: columnsOf(row, transcriptRow),
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
