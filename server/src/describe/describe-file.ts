import type { OwnFile } from "@reelscript/contract";
import type { StoredFile } from "../ports.ts";

/** Path of uploads; each has a secret below it. */
export const uploadPath = "/uploads";

/** A file as its account sees it. */
export function describeFile(file: StoredFile): OwnFile {
  const { failure, endedAt, deletedAt, keptUntil, transcriptionId, scriptId } = file;
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    status: statusOfFile(file),
    bytes: file.size,
    receivedBytes: file.received,
    mostTranscriptions: file.units,
    keepDays: file.keepDays,
    ...(endedAt === null && file.received < file.size && { expiresAt: file.expiresAt.toISOString() }),
    ...(transcriptionId !== null && { transcriptionId }),
    ...(scriptId !== null && { scriptId }),
    ...(failure && {
      error: { code: failure.code, message: failure.message, ...(failure.reason && { reason: failure.reason }) },
    }),
    ...(keptUntil !== null && { keptUntil: keptUntil.toISOString() }),
    ...(deletedAt !== null && { deletion: { at: deletedAt.toISOString(), bytes: file.received } }),
  };
}

export function statusOfFile({
  endedAt,
  failure,
  received,
  size,
  transcriptionId,
  scriptId,
}: StoredFile): OwnFile["status"] {
  if (endedAt === null) return received < size ? "receiving" : "transcribing";
  if (failure !== null) return "failed";
  return transcriptionId === null && scriptId === null ? "canceled" : "done";
}
