import type { PoolClient } from "pg";
import type { ReelDetails } from "../../ports.ts";
import { searchIndexOf } from "./search-index.ts";
import { tokenVersion } from "../../search-tokens.ts";

const batch = 100;

interface StaleRow {
  id: number;
  text: string;
  reel: ReelDetails;
}

/** Makes the tokens of texts anew that were made by other rules. The caller keeps other processes out. Returns how many. */
export async function indexAnew(client: PoolClient, version: number = tokenVersion): Promise<number> {
  let total = 0;
  for (;;) {
    const stale = await client.query<StaleRow>(
      `select id, text, reel from transcript
       where token_version < $1 or token_version > $1 limit $2`,
      [version, batch],
    );
    for (const row of stale.rows) {
      const tokens = searchIndexOf({ caption: row.reel.caption, transcript: row.text, handle: row.reel.author.handle });
      await client.query(
        `with renewed as (
           update transcript set tokens = $2::tsvector, token_version = $3 where id = $1 returning id, tokens
         )
         update script set tokens = renewed.tokens || array_to_tsvector(array['#' || script.account_id])
         from renewed where script.transcript_id = renewed.id`,
        [row.id, tokens, version],
      );
    }
    total += stale.rows.length;
    if (stale.rows.length < batch) return total;
  }
}
