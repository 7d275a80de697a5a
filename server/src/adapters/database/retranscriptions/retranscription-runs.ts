import type { Claim, NewId, RetranscriptionRun, RetranscriptionRuns } from "../../../ports.ts";
import { recognizerKey } from "../../../recognition/recognizer-of.ts";
import { isBoolean, isMoment, isNumber, isOneOf, orNull, isText } from "../engine/columns.ts";
import { columnsOf, statement, transaction, type Database, type Queryable, type RowOf } from "../engine/statement.ts";
import { addressRow, claimRow } from "../queue/claims.ts";
import { isReel } from "../transcripts/transcript-row.ts";

/**
 * The columns of a transcript `t` that a retranscription needs. `reel` is read whole: PostgreSQL's JSON operators refuse some
 * captions.
 */
export const retranscribedColumns = "t.id, t.platform, t.media_id, t.reel, t.language, t.text <> '' as said";

export const retranscribedRow = {
  id: isNumber,
  platform: isText,
  mediaId: isText,
  reel: isReel,
  language: isText,
  said: isBoolean,
};

/** The language that was heard is the hint, so that only strong evidence changes it. */
export const hintOf = ({ said, language }: RowOf<typeof retranscribedRow>): string | null =>
  said && language !== "und" ? language : null;

/** Number of recognizer crashes after which a run skips a reel. */
const mostCrashes = 2;

/** The transcripts of a selection that a recognizer may improve, by the rule of `mayHearMore`. */
const retranscribable = `
  (:revision::integer is null or t.revision = :revision::integer) and t.revision <= :recognizerRevision::integer
  and not t.heard_by @> array[:recognizer::text] and t.owner is null`;

const countRetranscribable = statement(
  `select count(*) as total from transcript as t where ${retranscribable}`,
).reading({ total: isNumber });

const findRun = statement(`
  with last as (select * from retranscription_run order by id desc limit 1), reels as (
    select max(retranscription_outcome) as outcome, bool_or(state = 'running') as running
    from transcription where retranscription_run = (select id from last) group by retranscribes
  )
  select id, revision, recognizer_revision, state, total, started_at,
    (select count(*) from reels where outcome = 'replaced') as replaced,
    (select count(*) from reels where outcome <> 'replaced') as kept,
    (select count(*) from reels where outcome is null and not running) as failed
  from last`).reading({
  id: isNumber,
  revision: orNull(isNumber),
  recognizerRevision: isNumber,
  state: isOneOf("running", "stopped", "done"),
  total: isNumber,
  startedAt: isMoment,
  replaced: isNumber,
  kept: isNumber,
  failed: isNumber,
});

const startRun = statement(`
  insert into retranscription_run (revision, recognizer_revision, total, started_at)
  select :revision::integer, :recognizerRevision::integer, count(*), :now::timestamptz from transcript as t where ${retranscribable}`);

const lockRuns = statement("lock table retranscription_run in share row exclusive mode");

const changeRun = statement("update retranscription_run set state = :state where id = :id");

const lockRun = statement(`
  select id, revision, position, exists (select from transcription where state = 'queued') as waiting
  from retranscription_run where state = 'running' for update`).reading({
  id: isNumber,
  revision: orNull(isNumber),
  position: isNumber,
  waiting: isBoolean,
});

/** Runs every second, so it locks nothing. */
const anyRun = statement(
  "select 1 from retranscription_run where state = 'running' and recognizer_revision <= :revision",
);

const findNext = statement(`
  select ${retranscribedColumns} from transcript as t
  where t.id > :position and ${retranscribable}
    and not exists (
      select from transcription as q
      where q.platform = t.platform and q.media_id = t.media_id and q.owner is null and q.state in ('queued', 'running')
    )
    and not exists (
      select from transcription as q
      where q.retranscribes = t.id and q.retranscription_run = :runId
        and (q.state = 'done' or q.failure->>'code' <> 'internalError')
    )
    and (select count(*) from transcription as q where q.retranscribes = t.id and q.retranscription_run = :runId) < ${mostCrashes}
  order by t.id
  limit 1`).reading(retranscribedRow);

/** All numbers up to here have been checked, and none of them is being transcribed. */
const moveOn = statement(`
  update retranscription_run set position = greatest(position, least(:position, (
    select min(retranscribes) from transcription where retranscribes is not null and state in ('queued', 'running')
  )) - 1)
  where id = :id`);

