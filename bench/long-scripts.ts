import type { NewTranscript } from "#server/ports.ts";
import { addScript, type Connection, transcriptOf } from "./fill-libraries.ts";

const characters = 96_000;

/** Adds a script of 96,000 characters to an account's library. Returns its id. */
export const addLongScript = (connection: Connection, accountId: string): Promise<string> =>
  addScript(connection, accountId, longTranscript());

/** Gives accounts the script many times, under the transcripts of as many reels. */
export async function copyScript(
  connection: Connection,
  scriptId: string,
  accounts: readonly { readonly id: string; readonly scripts: number }[],
): Promise<void> {
  await connection.query(
    `insert into transcript (platform, media_id, reel, text, segments, language, language_probability, seconds, speech_seconds,
       truncated, model, created_at, gaps, words, revision, heard_by, views, engagement_rate, tokens, handle)
     select 'standin', 'copy' || nth, reel, text, segments, language, language_probability, seconds, speech_seconds,
       truncated, model, t.created_at, gaps, words, revision, heard_by, t.views, t.engagement_rate, t.tokens, t.handle
     from script as s join transcript as t on t.id = s.transcript_id, generate_series(1, $2::integer) as nth
     where s.id = $1`,
    [scriptId, Math.max(...accounts.map(({ scripts }) => scripts))],
  );
  for (const [index, { id, scripts }] of accounts.entries())
    await connection.query(
      `insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
       select 'scr_copy' || $2::text || lpad(id::text, 12, '0'), $1::text, id, created_at + id * interval '1 second',
         views, engagement_rate, handle
       from transcript where media_id like 'copy%' order by id limit $3`,
      [id, String(index), scripts],
    );
}

/** A segment for each sentence, and the time of every word. */
function longTranscript(): NewTranscript {
  const sentence = "The dough rests for an hour, then we shape it. ";
  const text = sentence
    .repeat(Math.ceil(characters / sentence.length))
    .slice(0, characters)
    .trimEnd();
  const sentences = text.split(/(?<=\.) /u);
  return {
    ...transcriptOf(1, text),
    segments: sentences.map((one, index) => ({
      start: (index * 44) / sentences.length,
      end: ((index + 0.9) * 44) / sentences.length,
      text: index === 0 ? one : ` ${one}`,
    })),
  };
}
