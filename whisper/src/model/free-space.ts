import { statfs } from "node:fs/promises";
import { WhisperError } from "../whisper-error.ts";

/** Throws `WhisperError` when the disk of `directory` has less than `bytes` left. */
export async function checkFreeSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= bytes) return;
  const megabytes = Math.ceil((bytes - bavail * bsize) / 1e6);
  throw new WhisperError("unavailable", `The disk of ${directory} lacks ${megabytes} MB for the model.`);
}

/** What a person reads when a model cannot be written. */
export function notWritten(directory: string, cause: unknown): WhisperError {
  const { code } = cause as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" ? "the disk is full" : (code ?? String(cause));
  return new WhisperError("unavailable", `The model cannot be stored in ${directory}: ${reason}.`, { cause });
}
