import type {
  Allowance,
  CachedTranscript,
  NewId,
  ReelIdentity,
  SpanContext,
  TranscriptionOrigin,
  TranscriptionOutcome,
  TranscriptionRequest,
  Transcriptions,
} from "../../../ports.ts";
import { takenDown } from "../../../rules/refusals.ts";
import { isAnything, isBoolean, isBytes, isListOf, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { statement, type Column, type Database } from "../engine/statement.ts";
import { accountDeleted } from "../engine/unavailable.ts";
import { indexAddedScripts } from "../library/unindexed-scripts.ts";
import { refusalIn } from "../moderation/moderation.ts";
import { isSegment, spokenTextRow } from "../transcripts/transcript-row.ts";
import { readSegments } from "../transcripts/transcript-times.ts";
import { createClaims } from "./claims.ts";
import { createEnds } from "./end-transcription.ts";
import { createOwnTranscriptions } from "./find-own-transcription.ts";
import { failureIn, stateRow, toState, waitingForIn } from "./transcription-states.ts";

const takeCached = statement(`
  with entry as (
    select * from transcript
    where platform = :platform and media_id = :mediaId
      and (owner is null or :own::boolean and owner = :accountId::text)
    order by owner nulls last limit 1
  )
  select text, language, truncated, model,
    coalesce(
      (select id from script where account_id = :accountId and transcript_id = entry.id),
      add_script(:scriptId, :accountId::text, entry.id, :now, null)
    ) as script_id,
    coalesce((select used from allowance where account_id = :accountId and slot = :slot and period = :period), 0) as used,
    -- Scripts of before the statement.
    entry.times is not null
      and not exists (select from script where account_id = :accountId and transcript_id = entry.id) as is_added
  from entry`).reading({ ...spokenTextRow, scriptId: orNull(isText), used: isNumber, isAdded: isBoolean });

/** A cached transcript, which is now in the account's library too. */
async function takeCachedTranscript(
  on: Database,
  newId: NewId,
  reel: ReelIdentity,
  { subject, period }: Pick<Allowance, "subject" | "period">,
  now: Date,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): Promise<CachedTranscript | undefined> {
  const row = await takeCached.row(on, {
    platform: reel.platform,
    mediaId: reel.mediaId,
    own: isOwn,
    accountId: subject.accountId,
    slot: subject.slot,
    period,
    scriptId: newId("scr"),
    now,
  });
  if (row === undefined) return undefined;
  const { isAdded, ...transcript } = row;
  if (isAdded && transcript.scriptId !== null) await indexAddedScripts(on, [transcript.scriptId]);
  return transcript;
}

const isAnswer: Column<TranscriptionOutcome["kind"] | "takenDown"> = isOneOf(
  "takenDown",
  "cached",
  "inProgress",
  "limitReached",
  "refused",
  "accountQueueFull",
  "queueFull",
  "started",
);

const spanText = ({ traceId, spanId }: SpanContext): string => `${traceId}-${spanId}`;

/** The request that starts a transcription, as parameters. The span is the ids of trace and span with a dash between. */
export const originValues = (
  origin: TranscriptionOrigin | undefined,
): { readonly requestId: string | null; readonly requestSpan: string | null } => ({
  requestId: origin?.requestId ?? null,
  requestSpan: origin?.span ? spanText(origin.span) : null,
});

/**
 * One statement without a transaction, so that a process that freezes doesn't hold up others. The trigger
 * `transcription_allowed` refuses a reel that was taken down and a suspended account, and `follow_queue_at_start` counts the row
 * in `queue_account` and `queue_length`.
 */
const start = statement(`
  select answer, transcription_id, refused, units_used
  from start_transcription_2(
    new_id => :id, asker => :accountId, reel_platform => :platform, reel_media_id => :mediaId,
    reel_shortcode => :shortcode, reel_url => :url, hint => :languageHint, most_open => :queueLimit,
    most_waiting => :queueLimitPerAccount, moment => :now, asker_slot => :slot::smallint, asker_period => :period,
    most_units => :limit, refusal_model => :model, sent => :sentMediaId,
    asking_request => :requestId, asking_span => :requestSpan)`).reading({
  answer: isAnswer,
  transcriptionId: orNull(isText),
  refused: isAnything,
  unitsUsed: orNull(isNumber),
});

const setBatched = statement(`
  update transcription set is_batched = :isBatched::boolean
  where id = :id and is_batched <> :isBatched::boolean and state in ('queued', 'running')`);

/** `sentMediaId` names media that the account sent of the reel. */
export async function requestTranscription(
  { pool: database, signals }: Engine,
  newId: NewId,
  request: TranscriptionRequest & { readonly sentMediaId?: string | undefined },
): Promise<TranscriptionOutcome> {
  const { reel, allowance, now, sentMediaId = null, isBatched = false } = request;
  const { requestId, requestSpan } = originValues(request.origin);
  const values = {
    id: newId("trn"),
    accountId: allowance.subject.accountId,
    slot: allowance.subject.slot,
    period: allowance.period,
    limit: allowance.limit,
    platform: reel.platform,
    mediaId: reel.mediaId,
    shortcode: reel.shortcode,
    url: reel.url,
    languageHint: request.languageHint,
    model: request.model,
    queueLimit: request.queueLimit,
    queueLimitPerAccount: request.queueLimitPerAccount,
    now,
    sentMediaId,
    requestId,
    requestSpan,
  };
  const row = await start.onlyRow(database, values).catch((error: unknown) => {
    throw refusalIn(error);
  });
  switch (row.answer) {
    case "cached": {
      const transcript = await takeCachedTranscript(database, newId, reel, allowance, now, {
        isOwn: sentMediaId !== null,
      });
      if (!transcript) throw new Error("A cached transcript vanished");
      return { kind: "cached", transcript };
    }
    case "inProgress":
      if (row.transcriptionId !== null && !isBatched)
        await setBatched.run(database, { id: row.transcriptionId, isBatched });
      return { kind: "inProgress", ...(row.transcriptionId !== null && { transcriptionId: row.transcriptionId }) };
    case "takenDown":
      return { kind: "refused", failure: takenDown };
    case "refused":
      return { kind: "refused", failure: failureIn({ failure: row.refused }) };
    case "started":
      if (row.transcriptionId === null) throw new Error("A transcription was started without an id");
      if (isBatched) await setBatched.run(database, { id: row.transcriptionId, isBatched });
      signals.announce("queued");
      return { kind: "started", transcriptionId: row.transcriptionId, used: row.unitsUsed ?? 0 };
    case "limitReached":
    case "accountQueueFull":
    case "queueFull":
      return { kind: row.answer };
  }
}

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
const createCachedTexts = (database: Database): Pick<Transcriptions, "readText" | "readBeginning" | "isCached"> => ({
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

const findTranscription = statement(
  `select state, progress, ${waitingForIn("transcription")}, failure from transcription where id = :id`,
).reading(stateRow);

const expireLeases = statement("update transcription set lease_until = :now where state = 'running'");

const queueLength = statement("select sum(open) as length from queue_length").reading({
  length: orNull(isNumber),
});

export function createTranscriptions(engine: Engine, newId: NewId): Transcriptions {
  const { pool } = engine;
  return {
    takeCached: (reel, allowance, now, options) => takeCachedTranscript(pool, newId, reel, allowance, now, options),
    request: (request) => requestTranscription(engine, newId, request),
    async find(transcriptionId) {
      const row = await findTranscription.row(pool, { id: transcriptionId });
      return row && toState(row);
    },
    ...createOwnTranscriptions(pool),
    ...createCachedTexts(pool),
    ...createClaims(engine),
    ...createEnds(engine, newId),
    expireLeases: async (now) => void (await expireLeases.run(pool, { now })),
    queueLength: async () => (await queueLength.onlyRow(pool)).length ?? 0,
  };
}
