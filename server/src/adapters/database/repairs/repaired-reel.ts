import type { RepairOutcome } from "../../../ports.ts";
import { isBoolean, isNumber, isOneOf, isText } from "../engine/columns.ts";
import type { Column, RowOf } from "../engine/statement.ts";
import { isReel } from "../transcriptions/reel-columns.ts";

export const isRepairOutcome: Column<RepairOutcome> = isOneOf(
  "replaced",
  "empty",
  "shorterAudio",
  "notFewerGaps",
  "fewerWords",
);

/** What is read of a transcript `t` to hear its reel again. A reel is read whole: its caption may be none that the database can look into. */
export const repairedColumns = "t.id, t.platform, t.media_id, t.reel, t.language, t.text <> '' as said";

export const repairedRow = {
  id: isNumber,
  platform: isText,
  media_id: isText,
  reel: isReel,
  language: isText,
  said: isBoolean,
};

/** As a transcription has it. The language that was heard is the hint, so that only strong evidence changes it. */
export const repairedValues = (row: RowOf<typeof repairedRow>) => ({
  transcriptId: row.id,
  platform: row.platform,
  mediaId: row.media_id,
  shortcode: row.reel.shortcode,
  url: row.reel.url,
  languageHint: row.said && row.language !== "und" ? row.language : null,
});
