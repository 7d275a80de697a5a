import { videoStyleNames } from "@reelscript/contract";
import type { StoredVideo } from "../../../ports.ts";
import { isAnything, isBoolean, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";
import { failureIn } from "../queue/transcription-states.ts";

export const isStyle = isOneOf(...videoStyleNames);

export const videoRow = {
  id: isText,
  accountId: isText,
  scriptId: isText,
  style: isStyle,
  state: isOneOf("queued", "running", "done", "failed"),
  progress: isNumber,
  createdAt: isMoment,
  endedAt: orNull(isMoment),
  failure: isAnything,
  lacksLetters: isBoolean,
  size: orNull(isNumber),
  keptUntil: orNull(isMoment),
  deletedAt: orNull(isMoment),
  deletedBytes: orNull(isNumber),
};

export const videoColumns =
  "v.id, v.account_id, v.script_id, v.style, v.state, v.progress, v.created_at, v.ended_at, v.failure, v.lacks_letters, v.size, v.kept_until, v.deleted_at, v.deleted_bytes" as const;

export const toVideo = (row: RowOf<typeof videoRow>): StoredVideo => ({
  id: row.id,
  accountId: row.accountId,
  scriptId: row.scriptId,
  style: row.style,
  state: row.state,
  progress: row.progress,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
  failure: row.failure === null ? null : failureIn({ failure: row.failure }),
  lacksLetters: row.lacksLetters,
  size: row.size,
  keptUntil: row.keptUntil,
  deletedAt: row.deletedAt,
  deletedBytes: row.deletedBytes,
});
