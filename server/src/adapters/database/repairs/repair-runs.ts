import type { Claim, NewId, RecognizerVersion, RepairRun, Repairs, RepairSelection } from "../../../ports.ts";
import { recognizerKey } from "../../../recognition/recognizer-key.ts";
import { isBoolean, isMoment, isNumber, isOneOf, orNull } from "../engine/columns.ts";
import { execute, onlyRowOf, rowOf, statement, type Database, type Queryable } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";
import { claimRow, reelOf } from "../transcriptions/claim-row.ts";
import { repairedColumns, repairedRow, repairedValues } from "./repaired-reel.ts";

/** Crashes of the recognizer after which a run leaves a reel alone. */
const mostCrashes = 2;

/** The transcripts of a selection that a recognizer may improve; as `mayHearMore` says. */
const repairable = `
  case when :revision::integer is null then t.revision is null or t.revision <= :recognizerRevision::integer
    else coalesce(t.revision, 0) = :revision::integer and coalesce(t.revision, 0) <= :recognizerRevision::integer end
  and not t.heard_by @> array[:recognizer::text] and t.owner is null`;

const countRepairable = statement(
  "count-repairable",
  `select count(*) as total from transcript as t where ${repairable}`,
  { total: isNumber },
);

const findRun = statement(
  "find-repair-run",
  `
    with last as (select * from repair_run order by id desc limit 1), reels as (
      select max(repair_outcome) as outcome, bool_or(state = 'running') as running
      from transcription where repair_run = (select id from last) group by repairs
    )
    select id, revision, recognizer_revision, state, total, started_at,
      (select count(*) from reels where outcome = 'replaced') as replaced,
      (select count(*) from reels where outcome <> 'replaced') as kept,
      (select count(*) from reels where outcome is null and not running) as failed
    from last`,
  {
    id: isNumber,
    revision: orNull(isNumber),
    recognizer_revision: isNumber,
    state: isOneOf("running", "stopped", "done"),
    total: isNumber,
    started_at: isMoment,
    replaced: isNumber,
    kept: isNumber,
    failed: isNumber,
  },
);

const startRun = statement(
  "start-repair-run",
  `
    insert into repair_run (revision, recognizer_revision, total, started_at)
    select :revision::integer, :recognizerRevision::integer, count(*), :now::timestamptz from transcript as t where ${repairable}`,
);

const lockRuns = statement("lock-repair-runs", "lock table repair_run in share row exclusive mode");

const changeRun = statement("change-repair-run", "update repair_run set state = :state where id = :id");

const lockRun = statement(
  "lock-repair-run",
  `
    select id, revision, position, exists (select from transcription where state = 'queued') as waiting
    from repair_run where state = 'running' for update`,
  { id: isNumber, revision: orNull(isNumber), position: isNumber, waiting: isBoolean },
);

/** Asked every second, so it locks nothing. */
const anyRun = statement(
  "any-repair-run",
  "select 1 from repair_run where state = 'running' and recognizer_revision <= :revision",
);

const findNext = statement(
  "find-next-repair",
  `
    select ${repairedColumns} from transcript as t
    where t.id > :position and ${repairable}
      and not exists (
        select from transcription as q
        where q.platform = t.platform and q.media_id = t.media_id and q.state in ('queued', 'running')
      )
      and not exists (
        select from transcription as q
        where q.repairs = t.id and q.repair_run = :runId
          and (q.state = 'done' or q.failure->>'code' <> 'internalError')
      )
      and (select count(*) from transcription as q where q.repairs = t.id and q.repair_run = :runId) < ${mostCrashes}
    order by t.id
    limit 1`,
  { ...repairedRow },
);

/** Everything up to here was looked at, and nothing of it is in hand. */
const moveOn = statement(
  "move-repair-run-on",
  `
    update repair_run set position = greatest(position, least(:position, (
      select min(repairs) from transcription where repairs is not null and state in ('queued', 'running')
    )) - 1)
    where id = :id`,
);

