import { open } from "node:fs/promises";
import path from "node:path";
import { AdminError } from "./admin-error.ts";
import type { AdminOutput } from "./admin-commands.ts";

/** What restoring needs from the program that does it. */
export interface RestoreAccess {
  /** Where the paths start that the operator types. */
  readonly workingDirectory: string;
  /** Puts the backup in the place of the database; returns where the old one is now, if there was one. */
  readonly restoreBackup: (file: string) => Promise<string | undefined>;
}

/** Restores a backup where no service runs. Throws `AdminError` when there is no such file. */
export async function restoreDatabase(
  { workingDirectory, restoreBackup }: RestoreAccess,
  file: string,
): Promise<AdminOutput<"backupRestore">> {
  const backup = path.resolve(workingDirectory, file);
  await checkFile(backup);
  return { file: backup, before: (await restoreBackup(backup)) ?? null };
}

async function checkFile(file: string): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new AdminError(
      "refused",
      error.code === "ENOENT" || error.code === "ENOTDIR"
        ? `cannot find the file ${file}`
        : `${file} cannot be read (${error.code ?? error.message})`,
      error,
    );
  });
  try {
    if (!(await handle.stat()).isFile()) throw new AdminError("refused", `${file} is not a file`);
  } finally {
    await handle.close();
  }
}