const anyInHand = statement(
  "select 1 from transcription where retranscribes is not null and state in ('queued', 'running') limit 1",
);

/**
 * It has no tries left, so that no worker claims it from the queue. The trigger `transcription_allowed` refuses a reel that was
 * taken down, and `follow_queue_at_start` counts the row.
 */
const claimRetranscription = statement(`
  insert into transcription (id, retranscription_run, queued_at, state, attempt, tries_left, worker, lease_until,
    retranscribes, platform, media_id, shortcode, url, language_hint)
  values (:id, :runId, :now, 'running', 1, 0, :worker, :now::timestamptz + make_interval(secs => :leaseSeconds), :transcriptId, :platform, :mediaId, :shortcode, :url, :languageHint)
  on conflict do nothing
  returning id, platform, media_id, shortcode, url, language_hint`).reading(claimRow);

/** The trigger `follow_queue_at_removal` updates the counts of the queue. */
const giveBack = statement(`
  delete from transcription where id = :id and attempt = :attempt and state = 'running' and retranscription_run is not null`);

async function mustFind(on: Queryable): Promise<RetranscriptionRun> {
  const run = await findRun.row(on);
  if (run === undefined) throw new Error("A run of retranscriptions vanished");
  return run;
}

/** Runs of retranscriptions, which come after everything in the queue. */
export const createRetranscriptionRuns = (database: Database, newId: NewId): RetranscriptionRuns => ({
  find: () => findRun.row(database),
  async count({ revision }, recognizer) {
    const recognizerRevision = recognizer.revision;
    const values = { revision, recognizerRevision, recognizer: recognizerKey(recognizer) };
    return (await countRetranscribable.onlyRow(database, values)).total;
  },
  start: (selection, recognizer, now) =>
    transaction(database, async (inside) => {
      // Serializes concurrent starts.
      await lockRuns.run(inside);
      const last = await findRun.row(inside);
      if (last?.state === "running") return "running";
      const same = last?.revision === selection.revision && last.recognizerRevision === recognizer.revision;
      if (last?.state === "stopped" && same) await changeRun.run(inside, { id: last.id, state: "running" });
      else
        await startRun.run(inside, {
          revision: selection.revision,
          recognizerRevision: recognizer.revision,
          recognizer: recognizerKey(recognizer),
          now,
        });
      return mustFind(inside);
    }),
  stop: () =>
    transaction(database, async (inside) => {
      const last = await findRun.row(inside);
      if (last?.state !== "running") return undefined;
      await changeRun.run(inside, { id: last.id, state: "stopped" });
      return mustFind(inside);
    }),
  async claim(worker, leaseSeconds, recognizer, now) {
    if ((await anyRun.run(database, { revision: recognizer.revision })) === 0) return undefined;
    return transaction(database, async (inside): Promise<Claim | undefined> => {
      const run = await lockRun.row(inside);
      if (run === undefined || run.waiting) return undefined;
      const { id: runId, position } = run;
      const next = await findNext.row(inside, {
        revision: run.revision,
        recognizerRevision: recognizer.revision,
        recognizer: recognizerKey(recognizer),
        position,
        runId,
      });
      if (next === undefined) {
        if ((await anyInHand.run(inside)) === 0) await changeRun.run(inside, { id: runId, state: "done" });
        return undefined;
      }
      await moveOn.run(inside, { id: runId, position: next.id });
      const row = await claimRetranscription.row(inside, {
        id: newId("trn"),
        runId,
        now,
        worker,
        leaseSeconds,
        transcriptId: next.id,
        platform: next.platform,
        mediaId: next.mediaId,
        shortcode: next.reel.shortcode,
        url: next.reel.url,
        languageHint: hintOf(next),
      });
      return (
        row && {
          transcriptionId: row.id,
          attempt: 1,
          reel: columnsOf(row, addressRow),
          languageHint: row.languageHint,
          mayRetry: false,
          setbacks: 0,
          retranscribes: true,
        }
      );
    });
  },
  giveBack: async ({ transcriptionId, attempt }) =>
    (await giveBack.run(database, { id: transcriptionId, attempt })) > 0,
});
