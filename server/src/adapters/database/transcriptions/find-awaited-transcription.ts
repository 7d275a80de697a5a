import type { Transcriptions } from "../../../ports.ts";
import { isText } from "../engine/columns.ts";
import { rowOf, statement, type Queryable } from "../engine/statement.ts";

const findAwaited = statement(
  "find-awaited-transcription",
  `
    select id from transcription
    where account_id = :accountId and platform = :platform and media_id = :mediaId and repairs is null and (
      state in ('queued', 'running')
      or (finished_at > :since::timestamptz and finished_at - queued_at > make_interval(secs => :seconds::double precision))
    )
    order by number desc limit 1`,
  { id: isText },
);

export const findAwaitedTranscription =
  (on: Queryable): Transcriptions["findAwaited"] =>
  async ({ platform, mediaId }, accountId, awaited) =>
    (await rowOf(on, findAwaited, { platform, mediaId, accountId, ...awaited }))?.id;