const anyInHand = statement(
  "any-repair-in-hand",
  "select 1 from transcription where repairs is not null and state in ('queued', 'running') limit 1",
);

/** Without tries left: no worker claims it as something that waits. */
const claimRepair = statement(
  "claim-repair",
  `
    insert into transcription (id, repair_run, queued_at, state, attempt, tries_left, worker, lease_until,
      repairs, platform, media_id, shortcode, url, language_hint)
    values (:id, :runId, :now, 'running', 1, 0, :worker, :now::timestamptz + make_interval(secs => :leaseSeconds), :transcriptId, :platform, :mediaId, :shortcode, :url, :languageHint)
    on conflict do nothing
    returning id, platform, media_id, shortcode, url, language_hint`,
  { ...claimRow },
);

const giveBack = statement(
  "give-repair-back",
  `
    delete from transcription where id = :id and attempt = :attempt and state = 'running' and repair_run is not null
    returning id`,
);

const repairableBy = ({ revision }: RepairSelection, recognizer: RecognizerVersion) => ({
  revision,
  recognizerRevision: recognizer.revision,
  recognizer: recognizerKey(recognizer),
});

async function find(on: Queryable): Promise<(RepairRun & { readonly recognizerRevision: number }) | undefined> {
  const row = await rowOf(on, findRun);
  if (row === undefined) return undefined;
  const { started_at: startedAt, recognizer_revision: recognizerRevision, ...run } = row;
  return { ...run, startedAt, recognizerRevision };
}

async function mustFind(on: Queryable): Promise<RepairRun> {
  const run = await find(on);
  if (run === undefined) throw new Error("A run of repairs vanished");
  return run;
}

/** Runs of repairs, which follow everything that waits. */
export const createRepairRuns = (database: Database, newId: NewId): Omit<Repairs, "request" | "takeOutcome"> => ({
  find: () => find(database),
  count: async (selection, recognizer) =>
    (await onlyRowOf(database, countRepairable, repairableBy(selection, recognizer))).total,
  start: (selection, recognizer, now) =>
    transaction(database, async (inside) => {
      // Two who start at once follow one another.
      await execute(inside, lockRuns);
      const last = await find(inside);
      if (last?.state === "running") return "running";
      const same = last?.revision === selection.revision && last.recognizerRevision === recognizer.revision;
      if (last?.state === "stopped" && same) await execute(inside, changeRun, { id: last.id, state: "running" });
      else await execute(inside, startRun, { ...repairableBy(selection, recognizer), now });
      return mustFind(inside);
    }),
  stop: () =>
    transaction(database, async (inside) => {
      const last = await find(inside);
      if (last?.state !== "running") return undefined;
      await execute(inside, changeRun, { id: last.id, state: "stopped" });
      return mustFind(inside);
    }),
  async claim(worker, leaseSeconds, recognizer, now) {
    if ((await execute(database, anyRun, { revision: recognizer.revision })) === 0) return undefined;
    return transaction(database, async (inside): Promise<Claim | undefined> => {
      const run = await rowOf(inside, lockRun);
      if (run === undefined || run.waiting) return undefined;
      const { id: runId, position } = run;
      const next = await rowOf(inside, findNext, { ...repairableBy(run, recognizer), position, runId });
      if (next === undefined) {
        if ((await execute(inside, anyInHand)) === 0) await execute(inside, changeRun, { id: runId, state: "done" });
        return undefined;
      }
      await execute(inside, moveOn, { id: runId, position: next.id });
      const claim = { id: newId("trn"), runId, now, worker, leaseSeconds, ...repairedValues(next) };
      const row = await rowOf(inside, claimRepair, claim);
      return (
        row && {
          transcriptionId: row.id,
          attempt: 1,
          reel: reelOf(row),
          languageHint: row.language_hint,
          mayRetry: false,
          setbacks: 0,
          repairs: true,
        }
      );
    });
  },
  giveBack: async ({ transcriptionId, attempt }) =>
    (await execute(database, giveBack, { id: transcriptionId, attempt })) > 0,
});
