import { createNewId } from "../api-key.ts";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

process.exitCode = await runAdmin(
  process.argv.slice(2),
  () => {
    // oxlint-disable-next-line node/no-process-env -- the operator's program is an entry of its own
    const environment = process.env;
    const workingDirectory = environment.INIT_CWD ?? process.cwd();
    const { dataDirectory, databaseUrl } = readConfig(environment, workingDirectory);
    return {
      dataDirectory,
      databaseUrl,
      clock: systemClock,
      openStore: async () => {
        // Loaded only when it is needed: the database takes longer to load than most commands take.
        const { openStore } = await import("../adapters/database/open-store.ts");
        return openStore({ databaseUrl, dataDirectory, newId: createNewId() });
      },
      workingDirectory,
      restoreBackup: async (file) => {
        const { restoreBackup } = await import("../adapters/database/restore-backup.ts");
        return restoreBackup(dataDirectory, file);
      },
      patienceSeconds: 60,
    };
  },
  process,
);
