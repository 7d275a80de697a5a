import type pg from "pg";
import { engagementRate } from "@reelscript/contract";
import { codeOfInstagramId } from "@reelscript/contract/values";
import { indexOf, speechValues } from "#server/adapters/database/transcripts/transcript-row.ts";
import type { NewTranscript } from "#server/ports.ts";
import { nowhere } from "./processes/start-service.ts";
import { numbers } from "./statistics.ts";

/** A connection, to a server's database or the embedded one, that stays the same. */
export type Connection = Pick<pg.Client, "query">;
/** Ids, by how many scripts the account has. */
export type AccountsBySize = ReadonlyMap<number, readonly string[]>;

/** Different texts at most; a million rows repeat them, so that the database can generate the rows itself. */
const mostTexts = 5_000;
const batch = 100;
/** Numbers to sort by, different in every row. */
const spread: Readonly<Record<string, string>> = {
  views: "(random() * 1000000)::bigint",
  engagement_rate: "random() * 20",
};
/** Libraries of typical sizes. */
const smallSizes = [9, 30, 90, 300, 1_000];
/** Codes of eleven characters begin here. */
const firstMediaId = 3_000_000_000_000_000_000n;

/** Stored columns of a transcript. */
const columns = `reel text segments language language_probability seconds speech_seconds truncated model
  created_at gaps words times revision heard_by views engagement_rate tokens handle`.split(/\s+/u);

/** The address of a reel; those below the number of transcripts are cached. */
export const reelUrl = (position: number): string => urlOf(String(firstMediaId + BigInt(position)));

const urlOf = (mediaId: string): string => `${nowhere.page}/reel/${codeOfInstagramId(mediaId)}/`;

/** The addresses of some reels in a library. */
export async function reelsOf(connection: Connection, accountId: string, count: number): Promise<string[]> {
  const { rows } = await connection.query<{ media_id: string }>(
    "select media_id from script join transcript on transcript.id = transcript_id where account_id = $1 limit $2",
    [accountId, count],
  );
  return rows.map(({ media_id: mediaId }) => urlOf(mediaId));
}

/**
 * Fills a new database with `transcripts`, each in one library: one of `largest` scripts, the others usually of 9 to 1,000, all
 * mixed as if they had been added over years. The role must be a superuser, because only a superuser may turn off the checks of
 * foreign keys. The rows are always the same, except for ids.
 */
export async function fillLibraries(
  connection: Connection,
  {
    transcripts,
    largest,
    others = smallSizes,
  }: {
    readonly transcripts: number;
    readonly largest: number;
    /** Sizes of the other libraries, repeated until the transcripts are used up. */
    readonly others?: readonly number[];
  },
): Promise<AccountsBySize> {
  await connection.query("set session_replication_role = replica; set synchronous_commit = off");
  await connection.query("set statement_timeout = 0; set work_mem = '256MB'; set maintenance_work_mem = '512MB'");
  const texts = Math.min(mostTexts, transcripts);
  await makeTexts(connection, texts);
  const indexes = await dropIndexes(connection);
  await makeRows(connection, { transcripts, texts }, [largest, ...others]);
  for (const { definition } of indexes) await connection.query(definition);
  await connection.query("drop table seed_text; drop table seed_owner");
  await connection.query("vacuum analyze");
  await connection.query("reset all");
  return await accountsBySize(connection, largest, others);
}

async function makeTexts(connection: Connection, texts: number): Promise<void> {
  await connection.query(
    `create unlogged table seed_text as
     select 0 as position, ${columns.join(", ")}, tokens as searchable from transcript limit 0`,
  );
  // Compressed values stay so in the tables into which they are copied, and the service's own aren't compressed.
  await connection.query("alter table seed_text alter column searchable set storage external");
  const next = numbers(1);
  for (let from = 0; from < texts; from += batch) {
    const rows = Array.from({ length: Math.min(batch, texts - from) }, (_, at) => {
      const transcript = transcriptOf(from + at, sentence(next, 130));
      return [from + at, ...columnValues(transcript, true), indexOf(transcript.reel, transcript)];
    });
    const rowPlaceholders = rows.map(
      (row, index) => `(${row.map((_, column) => `$${index * row.length + column + 1}`).join(", ")})`,
    );
    await connection.query(`insert into seed_text values ${rowPlaceholders.join(", ")}`, rows.flat());
  }
}

/** Their values, in the order of the columns. */
function columnValues(transcript: NewTranscript, compact: boolean): unknown[] {
  const { reel, createdAt } = transcript;
  const values: Record<string, unknown> = {
    ...speechValues(transcript, { compact }),
    createdAt,
    reel: JSON.stringify(reel),
    views: reel.views,
    engagementRate: engagementRate(reel),
    // Compact transcripts leave them to the libraries.
    tokens: compact ? "" : indexOf(reel, transcript),
    handle: reel.author.handle,
  };
  return columns.map((column) => values[column.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase())]);
}

export function transcriptOf(position: number, text: string): NewTranscript {
  const url = reelUrl(position);
  return {
    reel: {
      platform: "standin",
      mediaId: String(position),
      shortcode: url.split("/").at(-2)!,
      url,
      caption: `Caption ${position}`,
      author: { handle: `creator.${position % 40}`, displayName: `Creator ${position % 40}`, verified: false },
      thumbnail: null,
      dimensions: { width: 720, height: 1_280, aspectRatio: "9:16" },
      durationSeconds: 48,
      hasAudio: true,
      views: 1_000 + position,
      likes: position % 100,
      comments: position % 50,
      postedAt: new Date().toISOString(),
    },
    text,
    segments: [{ start: 0, end: 48, text }],
    language: "en",
    languageProbability: 0.98,
    seconds: 48,
    speechSeconds: 44,
    truncated: false,
    model: "whisper-base",
    revision: 2,
    gaps: [],
    words: timed(text, position),
    createdAt: new Date(),
  };
}

