import type { OperatorFigures } from "../../../ports.ts";
import { isBoolean, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { isEmbedded } from "../engine/embedded/embedded-engine.ts";
import type { Engine } from "../engine/engine.ts";
import { statement } from "../engine/statement.ts";
import { migrations } from "../migrations/migrations.ts";
import { oldestReleaseOn } from "../migrations/releases.ts";
import { readWorkFigures } from "../queue/workers.ts";

const mostOutages = 20;
const mostWorkers = 50;
const mostTasks = 100;

/** There are at most twice as many of these rows as the queue may have. */
const listOutages = statement(`
  select coalesce(waiting_for, 'platform') as waiting_for, platform, count(*)::integer as reels, min(away_since) as since
  from transcription
  where state = 'queued' and away_since is not null
  group by 1, 2 order by since limit ${mostOutages}`).reading({
  waitingFor: isOneOf("platform", "recognizer", "storage"),
  platform: isText,
  reels: isNumber,
  since: isMoment,
});

const listWorkers = statement(`
  select name, seen_at, is_well from worker
  where seen_at > :now::timestamptz - interval '1 day'
  order by seen_at desc limit ${mostWorkers}`).reading({ name: isText, seenAt: isMoment, isWell: isBoolean });

const listTasks = statement(`
  select name, holder is not null as is_held, lease_until as until from task_lease
  where lease_until is not null order by name limit ${mostTasks}`).reading({
  name: isText,
  isHeld: isBoolean,
  until: isMoment,
});

const describeDatabase = statement(`
  select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`).reading({
  version: isText,
  bytes: isNumber,
});

const listMigrations = statement(
  "select name, coalesce(additive, false) as is_additive, applied_at from migration order by number",
).reading({ name: isText, isAdditive: isBoolean, appliedAt: isMoment });

const readBackupMark = statement("select max(at) as at from backup_mark").reading({ at: orNull(isMoment) });

export function createOperatorFigures(engine: Engine): OperatorFigures {
  const { kind, pool, urgentPool } = engine;
  return {
    work: () => readWorkFigures(urgentPool),
    outages: () => listOutages.rows(pool),
    workers: (now) => listWorkers.rows(pool, { now }),
    tasks: () => listTasks.rows(pool),
    database: async () => ({ kind, ...(await describeDatabase.onlyRow(pool)) }),
    async tables() {
      const applied = await listMigrations.rows(pool);
      const { name, appliedAt } = applied.at(-1)!; // safe: every open database has the first
      return {
        newest: { name, appliedAt },
        pending: migrations.slice(applied.length).map((migration) => migration.name),
        newer: applied.slice(migrations.length).map((migration) => migration.name),
        oldestRelease: oldestReleaseOn(applied),
      };
    },
    async lastBackupAt() {
      const marked = (await readBackupMark.onlyRow(pool)).at ?? undefined;
      const written = isEmbedded(engine) ? await engine.newestBackupAt() : undefined;
      return [marked, written].reduce((last, at) =>
        at !== undefined && (last === undefined || at > last) ? at : last,
      );
    },
  };
}
