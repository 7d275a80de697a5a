import { openEmbeddedEngine } from "../../server/dist/adapters/database/engine/embedded/embedded-engine.js";
import { openStore } from "../../server/dist/adapters/database/open-store.js";
import { transcriptValues } from "../../server/dist/adapters/database/transcriptions/transcript-row.js";
import { createApiKey, createNewId } from "../../server/dist/callers/api-key.js";
import { reelAddress } from "../../server/dist/adapters/platforms/platform.js";
import { standinPlatform } from "../../server/dist/adapters/platforms/platforms.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const batch = 200;

/** What is stored of a transcript. */
export const transcriptColumns =
  `reel text segments language language_probability seconds speech_seconds truncated model
  created_at gaps words revision heard_by views engagement_rate token_version tokens handle`.split(/\s+/u);

/** Their values, in the same order. */
export function columnValues(transcript) {
  const values = transcriptValues(transcript);
  return transcriptColumns.map((column) => values[column.replaceAll(/_[a-z]/g, ([, letter]) => letter.toUpperCase())]);
}

/** Where the seeded reels are said to be; nobody asks there, because all are cached. */
export const seededPlatform = { origin: "http://127.0.0.1:9", mediaOrigin: "http://127.0.0.1:9" };

/**
 * Fills a new database with `transcripts` in the shared cache, `owned` of them in the library of the account whose key is
 * returned, the others in those of further accounts. Always the same rows, but for ids.
 */
export async function seedLibrary({ dataDirectory, transcripts, owned }) {
  const newId = createNewId();
  const now = new Date();
  const store = await openStore({ dataDirectory, newId });
  const accounts = [];
  for (let index = 0; index < 10; index += 1)
    accounts.push(await store.accounts.create({ email: "bench@example.com", plan: "creator", now }));
  const { key, hash, lastFour } = createApiKey();
  await store.keys.create({ accountId: accounts[0].id, name: "bench", hash, lastFour, now });
  await store.close();

  const engine = await openEmbeddedEngine(dataDirectory);
  try {
    const next = numbers(1);
    const platform = standinPlatform(seededPlatform);
    const urls = [];
    for (let from = 0; from < transcripts; from += batch) {
      await engine.pool.query("begin");
      for (let index = from; index < Math.min(from + batch, transcripts); index += 1) {
        const reel = reelAddress(platform, codeOf(index));
        const owner = index < owned ? accounts[0] : accounts[1 + (index % 9)];
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

async function insert(pool, { reel, owner, scriptId, transcript }) {
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
        returning id, views, engagement_rate, tokens, handle, created_at
      )
      insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, tokens, handle)
      select $1, $2::text, id, created_at, views, engagement_rate, tokens || array_to_tsvector(array['#' || $2::text]), handle
      from stored`,
    values,
  });
}

export function transcriptOf(reel, index, next, now) {
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
      author: {
        id: String(index % 40),
        handle: `creator.${index % 40}`,
        fullName: `Creator ${index % 40}`,
        verified: false,
      },
      thumbnailUrl: null,
      seconds: 48,
      width: 720,
      height: 1_280,
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
function timed(text) {
  const words = text.split(/(?= )/u);
  return words.map((word, place) => ({
    text: word,
    start: (place * 44) / words.length,
    end: ((place + 0.9) * 44) / words.length,
  }));
}

/** Words as often as in texts: a few very often, most hardly ever. */
const sentence = (next, words) =>
  Array.from({ length: words }, () => wordOf(Math.floor(4_000 ** next()) - 1)).join(" ");

/** `index` 0 to 3,999, spelled in syllables. */
export function wordOf(index) {
  const syllables = ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "be", "du"];
  return Array.from(String(index + 1_000), (digit) => syllables[Number(digit)]).join("");
}

export function codeOf(index) {
  let code = "";
  for (let rest = index, place = 0; place < 7; place += 1, rest = Math.floor(rest / 64))
    code = alphabet[rest % 64] + code;
  return `Csee${code}`;
}

/** Numbers from 0 to 1, the same each time (xorshift of 32 bits). */
export function numbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