/** Each word of `text` with its time and probability, in a recognizer's format: they join to the text. */
function timed(text: string, position: number): { text: string; start: number; end: number; probability: number }[] {
  const next = numbers(position + 1);
  let moment = 0.3;
  return text.split(/(?= )/u).map((word) => {
    const start = moment + (next() < 0.3 ? 0.02 * Math.floor(next() * 15) : 0);
    moment = start + 0.06 + 0.02 * Math.floor(next() * 20);
    return { text: word, start, end: moment, probability: 1 - 0.6 * next() ** 3 };
  });
}

/** Words with the frequencies of real texts: a few very often, most hardly ever. */
export const sentence = (next: () => number, words: number): string =>
  Array.from({ length: words }, () => wordOf(Math.floor(4_000 ** next()) - 1)).join(" ");

/** `index` 0 to 3,999, spelled in syllables. */
export function wordOf(index: number): string {
  const syllables = ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "be", "du"];
  return Array.from(String(index + 1_000), (digit) => syllables[Number(digit)]).join("");
}

/** Indexes that only find rows are rebuilt after all rows are in, which takes a tenth of the time. */
async function dropIndexes(connection: Connection): Promise<{ name: string; definition: string }[]> {
  const { rows } = await connection.query<{ name: string; definition: string }>(`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = 'public' and i.tablename in ('transcript', 'script', 'searchable_script')
      and not exists (select from pg_constraint where conname = i.indexname)`);
  for (const { name } of rows) await connection.query(`drop index ${name}`);
  return rows;
}

async function makeRows(
  connection: Connection,
  { transcripts, texts }: { readonly transcripts: number; readonly texts: number },
  [largest = 0, ...others]: readonly number[],
): Promise<void> {
  const sizes = [largest];
  let left = transcripts - largest;
  for (let position = 0; left > 0; position += 1) {
    const size = Math.min(others[position % others.length]!, left);
    sizes.push(size);
    left -= size;
  }
  await connection.query(
    `insert into account (id, email, plan, created_at)
     select 'acc_seed' || lpad(position::text, 12, '0'), 'bench@example.com', 'creator', now()
     from generate_series(1, $1::integer) as position`,
    [sizes.length],
  );
  await connection.query(
    `create unlogged table seed_owner as
     select row_number() over (order by hashint8extended(owner * 1000003 + nth, 7)) - 1 as position, owner
     from unnest($1::integer[]) with ordinality as library (size, owner), generate_series(1, size) as nth`,
    [sizes],
  );
  await connection.query("select setseed(0.5)");
  await connection.query(
    `insert into transcript (platform, media_id, ${columns.join(", ")})
     select 'standin', (${firstMediaId} + o.position)::text, ${columns.map((column) => spread[column] ?? column).join(", ")}
     from seed_owner o join seed_text t on t.position = (o.position * 7919) % $1 order by o.position`,
    [texts],
  );
  await connection.query(
    `insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
     select 'scr_seed' || lpad(o.position::text, 12, '0'), 'acc_seed' || lpad(o.owner::text, 12, '0'), t.id,
       t.created_at + o.position * interval '1 second', t.views, t.engagement_rate, t.handle
     from seed_owner o join transcript t on t.platform = 'standin' and t.media_id = (${firstMediaId} + o.position)::text
     order by o.position`,
  );
  await connection.query(
    `insert into account_content (account_id, scripts, changes)
     select account_id, count(*), 1 from script group by account_id`,
  );
  // Periodic work leaves the same order: libraries from 500 scripts on are together, the others are mixed.
  for (const [packed, size, order] of [
    [false, "c.scripts < 500", "s.number"],
    [true, "c.scripts >= 500", "c.number, s.number"],
  ])
    await connection.query(
      `insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
       select s.number, c.number, s.added_at, s.views, s.engagement_rate, ${packed}, seed_text.searchable
       from script s join account_content c on c.account_id = s.account_id join transcript t on t.id = s.transcript_id
         join seed_text on seed_text.position = (t.media_id::numeric - ${firstMediaId}) * 7919 % ${texts}
       where ${size} order by ${order}`,
    );
}

export async function accountsBySize(
  connection: Connection,
  largest: number,
  others: readonly number[] = smallSizes,
): Promise<AccountsBySize> {
  const { rows } = await connection.query<{ account_id: string; scripts: number }>(
    "select account_id, count(*)::integer as scripts from script group by account_id",
  );
  const bySize = new Map<number, string[]>([largest, ...others].map((size) => [size, []]));
  for (const { account_id: accountId, scripts } of rows) bySize.get(scripts)?.push(accountId);
  return bySize;
}

/** Adds a script to an account's library in a database in use. Returns its id. */
export async function addScript(connection: Connection, accountId: string, transcript: NewTranscript): Promise<string> {
  const { mediaId } = transcript.reel;
  const values = [
    `scr_own${mediaId.padStart(13, "0")}`,
    accountId,
    `own${mediaId}`,
    ...columnValues(transcript, false),
  ];
  const { rows } = await connection.query<{ id: string }>(
    `with stored as (
       insert into transcript (platform, media_id, ${columns.join(", ")})
       values ('standin', ${values
         .slice(2)
         .map((_, position) => `$${position + 3}`)
         .join(", ")})
       returning id, views, engagement_rate, handle, created_at)
     insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
     select $1, $2::text, id, created_at, views, engagement_rate, handle from stored returning id`,
    values,
  );
  return rows[0]!.id;
}
