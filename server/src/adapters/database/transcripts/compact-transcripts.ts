import { isBoolean, isListOf, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Database, type Queryable } from "../engine/statement.ts";
import { isSegment, readForm } from "./transcript-row.ts";
import { packTimes } from "./transcript-times.ts";

/** Once the compact form is used, releases without this migration can't read what is stored. */
export const compactTranscriptsName = "0014-compact-transcripts";

const chooseCompact = statement("insert into storage_form (since) values (clock_timestamp()) on conflict do nothing");

/** A release that doesn't read the form must not start. */
const bindReleases = statement(
  "update migration set additive = not exists (select from storage_form) where name = :migration",
);

/** From now on transcripts are stored in the compact form, and earlier releases refuse to start. */
export async function startCompactForm(on: Queryable): Promise<void> {
  await chooseCompact.run(on);
  await bindReleasesToForm(on);
}

/** Runs after the form was chosen, or was copied from another database. */
export async function bindReleasesToForm(on: Queryable): Promise<void> {
  await bindReleases.run(on, { migration: compactTranscriptsName });
}

/** Progress of the rewriting, over all calls together. */
interface Compaction {
  readonly transcripts: number;
  /** Stored size of the rewritten columns, before and after. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The numbers of the last transcript that was checked, and of the last existing one. */
  readonly place: number;
  readonly last: number;
  readonly isDone: boolean;
}

/**
 * From now on transcripts are stored in the compact form, and older ones are rewritten one by one until `isOver`, while the
 * service runs. Earlier releases can't be used any more. Returns `olderProcess`, without changing anything, if one of them
 * seems to be running.
 */
export type CompactTranscripts = (isOver: () => boolean) => Promise<Compaction | "olderProcess">;

const atATime = 50;

/** Each process reports every ten seconds. No two processes share an embedded database. */
const findOlder = statement(`
  select exists (
    select from machine_clock where not reads_times and seen_at > clock_timestamp() - interval '1 minute'
  ) as older`).reading({ older: isBoolean });

const findProgress = statement(`
  select after, transcripts, bytes_before, bytes_after, coalesce((select max(id) from transcript), 0) as last
  from storage_form`).reading({
  after: isNumber,
  transcripts: isNumber,
  bytesBefore: isNumber,
  bytesAfter: isNumber,
  last: isNumber,
});

const bytes =
  "pg_column_size(segments) + coalesce(pg_column_size(words), 0) + pg_column_size(tokens) + coalesce(pg_column_size(times), 0)";

const listNext = statement(`
  select id, version, bytes, case when times is null then text end as text,
    case when times is null then segments else '[]' end as segments, case when times is null then words end as words
  from (
    select id, ctid::text as version, ${bytes} as bytes, text, segments, words, times
    from transcript where id > :after::bigint order by id limit ${atATime}
  ) as next order by id`).reading({
  id: isNumber,
  version: isText,
  bytes: isNumber,
  text: orNull(isText),
  segments: isListOf(isSegment),
  words: orNull(isListOf(isNumber)),
});

/** Uses a statement for each, so that callers never wait for more than one. */
const rewrite = statement(`
  update transcript set segments = '[]', words = null, tokens = '', times = :times::bytea
  where id = :id::bigint and ctid = :version::tid and times is null and text = :text
  returning ${bytes} as bytes`).reading({ bytes: isNumber });

const noteProgress = statement(`
  update storage_form
  set after = :after::bigint, transcripts = transcripts + :transcripts::integer,
    bytes_before = bytes_before + :bytesBefore::bigint, bytes_after = bytes_after + :bytesAfter::bigint`);

export const createCompactTranscripts =
  (database: Database): CompactTranscripts =>
  async (isOver) => {
    if ((await findOlder.onlyRow(database)).older) return "olderProcess";
    if (!(await readForm(database)).compact) await transaction(database, startCompactForm);
    let isDone = false;
    while (!isDone && !isOver()) isDone = await rewriteNext(database);
    const { after, ...progress } = await findProgress.onlyRow(database);
    return { ...progress, place: after, isDone };
  };

/** True if there are no more. */
async function rewriteNext(database: Database): Promise<boolean> {
  const progress = await findProgress.onlyRow(database);
  const rows = await listNext.rows(database, { after: progress.after });
  const rewritten = { after: progress.after, transcripts: 0, bytesBefore: 0, bytesAfter: 0 };
  let isChanged = false;
  for (const row of rows) {
    if (row.text !== null) {
      const { id, version, text } = row;
      const stored = await rewrite.row(database, { id, version, text, times: packTimes(text, row) });
      isChanged = stored === undefined;
      // It was changed meanwhile, so the next call begins with it.
      if (stored === undefined) break;
      rewritten.transcripts += 1;
      rewritten.bytesBefore += row.bytes;
      rewritten.bytesAfter += stored.bytes;
    }
    rewritten.after = row.id;
  }
  await noteProgress.run(database, {
    after: rewritten.after,
    transcripts: rewritten.transcripts,
    bytesBefore: rewritten.bytesBefore,
    bytesAfter: rewritten.bytesAfter,
  });
  return rows.length < atATime && !isChanged;
}
