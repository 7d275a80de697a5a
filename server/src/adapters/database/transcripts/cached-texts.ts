import type { Transcriptions } from "../../../ports.ts";
import { isBoolean, isBytes, isListOf, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { accountDeleted } from "../engine/unavailable.ts";
import { readSegments } from "./transcript-times.ts";
import { isSegment, spokenTextRow } from "./transcript-row.ts";

const readText = statement(`
  select text, language, truncated, model, exists (select from account where id = :accountId) as for_account,
    (select id from script where account_id = :accountId and transcript_id = transcript.id) as script_id
  from transcript
  where platform = :platform and media_id = :mediaId and (owner is null or owner = :accountId)
  order by owner nulls last limit 1`).reading({ ...spokenTextRow, forAccount: isBoolean, scriptId: orNull(isText) });

const isCached = statement(
  "select 1 from transcript where platform = :platform and media_id = :mediaId and owner is null",
);

const mostFirstLines = 50;
const mostFirstCharacters = 400;

const readBeginning = statement(`
  select handle, language, text, seconds, segments, times
  from transcript where platform = :platform and media_id = :mediaId and owner is null`).reading({
  handle: orNull(isText),
  language: isText,
  text: isText,
  seconds: isNumber,
  segments: isListOf(isSegment),
  times: orNull(isBytes),
});

/** Reads transcripts of the shared cache, and changes nothing. */
export const createCachedTexts = (
  database: Database,
): Pick<Transcriptions, "readText" | "readBeginning" | "isCached"> => ({
  async readText(reel, accountId) {
    const row = await readText.row(database, { platform: reel.platform, mediaId: reel.mediaId, accountId });
    if (row?.forAccount === false) throw accountDeleted();
    return row;
  },
  async readBeginning({ platform, mediaId }, before) {
    const row = await readBeginning.row(database, { platform, mediaId });
    if (row === undefined) return undefined;
    const { handle, language, text, seconds } = row;
    const first = readSegments(row).filter(({ start }) => start < before);
    return {
      handle,
      language,
      text: Array.from(text).slice(0, mostFirstCharacters).join(""),
      seconds,
      segments: first.slice(0, mostFirstLines),
    };
  },
  isCached: async (reel) => (await isCached.run(database, reel)) > 0,
});
