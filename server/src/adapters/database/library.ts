import type { NewId, ReelIdentity, Transcript } from "../../ports.ts";
import { rowsOf, type Queryable, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import { toTranscript, transcriptColumns, type TranscriptRow } from "./transcript-row.ts";

const takeCached: Statement = {
  name: "take-cached",
  text: `
    with found as (
      select * from transcript where platform = $1 and media_id = $2
    ), added as (
      insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, tokens, handle)
      select $4, $3::text, found.id, $5, found.views, found.engagement_rate,
        found.tokens || array_to_tsvector(array['#' || $3::text]), found.handle
      from found
      where not exists (select from script where account_id = $3::text and transcript_id = found.id)
      on conflict (account_id, transcript_id) do nothing
    )
    select ${transcriptColumns("found")} from found`,
};

/** The cached transcript of a reel, which is now in the account's library too. */
export async function takeCachedTranscript(
  on: Queryable,
  newId: NewId,
  reel: ReelIdentity,
  accountId: string,
  now: Date,
): Promise<Transcript | undefined> {
  const [row] = await rowsOf<TranscriptRow>(on, takeCached, [
    storable(reel.platform),
    storable(reel.mediaId),
    accountId,
    newId("scr"),
    now,
  ]);
  return row && toTranscript(row);
}
