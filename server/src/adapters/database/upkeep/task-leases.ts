import type { TaskLeases } from "../../../ports.ts";
import { statement, type Database } from "../engine/statement.ts";

/** No lease lasts this long, so the clock of the process that took it was wrong. */
const unbelievableMilliseconds = 24 * 60 * 60 * 1_000;

const take = statement(`
  insert into task_lease as t (name, holder, lease_until) values (:task, :holder, :until)
  on conflict (name) do update set holder = :holder, lease_until = :until
  where t.holder = :holder or t.lease_until is null or t.lease_until <= :now or t.lease_until > :unbelievable`);

const end = statement(
  "update task_lease set holder = null, lease_until = :nextAt where name = :task and holder = :holder",
);

export const createTaskLeases = (database: Database): TaskLeases => ({
  async take(task, holder, until, now) {
    const unbelievable = new Date(now.getTime() + unbelievableMilliseconds);
    return (await take.run(database, { task, holder, until, now, unbelievable })) > 0;
  },
  async end(task, holder, nextAt) {
    await end.run(database, { task, holder, nextAt });
  },
});
