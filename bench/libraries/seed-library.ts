import { type EmbeddedEngine, openEmbeddedEngine } from "#server/adapters/database/engine/embedded/embedded-engine.ts";
import { openStore } from "#server/adapters/database/open-store.ts";
import { transcriptValues } from "#server/adapters/database/transcriptions/transcript-row.ts";
import { createApiKey, createNewId } from "#server/callers/api-key.ts";
import { reelAddress } from "#server/adapters/platforms/platform.ts";
import { standinPlatform } from "#server/adapters/platforms/platforms.ts";
import type { Account, NewTranscript, ReelAddress } from "#server/ports.ts";
import { numbers } from "../statistics.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const batch = 200;

/** What is stored of a transcript. */
export const transcriptColumns =
  `reel text segments language language_probability seconds speech_seconds truncated model
  created_at gaps words revision heard_by views engagement_rate tokens handle`.split(/\s+/u);

/** Their values, in the same order. */
export function columnValues(transcript: NewTranscript): unknown[] {
  const values: Record<string, unknown> = transcriptValues(transcript);
  return transcriptColumns.map((column) => values[column.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase())]);
}

/** Where the seeded reels are said to be; nobody asks there, because all are cached. */
export const seededPlatform = { origin: "http://127.0.0.1:9", mediaOrigin: "http://127.0.0.1:9" };

/**
 * Fills a new database with `transcripts` in the shared cache, `owned` of them in the library of the account whose key is
 * returned, the others in those of further accounts. Always the same rows, but for ids.
 */
export async function seedLibrary({
  dataDirectory,
  transcripts,
  owned,
}: {
  readonly dataDirectory: string;
  readonly transcripts: number;
  readonly owned: number;
}): Promise<{ key: string; urls: string[] }> {
  const newId = createNewId();
  const now = new Date();
  const store = await openStore({ dataDirectory, newId });
  const accounts: Account[] = [];
  for (let index = 0; index < 10; index += 1)
    accounts.push(await store.accounts.create({ email: "bench@example.com", plan: "creator", now }));
  const { key, hash, lastFour } = createApiKey();
  await store.keys.create({ accountId: accounts[0]!.id, name: "bench", hash, lastFour, now });
  await store.close();

  const engine = await openEmbeddedEngine(dataDirectory);
  try {
    const next = numbers(1);
    const platform = standinPlatform(seededPlatform);
    const urls: string[] = [];
    for (let from = 0; from < transcripts; from += batch) {
      await engine.pool.query("begin");
      for (let index = from; index < Math.min(from + batch, transcripts); index += 1) {
        const reel = reelAddress(platform, codeOf(index))!;
        const owner = accounts[index < owned ? 0 : 1 + (index % 9)]!;
        await insert(engine.pool, {
          reel,
          owner,
          scriptId: newId("scr"),
          transcript: transcriptOf(reel, index, next, now),
        });
        if (index < owned) urls.push(reel.url);
      }
      await engine.pool.query("commit");
    }
    await engine.maintain();
    return { key, urls };
  } finally {
    await engine.close();
  }
}

interface SeededScript {
  readonly reel: ReelAddress;
  readonly owner: Account;
  readonly scriptId: string;
  readonly transcript: NewTranscript;
}

async function insert(pool: EmbeddedEngine["pool"], { reel, owner, scriptId, transcript }: SeededScript) {
  const values = [scriptId, owner.id, reel.platform, reel.mediaId, ...columnValues(transcript)];
  await pool.query({
    name: "seed",
    text: `
      with stored as (
        insert into transcript (platform, media_id, ${transcriptColumns.join(", ")})
        values (${values
          .slice(2)
          .map((_, place) => `$${place + 3}`)
          .join(", ")})
        returning id, views, engagement_rate, handle, created_at
      )
      insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
      select $1, $2::text, id, created_at, views, engagement_rate, handle
      from stored`,
    values,
  });
}

export function transcriptOf(reel: ReelAddress, index: number, next: () => number, now: Date): NewTranscript {
  const text = sentence(next, 130);
  const segments = Array.from({ length: 12 }, (_, place) => ({
    start: place * 4,
    end: place * 4 + 4,
    text: text.slice(Math.floor((place * text.length) / 12), Math.floor(((place + 1) * text.length) / 12)),
  }));
  return {
    reel: {
      ...reel,
      caption: sentence(next, 20),
      author: { handle: `creator.${index % 40}`, displayName: `Creator ${index % 40}`, verified: false },
      thumbnail: null,
      dimensions: { width: 720, height: 1_280, aspectRatio: "9:16" },
      durationSeconds: 48,
      hasAudio: true,
      views: 100 + Math.floor(next() * 1_000_000),
      likes: Math.floor(next() * 100),
      comments: Math.floor(next() * 100),
      postedAt: now.toISOString(),
    },
    text,
    segments,
    language: "en",
    languageProbability: 0.98,
    seconds: 48,
    speechSeconds: 44,
    truncated: false,
    model: "whisper-base",
    revision: 2,
    gaps: [],
    words: timed(text),
    createdAt: now,
  };
}

/** Each word of `text` with its time, as a recognizer gives them: they join to the text. */
function timed(text: string): { text: string; start: number; end: number }[] {
  const words = text.split(/(?= )/u);
  return words.map((word, place) => ({
    text: word,
    start: (place * 44) / words.length,
    end: ((place + 0.9) * 44) / words.length,
  }));
}

/** Words as often as in texts: a few very often, most hardly ever. */
const sentence = (next: () => number, words: number): string =>
  Array.from({ length: words }, () => wordOf(Math.floor(4_000 ** next()) - 1)).join(" ");

/** `index` 0 to 3,999, spelled in syllables. */
export function wordOf(index: number): string {
  const syllables = ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "be", "du"];
  return Array.from(String(index + 1_000), (digit) => syllables[Number(digit)]).join("");
}

export function codeOf(index: number): string {
  let code = "";
  for (let rest = index, place = 0; place < 7; place += 1, rest = Math.floor(rest / 64))
    code = alphabet.charAt(rest % 64) + code;
  return `Csee${code}`;
}
