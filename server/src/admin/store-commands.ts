import path from "node:path";
import { largestCollection, ReelCollection } from "@reelscript/contract";
import * as z from "zod";
import { ingestCollection } from "../features/reports/ingest-collection.ts";
import type { RetranscriptionRun } from "../ports.ts";
import { accountCommands, accountField, noAccount } from "./account-commands.ts";
import { AdminError } from "./admin-error.ts";
import { field, labeledLines, moment, storeCommand, type StoreCommand } from "./command.ts";
import { moderationCommands } from "./moderation-commands.ts";
import { queueCommands } from "./queue-commands.ts";
import { statusCommand } from "./status-command.ts";
import { checkFile, readCollection } from "./read-collection.ts";

const selection = {
  revision: field(
    "number",
    "Only transcripts of this recognizer revision (default: all old ones)",
    z
      .string()
      .regex(/^\d{1,6}$/, { error: "must be a whole number" })
      .transform(Number)
      .optional(),
  ),
};

/** Well below the time that the operator's program waits for an answer. */
const turnMilliseconds = 10_000;

/** How the file of `report import` is written. */
const collectionNotes = [
  "The file",
  '  {"handle": "cook.daily", "timezone": "Europe/Berlin", "collectedAt": "2026-11-20T10:00:00Z", "reels": [',
  '    {"url": "https://www.instagram.com/reel/DLlGZiCOBQ0/", "caption": "Soup", "views": 12000, "likes": 480,',
  '     "comments": 31, "postedAt": "2026-11-03T17:30:00Z", "durationSeconds": 24}]}',
  "",
  `  JSON in UTF-8 with 1 to ${largestCollection} reels; 200 say far more than 80. Of a reel only url is needed: leave out what`,
  "  wasn't seen. timezone is that of the audience; without it, that of the handle's newest report is used. collectedAt is when",
  "  the counts were read. A value out of range counts as unknown: counts below 0 or with a fraction, dates before 2010 or after",
  "  collectedAt, videos above a day.",
];

const viewRun = ({ id: _id, ...run }: RetranscriptionRun) => run;

const counted = (transcripts: number): string => `${transcripts} ${transcripts === 1 ? "transcript" : "transcripts"}`;

interface RunProgress {
  readonly state: RetranscriptionRun["state"];
  readonly revision: number | null;
  readonly total: number;
  readonly replaced: number;
  readonly kept: number;
  readonly failed: number;
}

function progress({ state, revision, total, replaced, kept: keptCount, failed }: RunProgress): string {
  const which = revision === null ? counted(total) : `${counted(total)} of revision ${revision}`;
  return [
    `Retranscription of ${which}: ${state}.`,
    `${replaced + keptCount + failed} transcribed again: ${replaced} replaced, ${keptCount} kept as they were, ${failed} failed.`,
  ].join("\n");
}

interface Restored {
  readonly file: string;
  /** The folder of the previous database. */
  readonly before: string | null;
  /** The reason why this release can't start with the backup. */
  readonly refusal: string | null;
}

