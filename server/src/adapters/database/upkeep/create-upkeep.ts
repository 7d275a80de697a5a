import type { Objects, PeriodicTask } from "../../../ports.ts";
import { isEmbedded } from "../engine/embedded/embedded-engine.ts";
import type { DatabaseLog, Engine } from "../engine/engine.ts";
import { statement, type Database } from "../engine/statement.ts";
import { packLibraries } from "../library/pack-libraries.ts";
import { renewSearchTokens } from "../library/renew-search-tokens.ts";
import { isText } from "../engine/columns.ts";
import { fewestOfMore, outdated } from "./outdated.ts";

const everySeconds = 10 * 60;
const backupMilliseconds = 24 * 60 * 60 * 1_000;

/** Creates the tasks that keep the database small, fast and backed up. */
export function createUpkeep(engine: Engine, log: DatabaseLog, objects: Objects | undefined): PeriodicTask[] {
  const { pool } = engine;
  const task = (name: string, run: (now: Date) => Promise<boolean | void>): PeriodicTask => ({
    name,
    everySeconds,
    firstAfterSeconds: everySeconds,
    scope: "service",
    run: async (now) => (await run(now)) === true,
  });
  const forgetting = Object.entries(outdated).map(([name, statements]) =>
    task(name, async (now) => {
      let more = false;
      for (const each of statements) if ((await each.run(pool, { now })) >= fewestOfMore) more = true;
      return more;
    }),
  );
  const removing = task("remove-objects", (now) => removeObjects(pool, objects, now));
  if (!isEmbedded(engine)) return [...forgetting, removing, packLibraries(pool), renewSearchTokens(pool)];

  const backingUp = task("back-up-database", async (now) => {
    const newest = await engine.newestBackupAt();
    if (newest && now.getTime() - newest.getTime() < backupMilliseconds) return;
    log.info({ file: await engine.backUp(now) }, "Backed up the database");
  });
  const vacuuming = task("vacuum-database", () => engine.maintain());
  return [...forgetting, vacuuming, backingUp, removing, packLibraries(pool), renewSearchTokens(pool)];
}

const mostAtOnce = 500;
const failuresBeforeRest = 3;
const laterMilliseconds = 60 * 60 * 1_000;

const nextRemoved = statement(
  "select name from removed_object where not_before <= :now order by not_before limit :most",
).reading({ name: isText });

const forgetRemoved = statement("delete from removed_object where name = :name");

const putOff = statement("update removed_object set not_before = :later where name = :name");

/**
 * Removes objects whose rows are gone, and returns whether there may be more. Names are never used again, so that any number
 * of processes may do so at a time.
 */
async function removeObjects(database: Database, objects: Objects | undefined, now: Date): Promise<boolean> {
  if (objects === undefined) return false;
  const later = new Date(now.getTime() + laterMilliseconds);
  let failures = 0;
  const removed = await nextRemoved.rows(database, { now, most: mostAtOnce });
  for (const { name } of removed) {
    if (failures >= failuresBeforeRest) return false;
    const isGone = await objects.remove(name).then(
      () => true,
      () => false,
    );
    if (!isGone) failures += 1;
    await (isGone ? forgetRemoved.run(database, { name }) : putOff.run(database, { name, later }));
  }
  return removed.length === mostAtOnce;
}
