import path from "node:path";
import { FileLockHeld, takeFileLock, type FileLock, type FileLockOptions } from "@reelscript/whisper/file-lock";
import type { DatabaseLog } from "../engine.ts";

/** Milliseconds to wait for a process that is ending, and for one that isn't visible. */
export type LockPatience = Pick<FileLockOptions, "patience" | "silence">;

/** Longer than a killed process takes to end, and longer than a process in another container may be silent. */
export const usualPatience: LockPatience = { patience: { ending: 5_000, silent: 35_000 } };

export const noPatience: LockPatience = { patience: { ending: 0, silent: 0 } };

/**
 * Makes this process the only user of `directory`; waits for one that is ending or silent, and logs that. Throws
 * `DirectoryInUse`.
 */
export async function lockDirectory(directory: string, patience: LockPatience, log?: DatabaseLog): Promise<FileLock> {
  try {
    return await takeFileLock(path.join(directory, "database.lock"), {
      ...patience,
      onWait: (holder) =>
        log?.warn(
          { directory, ...(holder && { pid: holder.pid, host: holder.host, since: holder.since }) },
          "Another process uses the data directory, or did until a moment ago. Waiting for it to end.",
        ),
    });
  } catch (error) {
    if (error instanceof FileLockHeld) throw new DirectoryInUse(directory, error.holder);
    throw error;
  }
}

/** Another process uses the data directory. The message names it and says what to do. */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";

  constructor(
    directory: string,
    holder: { readonly pid: number; readonly host: string; readonly since: string } | undefined,
  ) {
    super(
      `The data directory ${directory} is in use by ${holder ? `process ${holder.pid} on ${holder.host} since ${holder.since}` : "another process"}; stop that process, or choose another directory with DATA_DIR.`,
    );
  }
}