async function refusalOfStart(dataDirectory: string): Promise<string | null> {
  const { missingMigrations } = await import("../adapters/database/open-engine.ts");
  const silent = { info: () => undefined, warn: () => undefined };
  return missingMigrations({ dataDirectory }, silent).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** The operator's commands on stored data. */
export const storeCommands: readonly StoreCommand[] = [
  statusCommand,
  ...accountCommands,
  storeCommand({
    words: "report import",
    summary: "Create a competitor report from collected reels; its id is alone on the last line",
    fields: {
      account: accountField,
      file: field("file", "JSON file with the collected reels, or - for standard input", ReelCollection),
    },
    operand: "file",
    example: "report import --account acc_… collected.json",
    notes: collectionNotes,
    prepare: async ({ file, ...input }, access) => ({ ...input, file: await readCollection(String(file), access) }),
    async run({ account, file: collection }, { store, clock }) {
      const owner = await store.accounts.find(account);
      if (owner === undefined) throw noAccount(account);
      const report = await ingestCollection({ reports: store.reports, clock })(owner, collection);
      const { id, handle, createdAt, reelsAnalyzed } = report;
      return { id, handle, createdAt, reelsAnalyzed };
    },
    text: ({ id, handle, createdAt, reelsAnalyzed }) =>
      `${labeledLines({ Handle: `@${handle}`, Reels: String(reelsAnalyzed), Created: moment(createdAt) })}\n\n${id}`,
  }),
  ...moderationCommands,
  ...queueCommands,
  storeCommand({
    words: "picture move",
    summary: "Move pictures to the storage in OBJECT_STORAGE or back to the database, for at most ten seconds",
    fields: { to: field("database|storage", "Where they are to be", z.enum(["database", "storage"])) },
    example: "picture move --to storage",
    notes: ["Run it again until none are left. The service may run; nothing is missing meanwhile."],
    async run({ to }, { store }) {
      const until = performance.now() + turnMilliseconds;
      return store
        .movePictures(to, () => performance.now() > until)
        .catch((error: unknown) => {
          throw new AdminError("refused", error instanceof Error ? error.message : String(error), error);
        });
    },
    text: ({ moved, missing, left }) =>
      [
        `${moved} moved, ${left} left.`,
        ...(missing === 0 ? [] : [`${missing} are missing in the storage, or aren't what was stored, and stay there.`]),
      ].join("\n"),
  }),
  storeCommand({
    words: "database compact",
    summary:
      "Store transcripts in half the bytes, and rewrite older ones for at most ten seconds; there is no way back",
    fields: {
      "no-way-back": field(undefined, "You know that earlier releases can't use it then", z.literal("true").optional()),
    },
    example: "database compact --no-way-back",
    notes: [
      "Before it, every process must run this release. After it, earlier releases refuse to start.",
      "Run it again until all are rewritten. The service may run.",
    ],
    async run({ "no-way-back": isMeant }, { store }) {
      if (isMeant === undefined)
        throw new AdminError(
          "refused",
          "from the first rewritten transcript on, earlier releases refuse to start with this database, and with its backups made afterward; nothing is changed yet. Add --no-way-back to begin",
        );
      const until = performance.now() + turnMilliseconds;
      const compaction = await store.compactTranscripts(() => performance.now() > until);
      if (compaction !== "olderProcess") return compaction;
      throw new AdminError(
        "refused",
        "a process of an earlier release has used the database within the last minute, and couldn't read what is stored from now on; stop all of them, wait a minute, and run this again",
      );
    },
    text: ({ transcripts, bytesBefore, bytesAfter, place, last, isDone }) =>
      [
        `${counted(transcripts)} rewritten: ${bytesAfter} bytes in place of ${bytesBefore}.`,
        isDone
          ? "All are compact. Earlier releases can no longer use this database."
          : `Up to number ${place} of ${last}. Run it again for the rest.`,
      ].join("\n"),
  }),
  storeCommand({
    words: "retranscription count",
    summary: "Count the transcripts that retranscription start would transcribe again; nothing is changed",
    fields: selection,
    example: "retranscription count",
    run: async ({ revision = null }, { store, recognizer: { model, revision: running } }) => ({
      transcripts: await store.retranscriptions.count({ revision }, { model, revision: running }),
      model,
      revision: running,
    }),
    text: ({ transcripts, model, revision }) =>
      `${counted(transcripts)} can be transcribed again by ${model}, revision ${revision}.`,
  }),
  storeCommand({
    words: "retranscription start",
    summary: "Transcribe old transcripts again while the queue is empty, or continue after retranscription stop",
    fields: selection,
    example: "retranscription start --revision 1",
    async run({ revision = null }, { store, recognizer, clock }) {
      const run = await store.retranscriptions.start({ revision }, recognizer, clock.now());
      if (run !== "running") return viewRun(run);
      throw new AdminError(
        "refused",
        "transcripts are being transcribed again; retranscription status shows its progress, retranscription stop stops it",
      );
    },
    text: (run) => `${progress(run)}\nIt runs while the queue is empty; retranscription status shows its progress.`,
  }),
  storeCommand({
    words: "retranscription status",
    summary: "Show the progress of the last retranscription",
    fields: {},
    example: "retranscription status",
    async run(_input, { store }) {
      const run = await store.retranscriptions.find();
      return { run: run === undefined ? null : viewRun(run) };
    },
    text: ({ run }) =>
      run === null ? "No retranscription has run yet. Start one with retranscription start." : progress(run),
  }),
  storeCommand({
    words: "retranscription stop",
    summary: "Stop after the current reel; retranscription start continues the run",
    fields: {},
    example: "retranscription stop",
    async run(_input, { store }) {
      const run = await store.retranscriptions.stop();
      if (run === undefined) throw new AdminError("refused", "no transcripts are being transcribed again");
      return viewRun(run);
    },
    text: (run) => `${progress(run)}\nretranscription start continues it.`,
  }),
  storeCommand({
    words: "backup create",
    summary: "Back up the embedded database; the file's path is alone on the last line",
    fields: {},
    example: "backup create",
    isBackup: true,
    run: async (_input, { store, clock }) => ({ file: await store.backUp(clock.now()) }),
    text: ({ file }) => `The database is backed up. The last three backups are kept, so copy it elsewhere:\n\n${file}`,
  }),
  storeCommand({
    words: "backup restore",
    summary: "Restore a backup of the embedded database while the service is stopped; the old database is kept",
    fields: { file: field("file", "The backup, as backup create printed it", z.string().min(1)) },
    operand: "file",
    example: "backup restore data/backups/2026-11-20T10-00-00.000Z.tar.gz",
    isBackup: true,
    async run(): Promise<Restored> {
      throw new AdminError("refused", "the service is running: stop it, then restore, then start it again");
    },
    async runAlone({ file }, { workingDirectory, dataDirectory, restoreBackup }) {
      const backup = path.resolve(workingDirectory, file);
      await checkFile(backup);
      const before = (await restoreBackup(backup)) ?? null;
      return { file: backup, before, refusal: await refusalOfStart(dataDirectory) };
    },
    text: ({ file, before, refusal }) =>
      [
        refusal === null
          ? `${file} is restored; start the service.`
          : `${file} is restored, but this release can't start with it: ${refusal}\nMove it to a PostgreSQL server with "reelscript database move --to URL", which reads it as it is, or start the release that made it.`,
        ...(before === null ? [] : [`The database that was there before is kept in:\n\n${before}`]),
      ].join("\n"),
  }),
];

export const storeCommandNamed = (words: string): StoreCommand | undefined =>
  storeCommands.find((command) => command.words === words);
