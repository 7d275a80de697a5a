import { isText, orNull } from "../engine/columns.ts";

export const addressRow = { platform: isText, mediaId: isText, shortcode: isText, url: isText };

/** What a worker needs of a transcription that it claims. */
export const claimRow = { ...addressRow, id: isText, languageHint: orNull(isText) };
