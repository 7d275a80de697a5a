import type { Objects, PeriodicTask, ExpiredData } from "../../../ports.ts";
import { newestBackupAt } from "../backups/backups.ts";
import { forgetRememberedUse } from "../accounts/remembered-use.ts";
import { forgetFormerHandles } from "../bio/bio-handles.ts";
import type { KeptRateLimits } from "../calls/rate-limits.ts";
import { backupDirectory, type EmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import type { DatabaseLog } from "../engine/engine.ts";
import { type Database, execute, statement, rowsOf } from "../engine/statement.ts";
import { packLibraries } from "../library/pack-libraries.ts";
import { forgetBioImages } from "../bio/bio-images.ts";
import { isText } from "../engine/columns.ts";

const everySeconds = 10 * 60;
const backupMilliseconds = 24 * 60 * 60 * 1_000;

interface Forgets {
  forget(now: Date): Promise<void>;
}

interface Kept {
  readonly pool: Database;
  readonly log: DatabaseLog;
  readonly objects: Objects | undefined;
  readonly rateLimits: KeptRateLimits;
  readonly bioEvents: Forgets;
  readonly billing: Forgets;
  readonly idempotentAnswers: Forgets;
  readonly sessions: Forgets;
  readonly signInAttempts: Forgets;
  readonly extensionCodes: Forgets;
  readonly oauthArtifacts: Forgets;
  readonly sentMedia: Forgets;
  readonly webhooks: Forgets;
  readonly workers: Forgets;
  /** Where the database is embedded. */
  readonly embedded: { readonly engine: EmbeddedEngine; readonly dataDirectory: string } | undefined;
}

/** What keeps the database small, fast and backed up. */
export function createUpkeep({ pool, log, objects, embedded, ...kept }: Kept): PeriodicTask[] {
  const once = (name: string, run: (now: Date) => Promise<void>, scope: PeriodicTask["scope"] = "service") => ({
    name,
    everySeconds,
    firstAfterSeconds: everySeconds,
    scope,
    run: (now: Date) => run(now).then(() => false),
  });
  return [
    // Each process knows of its own calls only, and what is idle is older than the latest of these.
    once("forget-idle-callers", () => kept.rateLimits.forgetIdle(), "process"),
    once("forget-bio-salts", (now) => kept.bioEvents.forget(now)),
    once("forget-billing-events", (now) => kept.billing.forget(now)),
    once("forget-idempotent-answers", (now) => kept.idempotentAnswers.forget(now)),
    once("forget-sessions", (now) => kept.sessions.forget(now)),
    once("forget-sign-in-attempts", (now) => kept.signInAttempts.forget(now)),
    once("forget-extension-codes", (now) => kept.extensionCodes.forget(now)),
    once("forget-oauth-artifacts", (now) => kept.oauthArtifacts.forget(now)),
    once("forget-sent-media", (now) => kept.sentMedia.forget(now)),
    once("forget-webhook-deliveries", (now) => kept.webhooks.forget(now)),
    once("forget-workers", (now) => kept.workers.forget(now)),
    once("forget-former-handles", (now) => forgetFormerHandles(pool, now)),
    once("forget-remembered-use", (now) => forgetRememberedUse(pool, now)),
    once("forget-idle-accounts", (now) => forgetIdleAccounts(pool, now)),
    ...(embedded ? embeddedUpkeep(embedded, log).map(([name, run]) => once(name, run)) : []),
    once("remove-objects", (now) => removeObjects(pool, objects, now)),
    packLibraries(pool),
  ];
}

const embeddedUpkeep = (
  { engine, dataDirectory }: NonNullable<Kept["embedded"]>,
  log: DatabaseLog,
): [string, (now: Date) => Promise<void>][] => [
  ["vacuum-database", () => engine.maintain()],
  [
    "back-up-database",
    async (now) => {
      const newest = await newestBackupAt(backupDirectory(dataDirectory));
      if (newest && now.getTime() - newest.getTime() < backupMilliseconds) return;
      log.info({ file: await engine.backUp(now) }, "Backed up the database");
    },
  ],
];

const batch = 500;

const forgetKeys = statement(`
  delete from api_key where id in (
    select id from api_key where revoked_at <= :now::timestamptz - interval '30 days' order by revoked_at limit ${batch}
    for update skip locked
  ) returning id`);

const forgetThumbnails = statement(`
  delete from thumbnail where (platform, media_id) in (
    select platform, media_id from thumbnail where made_at <= :now::timestamptz - interval '30 days'
    order by made_at limit ${batch} for update skip locked
  ) returning media_id`);

/** What is forgotten by its age, in batches that hold nobody up. */
export const createExpiredData = (database: Database): ExpiredData => ({
  async forget(now) {
    const forgotten = [
      await execute(database, forgetKeys, { now }),
      await execute(database, forgetThumbnails, { now }),
    ];
    return (await forgetBioImages(database, now)) || forgotten.includes(batch);
  },
});

const mostAtOnce = 500;
const failuresBeforeRest = 3;
const laterMilliseconds = 60 * 60 * 1_000;

const nextRemoved = statement(
  "select name from removed_object where not_before <= :now order by not_before limit :most",
).reading({ name: isText });

const forgetRemoved = statement("delete from removed_object where name = :name");

const putOff = statement("update removed_object set not_before = :later where name = :name");

/** Removes objects whose rows are gone. Names are never used again, so that any number of processes may do so at a time. */
async function removeObjects(database: Database, objects: Objects | undefined, now: Date): Promise<void> {
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

/** Longer than a last turn makes a difference. */
const keptMilliseconds = 60 * 60 * 1_000;

const forgetAccounts = statement(
  "delete from queue_account where waiting = 0 and running = 0 and last_served_at <= :before",
);

/** Removes accounts from the queue's turns that have nothing in it and had their last turn long ago. */
async function forgetIdleAccounts(database: Database, now: Date): Promise<void> {
  await execute(database, forgetAccounts, { before: new Date(now.getTime() - keptMilliseconds) });
}
