import type { Files, NewId } from "../../../ports.ts";
import { isNumber } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { statement, transaction } from "../engine/statement.ts";
import { readHour } from "../sent-media/sent-media.ts";
import { fileColumns, fileRow, toFile } from "./file-row.ts";

/** Files of one account begin one after another, so that all of them keep to its bounds. */
const lockAccount = statement("select from account where id = :accountId for no key update");

const countOwn = statement(`
  select count(*) filter (where ended_at is null) as at_a_time, coalesce(sum(size), 0)::double precision as bytes,
    coalesce(sum(size - received) filter (where ended_at is null), 0)::double precision as missing
  from file where account_id = :accountId and deleted_at is null`).reading({
  atATime: isNumber,
  bytes: isNumber,
  missing: isNumber,
});

const countAll = statement(
  "select coalesce(sum(size), 0)::double precision as bytes from file where deleted_at is null",
).reading({ bytes: isNumber });

const insertFile = statement(`
  with inserted as (
    insert into file (id, account_id, slot, token_hash, name, title, language_hint, translate_to, size, seconds, sha256, units, keep_days,
      video_style, created_at, expires_at)
    values (:id, :accountId, :slot::smallint, :tokenHash::bytea, :name, :title, :languageHint, :translateTo, :size::bigint, :seconds::double precision,
      :digest::bytea, :units::smallint, :keepDays::smallint, :videoStyle, :now, :expiresAt)
    returning *
  )
  select ${fileColumns} from inserted as f`).reading(fileRow);

/** `Files.begin`. */
export const beginFile =
  (engine: Engine, newId: NewId): Files["begin"] =>
  async (file, bounds) => {
    const { accountId, size, now } = file;
    if ((await engine.freeBytes()) < bounds.leastFreeBytes) return { kind: "noRoom" };
    return transaction(engine.pool, async (inside) => {
      await lockAccount.run(inside, { accountId });
      const ownFiles = await countOwn.onlyRow(inside, { accountId });
      if (ownFiles.atATime >= bounds.mostAtATime) return { kind: "tooMany" };
      const all = await countAll.onlyRow(inside);
      if (ownFiles.bytes + size > bounds.mostBytesOfAccount || all.bytes + size > bounds.mostBytes)
        return { kind: "full" };
      const hour = await readHour.row(inside, { accountId, now });
      const sentBytes = (hour?.bytes ?? 0) + ownFiles.missing;
      if (sentBytes + size > bounds.mostBytesPerHour) return { kind: "spent", retryAfter: hour?.secondsLeft ?? 3_600 };
      const row = await insertFile.onlyRow(inside, {
        id: newId("fil"),
        accountId,
        slot: file.slot,
        tokenHash: file.tokenHash,
        name: file.name,
        title: file.title,
        languageHint: file.languageHint,
        translateTo: file.translates ? "en" : null,
        size,
        seconds: file.seconds,
        digest: file.sha256,
        units: file.units,
        keepDays: file.keepDays,
        videoStyle: file.videoStyle,
        expiresAt: file.expiresAt,
        now,
      });
      return { kind: "begun", file: toFile(row) };
    });
  };
