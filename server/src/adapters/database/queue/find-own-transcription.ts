import type { ListedTranscription, OwnTranscriptions } from "../../../ports.ts";
import { isAnything, isBoolean, isMoment, isNumber, isObjectOf, isText, orNull } from "../engine/columns.ts";
import { statement, type Database, type RowOf } from "../engine/statement.ts";
import { storedTranscriptRow, toTranscript, transcriptColumns } from "../transcripts/transcript-row.ts";
import {
  failureIn,
  isRetranscriptionOutcome,
  stateIn,
  stateRow,
  waiting,
  waitingForIn,
} from "./transcription-states.ts";

const listedRow = {
  translates: isBoolean,
  number: isNumber,
  id: isText,
  url: isText,
  ...stateRow,
  queuedAt: isMoment,
  finishedAt: orNull(isMoment),
  scriptId: orNull(isText),
};
const listedColumns = `t.translates is not null as translates, t.number, t.id, t.url, t.state, t.progress, ${waitingForIn("t")}, t.failure,
  t.queued_at, t.finished_at`;

/** Joined only when the transcription is done. */
const isMade = isObjectOf(storedTranscriptRow);
const uncheckedTranscriptColumns = Object.fromEntries(
  Object.keys(storedTranscriptRow).map((name) => [name, isAnything]),
);

const findOwn = statement(`
  select ${listedColumns}, t.owner is not null as sent, t.retranscription_outcome,
    (select id from script where account_id = t.account_id and transcript_id = result.id) as script_id,
    ${transcriptColumns("result")}
  from transcription as t
  left join lateral (
    -- The shared transcript replaces that of media which the account sent.
    select * from transcript
    where t.state = 'done' and media_id = t.media_id and platform = t.platform
      and case when t.translates is null then owner is null or owner = t.owner else id = t.translates end
    order by owner nulls last
    limit 1
  ) as result on true
  where t.id = :id and t.account_id = :accountId`).reading({
  ...uncheckedTranscriptColumns,
  ...listedRow,
  sent: isBoolean,
  retranscriptionOutcome: orNull(isRetranscriptionOutcome),
});

const listOwn = statement(`
  select ${listedColumns},
    (
      select s.id from transcript join script as s on s.transcript_id = transcript.id
      where t.state = 'done' and s.account_id = t.account_id and transcript.media_id = t.media_id
        and transcript.platform = t.platform
        and (transcript.owner is null or transcript.owner = t.owner or transcript.id = t.translates)
      limit 1
    ) as script_id
  from transcription as t
  where t.account_id = :accountId and t.queued_at > :since
    and (:state::text is null or t.state = :state)
    and (:queuedAt::timestamptz is null or (t.queued_at, t.number) < (:queuedAt, :number::bigint))
  order by t.queued_at desc, t.number desc limit :limit::integer + 1`).reading(listedRow);

function toListed(row: RowOf<typeof listedRow>): ListedTranscription {
  const { id, url: reelUrl, queuedAt, finishedAt } = row;
  const request = { id, reelUrl, queuedAt, ...(row.translates && { translates: true as const }) };
  const { progress } = row;
  const state = stateIn(row);
  if (state === "queued" || state === "running") return { ...request, state, progress, ...waiting(row) };
  if (finishedAt === null) throw new Error(`transcription ${id} is ${state}, but never finished`);
  if (state === "done") return { ...request, state, finishedAt, scriptId: row.scriptId };
  return { ...request, state, finishedAt, failure: failureIn(row) };
}

const findAwaited = statement(`
  select id from transcription
  where account_id = :accountId and platform = :platform and media_id = :mediaId and retranscribes is null and (
    state in ('queued', 'running')
    or (finished_at > :since::timestamptz and finished_at - queued_at > make_interval(secs => :seconds::double precision))
  )
  order by number desc limit 1`).reading({ id: isText });

const findUsualSeconds = statement(`
  select avg(extract(epoch from finished_at - queued_at))::double precision as seconds from (
    select finished_at, queued_at from transcription where state = 'done' order by number desc limit 20
  ) as latest`).reading({ seconds: orNull(isNumber) });

/** The transcriptions that accounts requested. */
export const createOwnTranscriptions = (database: Database): OwnTranscriptions => ({
  usualSeconds: async () => (await findUsualSeconds.onlyRow(database)).seconds ?? undefined,
  findAwaited: async ({ platform, mediaId }, accountId, { seconds, since }) =>
    (await findAwaited.row(database, { platform, mediaId, accountId, seconds, since }))?.id,
  async findOwn(accountId, transcriptionId) {
    const row = await findOwn.row(database, { id: transcriptionId, accountId });
    if (row === undefined) return undefined;
    const transcription = toListed(row);
    if (transcription.state !== "done") return transcription;
    // The transcript of sent media was deleted with its script.
    if (!isMade(row) && row.sent) return undefined;
    if (!isMade(row)) throw new Error(`transcription ${transcriptionId} is done, but its transcript isn't there`);
    const outcome = row.retranscriptionOutcome;
    return { ...transcription, transcript: toTranscript(row), ...(outcome !== null && { outcome }) };
  },
  async listOwn(accountId, { since, state = null, limit, after }) {
    const queuedAt = after ? new Date(after.sortedBy ?? 0) : null;
    const values = { accountId, since, state, limit, queuedAt, number: after?.number ?? null };
    const rows = await listOwn.rows(database, values);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      transcriptions: page.map(toListed),
      ...(last && rows.length > limit && { next: { sortedBy: last.queuedAt.getTime(), number: last.number } }),
    };
  },
});
