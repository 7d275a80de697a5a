import { takeFileLock } from "../file-lock/take-file-lock.ts";
import { WhisperError } from "../whisper-error.ts";

/** Runs `work` while no other process does with the same lock file; waits for as long as it takes. */
export async function withLock<Result>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const patience = { ending: Infinity, silent: Infinity };
  const lock = await takeFileLock(file, { patience, signal }).catch((error: unknown) => {
    throw signal.aborted ? new WhisperError("aborted", "The caller gave up.") : error;
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
