import type { Workers } from "../../../ports.ts";
import { isBoolean, isMoment, isText } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { execute, rowsOf, statement } from "../engine/statement.ts";

const forgottenMilliseconds = 24 * 60 * 60 * 1_000;
/** Enough to know whether one of them is well. */
const mostFellows = 200;

const report = statement(
  "report-worker",
  `
    with reported as (
      insert into worker as w (name, seen_at, is_well) values (:name, :now, :isWell)
      on conflict (name) do update set seen_at = :now, is_well = :isWell
    )
    select name, seen_at, is_well from worker where name <> :name order by seen_at desc limit ${mostFellows}`,
  { name: isText, seen_at: isMoment, is_well: isBoolean },
);

const forget = statement("forget-workers", "delete from worker where seen_at < :before");

export interface KeptWorkers extends Workers {
  /** Forgets workers that have ended long ago. */
  forget(now: Date): Promise<void>;
}

export const createWorkers = ({
  kind,
  pool,
  urgentPool,
}: Pick<Engine, "kind" | "pool" | "urgentPool">): KeptWorkers => ({
  async report(name, isWell, now) {
    if (kind === "embedded") return [];
    const rows = await rowsOf(urgentPool, report, { name, isWell, now });
    return rows.map((row) => ({ name: row.name, isWell: row.is_well, seenAt: row.seen_at }));
  },
  async forget(now) {
    await execute(pool, forget, { before: new Date(now.getTime() - forgottenMilliseconds) });
  },
});
