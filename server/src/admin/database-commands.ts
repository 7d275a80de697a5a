import * as z from "zod";
import { DirectoryInUse } from "../adapters/database/engine/embedded/directory-lock.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable, field, localCommand } from "./command.ts";

interface Migrated {
  /** Names of the migrations that were applied, or would be. */
  readonly migrations: readonly string[];
  readonly dryRun: boolean;
}

interface Moved {
  /** Number of rows that arrived, per table. */
  readonly rows: Readonly<Record<string, number>>;
}

const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be like postgres://user:password@host/name",
});

/** The operator's commands on the database as a whole. */
export const databaseCommands = [
  localCommand({
    words: "migrate",
    summary: "Create the tables or bring them up to date, as a start of the service does",
    fields: {
      "dry-run": field(undefined, "Only list what would be done", z.literal("true").optional()),
    },
    example: "migrate --dry-run",
    async run({ "dry-run": dryRun }, { config, say }): Promise<Migrated> {
      // Loaded on demand, because loading the database takes longer than most commands.
      const { missingMigrations, openEngine } = await import("../adapters/database/open-engine.ts");
      const { databaseUrl, serverLimits, dataDirectory } = config;
      const options = {
        databaseUrl,
        serverLimits,
        dataDirectory,
        lockPatience: { patience: { ending: 0, silent: 0 } },
      };
      const log = { info: () => undefined, warn: (_details: object, message: string) => say(message) };
      try {
        const migrations = await missingMigrations(options, log);
        if (dryRun === undefined && migrations.length > 0) await (await openEngine(options, log)).close();
        return { migrations, dryRun: dryRun !== undefined };
      } catch (error) {
        if (!(error instanceof DirectoryInUse)) throw error;
        throw new AdminError(
          "refused",
          `${error.message} A service that runs has brought its tables up to date.`,
          error,
        );
      }
    },
    text({ migrations, dryRun }) {
      if (migrations.length === 0) return "The tables are up to date.";
      const title = dryRun ? "To be done:" : "Done:";
      return [title, ...migrations.map((name) => `  ${name}`)].join("\n");
    },
  }),
  localCommand({
    words: "database move",
    summary: "Move everything to a PostgreSQL server while the service is stopped; continues an interrupted move",
    fields: {
      to: field(
        "url",
        "The server's database, empty, such as postgres://user:password@host/reelscript",
        postgresAddress,
      ),
    },
    example: "database move --to postgres://reelscript:secret@db.example/reelscript",
    async run({ to }, { databaseUrl, dataDirectory, say }): Promise<Moved> {
      const { moveToServer } = await import("../adapters/database/move/move-to-server.ts");
      const log = { info: () => undefined, warn: (_details: object, message: string) => say(message) };
      const onTable = (name: string, rows: number): void => say(`${name}: ${rows}`);
      try {
        return { rows: await moveToServer({ databaseUrl, dataDirectory, to, onTable }, log) };
      } catch (error) {
        if (error instanceof DirectoryInUse) throw new AdminError("refused", error.message, error);
        throw error;
      }
    },
    text: ({ rows }) =>
      [
        alignedTable(
          ["TABLE", "ROWS"],
          Object.entries(rows).map(([name, count]) => [name, String(count)]),
        ),
        "",
        "Everything arrived, and the ledger agrees. Start the service with the new DATABASE_URL; the old database is as it was.",
      ].join("\n"),
  }),
];
