import type { NewId, RetranscriptionRequest, RetranscriptionStart, Retranscriptions } from "../../../ports.ts";
import { mayHearMore } from "../../../recognition/recognizer-of.ts";
import type { Engine } from "../engine/engine.ts";
import { isBoolean, isListOf, isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import { retranscribedColumns, retranscribedRow, hintOf, createRetranscriptionRuns } from "./retranscription-runs.ts";
import { statement } from "../engine/statement.ts";
import { isRetranscriptionOutcome } from "../queue/transcription-states.ts";
import { originValues } from "../queue/transcriptions.ts";

const lookAtScript = statement(`
  select ${retranscribedColumns}, t.revision, t.heard_by, t.owner is not null as sent,
    (
      select json_build_object('id', id, 'own', account_id = :accountId and translates is null)
      from transcription
      where platform = t.platform and media_id = t.media_id and owner is null and state in ('queued', 'running')
    ) as in_progress,
    (
      select json_build_object('id', id, 'outcome', retranscription_outcome)
      from transcription
      where retranscribes = t.id and account_id = :accountId and state = 'done' and not retranscription_answered
      order by number desc
      limit 1
    ) as unanswered
  from script as s join transcript as t on t.id = s.transcript_id
  where s.account_id = :accountId and s.id = :scriptId`).reading({
  ...retranscribedRow,
  revision: isNumber,
  heardBy: isListOf(isText),
  sent: isBoolean,
  inProgress: orNull(isObjectOf({ id: isText, own: orNull(isBoolean) })),
  unanswered: orNull(isObjectOf({ id: isText, outcome: isRetranscriptionOutcome })),
});

/** Nothing is held or charged, so allowances and remembered refusals don't matter. */
const startRetranscription = statement(`
  select answer, transcription_id from start_transcription_2(
    new_id => :id, asker => :accountId, reel_platform => :platform, reel_media_id => :mediaId,
    reel_shortcode => :shortcode, reel_url => :url, hint => :languageHint, most_open => :queueLimit,
    most_waiting => :queueLimitPerAccount, moment => :now, replaced_transcript => :transcriptId,
    asking_request => :requestId, asking_span => :requestSpan)`).reading({
  answer: isOneOf("takenDown", "inProgress", "accountQueueFull", "queueFull", "started"),
  transcriptionId: orNull(isText),
});

const takeOutcome = statement(`
  update transcription set retranscription_answered = true where id = :id and retranscription_outcome is not null
  returning retranscription_outcome`).reading({ retranscriptionOutcome: isRetranscriptionOutcome });

export function createRetranscriptions({ pool, signals }: Engine, newId: NewId): Retranscriptions {
  async function request({
    accountId,
    scriptId,
    recognizer,
    queueLimit,
    queueLimitPerAccount,
    now,
    origin,
  }: RetranscriptionRequest): Promise<RetranscriptionStart> {
    const script = await lookAtScript.row(pool, { accountId, scriptId });
    if (script === undefined) return { kind: "noScript" };
    const { inProgress, unanswered } = script;
    // The media are gone. Transcribing the reel by its link fetches it again for free.
    if (script.sent) return { kind: "current" };
    if (inProgress) return { kind: "inProgress", ...(inProgress.own && { transcriptionId: inProgress.id }) };
    if (!mayHearMore(recognizer, { revision: script.revision, heardBy: script.heardBy }))
      return unanswered
        ? { kind: "finished", transcriptionId: unanswered.id, outcome: unanswered.outcome }
        : { kind: "current" };
    const { requestId, requestSpan } = originValues(origin);
    const { answer, transcriptionId } = await startRetranscription.onlyRow(pool, {
      id: newId("trn"),
      accountId,
      queueLimit,
      queueLimitPerAccount,
      now,
      transcriptId: script.id,
      platform: script.platform,
      mediaId: script.mediaId,
      shortcode: script.reel.shortcode,
      url: script.reel.url,
      languageHint: hintOf(script),
      requestId,
      requestSpan,
    });
    if (answer === "started" && transcriptionId !== null) return { kind: "started", transcriptionId };
    if (answer === "inProgress") return { kind: "inProgress", ...(transcriptionId !== null && { transcriptionId }) };
    if (answer === "accountQueueFull" || answer === "queueFull") return { kind: answer };
    return { kind: "noScript" };
  }
  return {
    ...createRetranscriptionRuns(pool, newId),
    async request(retranscription) {
      const answer = await request(retranscription);
      if (answer.kind === "started") signals.announce("queued");
      return answer;
    },
    takeOutcome: async (transcriptionId) =>
      (await takeOutcome.row(pool, { id: transcriptionId }))?.retranscriptionOutcome,
  };
}
