import { serviceStatus } from "../features/operator/service-status.ts";
import { labeledLines, moment, storeCommand, tableOfParts } from "./command.ts";

/** The operator's command that shows the whole service at a glance. */
export const statusCommand = storeCommand({
  words: "status",
  summary: "Show the state of queue, workers, periodic tasks, tables and backup; check tests what the settings name",
  fields: {},
  example: "status",
  async run(_input, { store, clock, recognizer, worksHere = false }) {
    const { operatorFigures, operatorQueue } = store;
    return serviceStatus({ operatorFigures, operatorQueue, clock, recognizer, worksHere });
  },
  text: ({ parts, tables, lastBackupAt }) =>
    [
      tableOfParts(parts),
      labeledLines({
        Tables: `${tables.newest.name}, since ${moment(tables.newest.appliedAt)}`,
        Pending: tables.pending.length === 0 ? "none" : tables.pending.join(", "),
        Newer: tables.newer.length === 0 ? "none" : tables.newer.join(", "),
        Back:
          tables.oldestRelease === null
            ? "no earlier release starts on these tables"
            : `to releases with ${tables.oldestRelease}`,
        Backup: lastBackupAt === null ? "not known" : moment(lastBackupAt),
      }),
    ].join("\n\n"),
});
