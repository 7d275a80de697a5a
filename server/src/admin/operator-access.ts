import { createNewId } from "../rules/new-id.ts";
import { withSecretFiles } from "../start/secret-files.ts";
import { systemClock } from "../start/shared-clock.ts";
import { readConfig } from "../settings/config.ts";
import { createDownloadDisplay, type DisplayStream } from "../start/download-display.ts";
import { recognizerOf } from "../recognition/recognizer-of.ts";
import type { OperatorAccess } from "./command.ts";

/**
 * Gives the operator's commands access by the settings in `given`. Relative paths start at its INIT_CWD, or at the
 * process's folder. Throws when a setting is wrong.
 */
export function operatorAccess(given: NodeJS.ProcessEnv, stderr: DisplayStream): OperatorAccess {
  const workingDirectory = given.INIT_CWD ?? process.cwd();
  const environment = withSecretFiles(given, workingDirectory);
  const config = readConfig(environment, workingDirectory, { serves: false });
  const { dataDirectory, databaseUrl, serverLimits } = config;
  return {
    config,
    settingProblems: problemsOf(environment, workingDirectory),
    onDownload: createDownloadDisplay(stderr),
    dataDirectory,
    databaseUrl,
    clock: systemClock,
    recognizer: recognizerOf(config),
    openStore: async () => {
      // Loaded on demand, because loading the database takes longer than most commands.
      const { openStore } = await import("../adapters/database/open-store.ts");
      const { openObjects } = await import("../adapters/objects/open-objects.ts");
      return openStore({
        objects: openObjects(config.objectStorage, dataDirectory, () => undefined),
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

function problemsOf(environment: Readonly<Record<string, string | undefined>>, workingDirectory: string): string[] {
  try {
    readConfig(environment, workingDirectory);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n");
  }
}
