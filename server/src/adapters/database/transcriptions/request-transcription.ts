import type { NewId, TranscriptionOutcome, TranscriptionRequest, Transcriptions } from "../../../ports.ts";
import { takenDown } from "../../../rules/refusals.ts";
import { isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { onlyRowOf, statement, type Column, type Database, type RowOf } from "../engine/statement.ts";
import { takeCachedTranscript } from "../library/take-cached-transcript.ts";
import { isFailure } from "./transcription-state.ts";

const isAnswer: Column<TranscriptionOutcome["kind"]> = isOneOf(
  "cached",
  "inProgress",
  "limitReached",
  "refused",
  "accountQueueFull",
  "queueFull",
  "started",
);

/** What both ways to start answer. */
export const startedRow = {
  answer: isAnswer,
  transcription_id: orNull(isText),
  refused: orNull(isFailure),
  units_used: orNull(isNumber),
};

/** One statement with the look for a takedown, because each way to the database costs a start as much as a fifth of the rest. */
const startTranscription = statement(
  "start-transcription",
  `
    select 'refused' as answer, null as transcription_id, :takenDown::json as refused, null as units_used
    where exists (select from takedown where platform = :platform and media_id = :mediaId)
    union all
    select answer, transcription_id, refused, units_used
    from start_transcription(:platform, :mediaId, :shortcode, :url, :languageHint, :accountId, :slot::smallint, :period,
      :limit::integer, :model, :queueLimit, :queueLimitPerAccount, :id, :now)
    where not exists (select from takedown where platform = :platform and media_id = :mediaId)`,
  startedRow,
);

/** What a statement takes that starts a transcription. */
export const valuesOf = (
  { reel, languageHint, allowance, model, queueLimit, queueLimitPerAccount, now }: TranscriptionRequest,
  newId: NewId,
) => ({
  platform: reel.platform,
  mediaId: reel.mediaId,
  shortcode: reel.shortcode,
  url: reel.url,
  languageHint,
  accountId: allowance.subject.accountId,
  slot: allowance.subject.slot,
  period: allowance.period,
  limit: allowance.limit,
  model,
  queueLimit,
  queueLimitPerAccount,
  id: newId("trn"),
  now,
});

/** One statement, and no transaction around it: whoever freezes in between holds up nobody. */
export const requestTranscription =
  (database: Database, newId: NewId): Transcriptions["request"] =>
  async (asked) =>
    startedBy(
      database,
      newId,
      asked,
      await onlyRowOf(database, startTranscription, {
        ...valuesOf(asked, newId),
        takenDown: JSON.stringify(takenDown),
      }),
    );

/** The answer in the words of the port; what is cached comes into the account's library. */
export async function startedBy(
  database: Database,
  newId: NewId,
  { reel, allowance, now }: TranscriptionRequest,
  row: RowOf<typeof startedRow>,
): Promise<TranscriptionOutcome> {
  switch (row.answer) {
    case "cached": {
      const transcript = await takeCachedTranscript(database, newId, reel, allowance, now);
      if (!transcript) throw new Error("A cached transcript vanished");
      return { kind: "cached", transcript };
    }
    case "inProgress":
      return { kind: "inProgress", ...(row.transcription_id !== null && { transcriptionId: row.transcription_id }) };
    case "refused":
      if (row.refused === null) throw new Error("A refusal without a failure");
      return { kind: "refused", failure: row.refused };
    case "started":
      if (row.transcription_id === null) throw new Error("A transcription was started without an id");
      return { kind: "started", transcriptionId: row.transcription_id, used: row.units_used ?? 0 };
    case "limitReached":
    case "accountQueueFull":
    case "queueFull":
      return { kind: row.answer };
  }
}
