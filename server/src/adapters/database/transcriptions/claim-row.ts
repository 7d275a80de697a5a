import type { ReelAddress } from "../../../ports.ts";
import { isText, orNull } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";

/** What a worker needs of a transcription that it claims. */
export const claimRow = {
  id: isText,
  platform: isText,
  media_id: isText,
  shortcode: isText,
  url: isText,
  language_hint: orNull(isText),
};

export const reelOf = (row: RowOf<typeof claimRow>): ReelAddress => ({
  platform: row.platform,
  mediaId: row.media_id,
  shortcode: row.shortcode,
  url: row.url,
});
