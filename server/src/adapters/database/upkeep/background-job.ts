import type { PeriodicTask } from "../../../ports.ts";
import { isText } from "../engine/columns.ts";
import { execute, rowOf, statement, type Database } from "../engine/statement.ts";

/** Work that takes long beside the service, a batch at a time, and continues where it stopped. */
export interface BackgroundJob {
  readonly name: string;
  /** What is done from this position on; a job whose version rises begins again. */
  readonly version: number;
  /** Does one batch. Returns where the next one begins, or undefined when nothing is left for now. */
  batch(database: Database, position: string): Promise<string | undefined>;
  /** Called when nothing is left after something was done. */
  readonly onDone?: (() => void) | undefined;
}

/** A process of an earlier release never sets a later version back. */
const findPosition = statement(
  "find-background-position",
  `
    insert into background_job as j (name, version) values (:name, :version)
    on conflict (name) do update set version = :version, position = case when j.version < :version then '' else j.position end
    where j.version <= :version
    returning position`,
  { position: isText },
);

const advance = statement(
  "advance-background-job",
  "update background_job set position = :next where name = :name and version = :version and position = :position",
);

export function backgroundTask(database: Database, job: BackgroundJob): PeriodicTask {
  let isBusy = false;
  return {
    name: job.name,
    everySeconds: 30,
    scope: "service",
    async run() {
      const { name, version } = job;
      const row = await rowOf(database, findPosition, { name, version });
      if (row === undefined) return false;
      const next = await job.batch(database, row.position);
      if (next === undefined) {
        if (isBusy) job.onDone?.();
        isBusy = false;
        return false;
      }
      isBusy = true;
      await execute(database, advance, { name, version, next, position: row.position });
      return true;
    },
  };
}
