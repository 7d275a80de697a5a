import { createNewId } from "../callers/api-key.ts";
import { systemClock } from "../start/shared-clock.ts";
import { readConfig } from "../settings/config.ts";
import { createDownloadDisplay, type DisplayStream } from "../start/download-display.ts";
import { recognizerOf } from "../recognition/recognizer-of.ts";
import type { OperatorAccess } from "./command.ts";

/**
 * Gives the operator's commands access by the settings in `environment`. Relative paths start at its INIT_CWD, or at the
 * process's folder. Throws when a setting is wrong.
 */
export function operatorAccess(environment: NodeJS.ProcessEnv, stderr: DisplayStream): OperatorAccess {
  const workingDirectory = environment.INIT_CWD ?? process.cwd();
  const config = readConfig(environment, workingDirectory);
  const { dataDirectory, databaseUrl, serverLimits } = config;
  return {
    config,
    onDownload: createDownloadDisplay(stderr),
    dataDirectory,
    databaseUrl,
    clock: systemClock,
    recognizer: recognizerOf(config),
    openStore: async () => {
      // Loaded only when it is needed: the database takes longer to load than most commands take.
      const { openStore } = await import("../adapters/database/open-store.ts");
      return openStore({
        databaseUrl,
        serverLimits,
        dataDirectory,
        newId: createNewId(),
        mustExist: true,
        lockPatience: { patience: { ending: 0, silent: 0 } },
      });
    },
    workingDirectory,
    restoreBackup: async (file) => {
      const { restoreBackup } = await import("../adapters/database/backups/restore-backup.ts");
      return restoreBackup(dataDirectory, file, systemClock.now());
    },
    patienceSeconds: 60,
  };
}
