import type { FoundScript, ListPosition, UnreadScript } from "../../../ports.ts";
import {
  isGap,
  isSegment,
  ofScript,
  scriptRow,
  storedTranscriptRow,
  unreadColumns,
} from "../transcripts/transcript-row.ts";
import { readTimes, readWords } from "../transcripts/transcript-times.ts";
import { isBoolean, isListOf, isNumber, isText, orNull } from "../engine/columns.ts";
import { columnsOf, statement, type Queryable, type RowOf } from "../engine/statement.ts";

const { segments: _segments, gaps: _gaps, times: _times, ...shortTranscriptRow } = storedTranscriptRow;
const unreadRow = {
  ...scriptRow,
  segments: isText,
  gaps: isText,
  heardBy: isListOf(isText),
  sharedRevision: isNumber,
  words: orNull(isText),
  times: orNull(isText),
  timed: isBoolean,
};

/** Times of words are long and needed for few scripts. */
const findScript = statement(`
  select s.id, s.added_at, ${unreadColumns},
    case when not :words::boolean then null when c.script_number is null then t.words else c.words end::text as words,
    :words::boolean as timed
  from script as s ${ofScript} where s.account_id = :accountId and s.id = :id`).reading(unreadRow);

/** Bytes of text above which a page ends. */
const fullPage = 1_000_000;
const longestPage = 100;

/** Lengths are looked up without reading the texts. */
const listPage = statement(`
  with listed as materialized (
    select s.number, s.added_at, octet_length(case when c.script_number is null then t.text else c.text end) as length
    from script as s ${ofScript}
    where s.account_id = :accountId
      and (s.added_at, s.number) < (coalesce(:addedAt::timestamptz, 'infinity'), coalesce(:number::bigint, 0))
    order by s.added_at desc, s.number desc limit :most::integer + 1
  ), page as (
    select number, row_number() over page_order as position,
      coalesce(sum(length) over (page_order rows between unbounded preceding and 1 preceding), 0) as before
    from listed window page_order as (order by added_at desc, number desc)
  )
  select s.id, s.added_at, s.number, ${unreadColumns}, null as words, false as timed,
    (select count(*) from page) as listed
  from page join script as s on s.number = page.number ${ofScript}
  where page.before < :full::bigint and page.position <= :most::integer
  order by s.added_at desc, s.number desc`).reading({ ...unreadRow, number: isNumber, listed: isNumber });

export async function findUnread(
  on: Queryable,
  accountId: string,
  id: string,
  words: boolean,
): Promise<UnreadScript | undefined> {
  const row = await findScript.row(on, { accountId, id, words });
  return row && toUnread(row);
}

export async function listUnread(
  on: Queryable,
  accountId: string,
  after: ListPosition | undefined,
): Promise<{ readonly scripts: readonly UnreadScript[]; readonly next?: ListPosition | undefined }> {
  const addedAt = after === undefined ? null : new Date(after.sortedBy ?? 0);
  const number = after?.number ?? null;
  const rows = await listPage.rows(on, { accountId, addedAt, number, most: longestPage, full: fullPage });
  const last = rows.at(-1);
  return {
    scripts: rows.map(toUnread),
    ...(last && last.listed > rows.length && { next: { sortedBy: last.addedAt.getTime(), number: last.number } }),
  };
}

const toUnread = (row: RowOf<typeof unreadRow>): UnreadScript => ({
  id: row.id,
  transcript: columnsOf(row, shortTranscriptRow),
  addedAt: row.addedAt,
  correctedAt: row.correctedAt,
  typicalViews: row.typicalViews,
  tags: row.tags,
  heardBy: row.heardBy,
  sharedRevision: row.sharedRevision,
  segments: row.segments,
  gaps: row.gaps,
  words: row.words,
  times: row.times,
  timed: row.timed,
});

/** Reads a script, with its words where it has them. Throws when the stored text has another shape. Pure, but slow. */
export function readScript({ transcript, gaps, timed, ...unread }: UnreadScript): FoundScript {
  const { segments: _segments, words: _words, times: _times, ...script } = unread;
  const { segments, words } = timesOf(transcript.text, unread);
  const read = timed ? readWords(transcript.text, words) : null;
  return {
    ...script,
    transcript: { ...transcript, segments, gaps: listIn(gaps, isListOf(isGap)) },
    ...(read && { words: read }),
  };
}

const timesOf = (text: string, { segments, words, times }: Pick<UnreadScript, "segments" | "words" | "times">) =>
  readTimes({
    text,
    segments: listIn(segments, isListOf(isSegment)),
    words: words === null ? null : listIn(`[${words.slice(1, -1)}]`, isListOf(isNumber)),
    times: times === null ? null : Buffer.from(times, "base64"),
  });

function listIn<Item>(json: string, isList: (value: unknown) => value is Item[]): Item[] {
  const value: unknown = JSON.parse(json);
  if (!isList(value)) throw new Error("A script has times of another shape");
  return value;
}
