import type { NewId, SentMedia } from "../../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { isBytes, isNumber } from "../engine/columns.ts";
import { statement } from "../engine/statement.ts";
import { requestTranscription } from "../transcriptions/request-transcription.ts";

/** Deletes media that never arrived completely. */
export const forgetSentMedia = statement(
  "delete from sent_media where transcription_id is null and expires_at <= :now",
);

const countBytes = statement(`
  select coalesce(sum(bytes), 0)::double precision as all_bytes,
    coalesce(sum(bytes) filter (where account_id = :accountId), 0)::double precision as own_bytes
  from sent_media`).reading({ allBytes: isNumber, ownBytes: isNumber });

/** An hour begins with what is sent first. */
const readHour = statement(`
  select bytes::double precision as bytes,
    extract(epoch from since + interval '1 hour' - :now::timestamptz)::double precision as seconds_left
  from sent_hour where account_id = :accountId and since > :now::timestamptz - interval '1 hour'`).reading({
  bytes: isNumber,
  secondsLeft: isNumber,
});

const countHour = statement(`
  insert into sent_hour as h (account_id, since, bytes) values (:accountId, :now, :bytes)
  on conflict (account_id) do update set
    since = case when h.since > excluded.since - interval '1 hour' then h.since else excluded.since end,
    bytes = excluded.bytes + case when h.since > excluded.since - interval '1 hour' then h.bytes else 0 end`);

const begin = statement(`
  insert into sent_media (id, account_id, expires_at) values (:id, :accountId, :expiresAt)
  on conflict (account_id) where transcription_id is null do nothing`);

/** The part goes in only as long as nothing took its media away. */
const append = statement(`
  with grown as (
    update sent_media set bytes = sent_media.bytes + octet_length(:bytes::bytea), expires_at = :expiresAt
    where id = :id and transcription_id is null
    returning id
  )
  insert into sent_media_part (media_id, number, bytes) select id, :number::integer, :bytes::bytea from grown`);

const drop = statement("delete from sent_media where id = :id and transcription_id is null");

/** Otherwise what broke off would take its place until the next cleaning. Another process may be at it. */
const giveRoomBack = statement("vacuum (skip_locked) sent_media_part");

const readPart = statement(`
  select p.bytes from sent_media as m join sent_media_part as p on p.media_id = m.id
  where m.transcription_id = :transcriptionId and p.number = :number`).reading({ bytes: isBytes });

export function createSentMedia(engine: Engine, newId: NewId): SentMedia {
  const { pool } = engine;
  return {
    async begin({ accountId, mostBytesOfAccount, mostBytes, mostBytesPerHour, leastFreeBytes, expiresAt, now }) {
      await forgetSentMedia.run(pool, { now });
      const hour = await readHour.row(pool, { accountId, now });
      if (hour !== undefined && hour.bytes >= mostBytesPerHour) return { kind: "spent", retryAfter: hour.secondsLeft };
      if ((await engine.freeBytes()) < leastFreeBytes) return { kind: "noRoom" };
      const counted = await countBytes.onlyRow(pool, { accountId });
      if (counted.ownBytes >= mostBytesOfAccount || counted.allBytes >= mostBytes) return { kind: "full" };
      const mediaId = newId("med");
      const begun = await begin.run(pool, { id: mediaId, accountId, expiresAt });
      return begun > 0 ? { kind: "begun", mediaId } : { kind: "busy" };
    },
    async count(accountId, bytes, now) {
      await countHour.run(pool, { accountId, bytes, now });
    },
    async append(mediaId, number, bytes, expiresAt) {
      if ((await append.run(pool, { id: mediaId, number, bytes, expiresAt })) === 0)
        throw new Error("media that were sent are gone");
    },
    request: (mediaId, request) => requestTranscription(engine, newId, { ...request, sentMediaId: mediaId }),
    async drop(mediaId) {
      if ((await drop.run(pool, { id: mediaId })) > 0) await giveRoomBack.run(pool);
    },
    readPart: async (transcriptionId, number) => (await readPart.row(pool, { transcriptionId, number }))?.bytes,
  };
}
