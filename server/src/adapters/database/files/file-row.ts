import type { StoredFile } from "../../../ports.ts";
import { isMoment, isNumber, isText, orNull, isAnything } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";
import { failureIn } from "../queue/transcription-states.ts";

export const fileRow = {
  id: isText,
  accountId: isText,
  slot: isNumber,
  name: isText,
  title: isText,
  languageHint: orNull(isText),
  translateTo: orNull(isText),
  size: isNumber,
  received: isNumber,
  units: isNumber,
  keepDays: isNumber,
  createdAt: isMoment,
  expiresAt: isMoment,
  transcriptionId: orNull(isText),
  scriptId: orNull(isText),
  failure: isAnything,
  endedAt: orNull(isMoment),
  mediaId: orNull(isText),
  keptUntil: orNull(isMoment),
  deletedAt: orNull(isMoment),
};

/** The columns of `fileRow`; a failure is that of the transcription where there is one. */
export const fileColumns =
  "f.id, f.account_id, f.slot, f.name, f.title, f.language_hint, f.translate_to, f.size, f.received, f.units, f.keep_days, f.created_at, f.expires_at, f.transcription_id, coalesce(f.failure, (select t.failure from transcription as t where t.id = f.transcription_id)) as failure, f.ended_at, f.media_id, f.kept_until, f.deleted_at, (select s.id from transcript as t join script as s on s.transcript_id = t.id where t.platform = 'file' and t.media_id = f.media_id and t.owner = f.account_id and s.account_id = f.account_id) as script_id" as const;

export const toFile = (row: RowOf<typeof fileRow>): StoredFile => ({
  id: row.id,
  accountId: row.accountId,
  slot: row.slot,
  name: row.name,
  title: row.title,
  languageHint: row.languageHint,
  translates: row.translateTo !== null,
  size: row.size,
  received: row.received,
  units: row.units,
  keepDays: row.keepDays,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  transcriptionId: row.transcriptionId,
  scriptId: row.scriptId,
  failure: row.failure === null ? null : failureIn({ failure: row.failure }),
  endedAt: row.endedAt,
  mediaId: row.mediaId,
  keptUntil: row.keptUntil,
  deletedAt: row.deletedAt,
});
