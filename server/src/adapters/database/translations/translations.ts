import type {
  NewId,
  Translation,
  TranslationRequest,
  TranslationStart,
  TranslationState,
  Translations,
} from "../../../ports.ts";
import { isAnything, isBoolean, isListOf, isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { jsonOf, statement, transaction, type Column, type Database, type RowOf } from "../engine/statement.ts";
import { failureIn } from "../queue/transcription-states.ts";
import { originValues } from "../queue/transcriptions.ts";
import { isGap, isReel } from "../transcripts/transcript-row.ts";

type TranslatedSegment = Translation["segments"][number];

const isTrueOrAbsent: Column<true | undefined> = (value): value is true | undefined =>
  value === undefined || value === true;
const isTranslatedSegment: Column<TranslatedSegment> = isObjectOf<TranslatedSegment>({
  start: isNumber,
  end: isNumber,
  text: isText,
  isUnsure: isTrueOrAbsent,
});

const translationRow = {
  text: isText,
  segments: isListOf(isTranslatedSegment),
  gaps: isListOf(isGap),
  model: isText,
  revision: isNumber,
};

/** A reel that was transcribed again in another language has no translation any more. */
const ofTranscript = "join translation as r on r.transcript_id = t.id and r.source_language = t.language";

/**
 * A stored translation counts, unless it has no text and a newer recognizer may write one. The bytes of a file are there while it is
 * kept, and when it has just arrived.
 */
const findScript = statement(`
  select t.id, t.platform, t.media_id, t.reel, t.language, t.text <> '' as said,
    t.platform <> 'file' or exists (
      select from file as f
      where f.account_id = :accountId and f.media_id = t.media_id and (f.kept_until is not null or f.id = :fileId::text)
    ) as has_media,
    exists (
      select from translation as r
      where r.transcript_id = t.id and r.source_language = t.language and (r.text <> '' or r.revision >= :revision::integer)
    ) as translated,
    (
      select json_build_object('id', q.id, 'own', q.account_id = :accountId, 'translates', q.translates is not null)
      from transcription as q
      where q.platform = t.platform and q.media_id = t.media_id and q.owner is null and q.state in ('queued', 'running')
    ) as in_progress,
    (
      select q.failure from transcription as q where q.translates = t.id and q.state in ('done', 'failed')
      order by q.number desc limit 1
    ) as failure
  from script as s join transcript as t on t.id = s.transcript_id
  where s.account_id = :accountId and s.id = :scriptId`).reading({
  id: isNumber,
  platform: isText,
  mediaId: isText,
  reel: isReel,
  language: isText,
  said: isBoolean,
  hasMedia: isBoolean,
  translated: isBoolean,
  inProgress: orNull(isObjectOf({ id: isText, own: orNull(isBoolean), translates: isBoolean })),
  failure: isAnything,
});

const findTranslation = statement(`
  select r.text, r.segments, r.gaps, r.model, r.revision
  from script as s join transcript as t on t.id = s.transcript_id ${ofTranscript}
  where s.account_id = :accountId and s.id = :scriptId`).reading(translationRow);

const listTranslations = statement(`
  select s.id as script_id, r.text, r.segments, r.gaps, r.model, r.revision
  from script as s join transcript as t on t.id = s.transcript_id ${ofTranscript}
  where s.account_id = :accountId and s.id = any(:scriptIds::text[]) and r.text <> ''`).reading({
  scriptId: isText,
  ...translationRow,
});

const listTexts = statement(`
  select s.id as script_id, r.text
  from script as s join transcript as t on t.id = s.transcript_id ${ofTranscript}
  where s.account_id = :accountId and s.id = any(:scriptIds::text[]) and r.text <> ''`).reading({
  scriptId: isText,
  text: isText,
});

const noteWish = statement(`
  update transcription set translate_to = 'en'
  where id = :id and account_id = :accountId and state in ('queued', 'running') and translates is null`);

/** Nothing is held or charged, as for a transcript that may be replaced. */
const start = statement(`
  select answer, transcription_id from start_transcription_2(
    new_id => :id, asker => :accountId, reel_platform => :platform, reel_media_id => :mediaId,
    reel_shortcode => :shortcode, reel_url => :url, hint => :language, most_open => :queueLimit,
    most_waiting => :queueLimitPerAccount, moment => :now, replaced_transcript => :transcriptId,
    asking_request => :requestId, asking_span => :requestSpan)`).reading({
  answer: isOneOf("takenDown", "inProgress", "accountQueueFull", "queueFull", "started"),
  transcriptionId: orNull(isText),
});

const setTranslated = statement(`
  update transcription set retranscribes = null, translates = retranscribes, translate_to = 'en' where id = :id`);

const keepFile = statement(`
  update file set translation_id = :id
  where account_id = :accountId and media_id = :mediaId and (kept_until is not null or id = :fileId::text)`);

const store = statement(`
  with ended as (
    select id, translates, language_hint from end_transcription(
      ended_id => :id, of_attempt => :attempt::integer, moment => :now, reason => null, charged => false)
  ), stored as (
    insert into translation as r (
      transcript_id, language, source_language, text, segments, gaps, model, revision, created_at
    )
    select t.id, 'en', ended.language_hint, :text, :segments::json, :gaps::json, :model, :revision::integer, :now::timestamptz
    from ended join transcript as t on t.id = ended.translates
    on conflict (transcript_id, language) do update set
      source_language = excluded.source_language, text = excluded.text, segments = excluded.segments, gaps = excluded.gaps,
      model = excluded.model, revision = excluded.revision, created_at = excluded.created_at
  )
  select id from ended`);

export function createTranslations({ pool, signals }: Engine, newId: NewId): Translations {
  return {
    async find(accountId, scriptId, revision) {
      const script = await findScript.row(pool, { accountId, scriptId, revision, fileId: null });
      if (script === undefined) return undefined;
      const { language, hasMedia } = script;
      if (!script.translated) return { language, hasMedia, translation: unfinished(script) };
      const row = await findTranslation.row(pool, { accountId, scriptId });
      if (row === undefined) return { language, hasMedia, translation: { state: "none" } };
      return { language, hasMedia, translation: { state: "done", translation: toTranslation(row) } };
    },
    async list(accountId, scriptIds) {
      const rows = await listTranslations.rows(pool, { accountId, scriptIds });
      return new Map(rows.map((row) => [row.scriptId, toTranslation(row)]));
    },
    async texts(accountId, scriptIds) {
      const rows = scriptIds.length === 0 ? [] : await listTexts.rows(pool, { accountId, scriptIds });
      return new Map(rows.map(({ scriptId, text }) => [scriptId, text]));
    },
    wish: async (accountId, transcriptionId) => (await noteWish.run(pool, { id: transcriptionId, accountId })) > 0,
    async request(request) {
      const answer = await requestTranslation(pool, newId, request);
      if (answer.kind === "started") signals.announce("queued");
      return answer;
    },
    async complete({ transcriptionId, attempt }, { text, segments, gaps, model, revision }, now) {
      const stored = await store.run(pool, {
        id: transcriptionId,
        attempt,
        text,
        segments: jsonOf(segments),
        gaps: jsonOf(gaps),
        model,
        revision,
        now,
      });
      if (stored > 0) signals.announce("finished", transcriptionId);
      return stored > 0;
    },
  };
}

async function requestTranslation(
  pool: Database,
  newId: NewId,
  { accountId, scriptId, revision, fileId, queueLimit, queueLimitPerAccount, now, origin }: TranslationRequest,
): Promise<TranslationStart> {
  const script = await findScript.row(pool, { accountId, scriptId, revision, fileId: fileId ?? null });
  if (script === undefined || !script.said) return { kind: "noScript" };
  if (script.translated) return { kind: "done" };
  const { inProgress } = script;
  if (inProgress)
    return { kind: "inProgress", ...(inProgress.own && inProgress.translates && { transcriptionId: inProgress.id }) };
  if (!script.hasMedia) return { kind: "noMedia" };
  const { requestId, requestSpan } = originValues(origin);
  // Until the end nobody sees a transcription that would replace the transcript.
  const { answer, transcriptionId } = await transaction(pool, async (inside) => {
    const started = await start.onlyRow(inside, {
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
      language: script.language,
      requestId,
      requestSpan,
    });
    const { transcriptionId: id } = started;
    if (started.answer !== "started" || id === null) return started;
    await setTranslated.run(inside, { id });
    if (script.platform === "file")
      await keepFile.run(inside, { id, accountId, mediaId: script.mediaId, fileId: fileId ?? null });
    return started;
  });
  if (answer === "started" && transcriptionId !== null) return { kind: "started", transcriptionId };
  if (answer === "accountQueueFull" || answer === "queueFull") return { kind: answer };
  return { kind: answer === "takenDown" ? "noScript" : "inProgress" };
}

interface Unfinished {
  readonly inProgress: { readonly id: string; readonly own: boolean | null; readonly translates: boolean } | null;
  readonly failure: unknown;
}

function unfinished({ inProgress, failure }: Unfinished): TranslationState {
  if (inProgress?.translates) return { state: "inProgress", ...(inProgress.own && { transcriptionId: inProgress.id }) };
  return failure === null ? { state: "none" } : { state: "failed", failure: failureIn({ failure }) };
}

const toTranslation = ({ text, segments, gaps, model, revision }: RowOf<typeof translationRow>): Translation => ({
  text,
  segments,
  gaps,
  model,
  revision,
});
