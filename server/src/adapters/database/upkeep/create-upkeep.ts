import type { Objects, PeriodicTask } from "../../../ports.ts";
import { newestBackupAt } from "../backups/backups.ts";
import { forgetRememberedUse } from "../accounts/remembered-use.ts";
import { forgetFormerHandles } from "../bio/keep-former-handle.ts";
import type { KeptRateLimits } from "../calls/rate-limits.ts";
import { backupDirectory, type EmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import type { DatabaseLog } from "../engine/engine.ts";
import type { Database } from "../engine/statement.ts";
import { countLibraries, fillShelves, packShelves } from "../library/fill-shelves.ts";
import { indexAnew } from "../library/index-anew.ts";
import { reindexCorrections } from "../library/reindex-corrections.ts";
import { removeObjects } from "../pictures/remove-objects.ts";
import { forgetIdleTurns } from "../transcriptions/forget-idle-turns.ts";
import { backgroundTask } from "./background-job.ts";

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
    once("forget-sent-media", (now) => kept.sentMedia.forget(now)),
    once("forget-webhook-deliveries", (now) => kept.webhooks.forget(now)),
    once("forget-workers", (now) => kept.workers.forget(now)),
    once("forget-former-handles", (now) => forgetFormerHandles(pool, now)),
    once("forget-remembered-use", (now) => forgetRememberedUse(pool, now)),
    once("forget-idle-turns", (now) => forgetIdleTurns(pool, now)),
    ...(embedded ? embeddedUpkeep(embedded, log).map(([name, run]) => once(name, run)) : []),
    once("remove-objects", (now) => removeObjects(pool, objects, now)),
    ...[indexAnew(log), reindexCorrections(), countLibraries, fillShelves, packShelves].map((job) =>
      backgroundTask(pool, job),
    ),
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
