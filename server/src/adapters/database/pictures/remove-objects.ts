import type { Objects } from "../../../ports.ts";
import { isText } from "../engine/columns.ts";
import { execute, rowsOf, statement, type Database } from "../engine/statement.ts";

const mostAtOnce = 500;
const failuresBeforeRest = 3;
const laterMilliseconds = 60 * 60 * 1_000;

const nextRemoved = statement(
  "next-removed-objects",
  "select name from removed_object where not_before <= :now order by not_before limit :most",
  { name: isText },
);

const forgetRemoved = statement("forget-removed-object", "delete from removed_object where name = :name");

const putOff = statement("put-off-removed-object", "update removed_object set not_before = :later where name = :name");

/** Removes objects whose rows are gone. Names are never used again, so that any number of processes may do so at a time. */
export async function removeObjects(database: Database, objects: Objects | undefined, now: Date): Promise<void> {
  if (objects === undefined) return;
  const later = new Date(now.getTime() + laterMilliseconds);
  let failures = 0;
  for (const { name } of await rowsOf(database, nextRemoved, { now, most: mostAtOnce })) {
    if (failures >= failuresBeforeRest) return;
    const isGone = await objects.remove(name).then(
      () => true,
      () => false,
    );
    if (!isGone) failures += 1;
    await (isGone ? execute(database, forgetRemoved, { name }) : execute(database, putOff, { name, later }));
  }
}
