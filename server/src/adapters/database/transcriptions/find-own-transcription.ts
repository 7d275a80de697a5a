import type { StoredTranscription } from "../../../ports.ts";
import { isOwnReel } from "../../../rules/own-platform.ts";
import { isMoment, isObjectOf, isText, orNull } from "../engine/columns.ts";
import { rowOf, statement, type Queryable, type RowOf } from "../engine/statement.ts";
import { isRepairOutcome } from "../repairs/repaired-reel.ts";
import { toTranscript, transcriptColumns, transcriptRow } from "./transcript-row.ts";
import { stateRow, waiting } from "./transcription-state.ts";

const findOwn = statement(
  "find-own-transcription",
  `
    select asked.platform, asked.url, asked.state, asked.progress, asked.waits, asked.failure, asked.queued_at, asked.finished_at, asked.repair_outcome,
      (select id from script where account_id = asked.account_id and transcript_id = made.id) as script_id,
      ${transcriptColumns("made")}
    from transcription as asked
    left join lateral (
      -- What was sent is replaced by what everybody has.
      select * from transcript
      where asked.state = 'done' and media_id = asked.media_id
        and platform in (asked.platform, split_part(asked.platform, '~', 1))
      order by owner nulls last
      limit 1
    ) as made on true
    where asked.id = :id and asked.account_id = :accountId`,
  {
    platform: isText,
    url: isText,
    ...stateRow,
    queued_at: isMoment,
    finished_at: orNull(isMoment),
    repair_outcome: orNull(isRepairOutcome),
    script_id: orNull(isText),
  },
);

/** Joined only when the transcription is done. */
const isMade = isObjectOf<RowOf<typeof transcriptRow>>(transcriptRow);

/** A transcription that the account asked for, with the transcript when it is done. */
export async function findOwnTranscription(
  on: Queryable,
  accountId: string,
  transcriptionId: string,
): Promise<StoredTranscription | undefined> {
  const row = await rowOf(on, findOwn, { id: transcriptionId, accountId });
  if (row === undefined) return undefined;
  const { url, state, progress, failure, queued_at: queuedAt, finished_at: finishedAt } = row;
  const asked = { id: transcriptionId, reelUrl: url, queuedAt };
  if (state === "queued" || state === "running") return { ...asked, state, progress, ...waiting(row) };
  if (finishedAt === null) throw new Error(`transcription ${transcriptionId} is ${state}, but never finished`);
  if (state === "done") {
    // It went with its script.
    if (!isMade(row) && isOwnReel(row)) return undefined;
    if (!isMade(row)) throw new Error(`transcription ${transcriptionId} is done, but its transcript isn't there`);
    const outcome = row.repair_outcome;
    return {
      ...asked,
      state,
      finishedAt,
      transcript: toTranscript(row),
      scriptId: row.script_id,
      ...(outcome !== null && { outcome }),
    };
  }
  if (failure === null) throw new Error(`transcription ${transcriptionId} failed without a failure`);
  return { ...asked, state, finishedAt, failure };
}
