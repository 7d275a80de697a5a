import { ServiceError } from "@reelscript/contract";
import type { NewId, Objects, SentMedia } from "../../../ports.ts";
import { ObjectsAway } from "../../../ports/objects.ts";
import { SentMediaAway } from "../../../ports/sent-media.ts";
import type { Engine } from "../engine/engine.ts";
import { isBytes, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { hashOf, isStoredAs } from "../pictures/thumbnails.ts";
import { requestTranscription } from "../queue/transcriptions.ts";

/** Deletes media that never arrived completely. The trigger `sent_media_objects_removed` marks their objects for removal. */
export const forgetSentMedia = statement(
  "delete from sent_media where transcription_id is null and expires_at <= :now",
);

const countBytes = statement(`
  select coalesce(sum(bytes), 0)::double precision as all_bytes,
    coalesce(sum(bytes) filter (where account_id = :accountId), 0)::double precision as own_bytes
  from sent_media`).reading({ allBytes: isNumber, ownBytes: isNumber });

/** An hour begins with the first media sent in it. */
export const readHour = statement(`
  select bytes::double precision as bytes,
    extract(epoch from since + interval '1 hour' - :now::timestamptz)::double precision as seconds_left
  from sent_hour where account_id = :accountId and since > :now::timestamptz - interval '1 hour'`).reading({
  bytes: isNumber,
  secondsLeft: isNumber,
});

export const countHour = statement(`
  insert into sent_hour as h (account_id, since, bytes) values (:accountId, :now, :bytes)
  on conflict (account_id) do update set
    since = case when h.since > excluded.since - interval '1 hour' then h.since else excluded.since end,
    bytes = excluded.bytes + case when h.since > excluded.since - interval '1 hour' then h.bytes else 0 end`);

const begin = statement(`
  insert into sent_media (id, account_id, expires_at) values (:id, :accountId, :expiresAt)
  on conflict (account_id) where transcription_id is null do nothing`);

/** Inserts the part only if the media haven't been taken meanwhile. */
const append = statement(`
  with grown as (
    update sent_media set bytes = sent_media.bytes + octet_length(:bytes::bytea), expires_at = :expiresAt
    where id = :id and transcription_id is null
    returning id
  )
  insert into sent_media_part (media_id, number, bytes) select id, :number::integer, :bytes::bytea from grown`);

/** The row is written before its object, so that every object has a row that leads to its removal. */
const nameObject = statement(`
  insert into sent_media_part (media_id, number, object)
  select id, :number::integer, :object::text from sent_media where id = :id and transcription_id is null for update`);

const countStored = statement(`
  update sent_media set bytes = bytes + :size::integer, expires_at = :expiresAt
  where id = :id and transcription_id is null`);

const drop = statement("delete from sent_media where id = :id and transcription_id is null");

/** Otherwise an interrupted upload would occupy its room until the next cleanup. Another process may be cleaning up, too. */
const giveRoomBack = statement("vacuum (skip_locked) sent_media_part");

const readPart = statement(`
  select p.bytes, p.object from sent_media as m join sent_media_part as p on p.media_id = m.id
  where m.transcription_id = :transcriptionId and p.number = :number`).reading({
  bytes: orNull(isBytes),
  object: orNull(isText),
});

const gone = (): Error => new Error("media that were sent are gone");

/** Stored in the database, or with their bytes in an object storage. */
export function createSentMedia(engine: Engine, newId: NewId, objects: Objects | undefined): SentMedia {
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
      if (objects !== undefined) return store(pool, objects, { mediaId, number, bytes, expiresAt });
      if ((await append.run(pool, { id: mediaId, number, bytes, expiresAt })) === 0) throw gone();
    },
    request: (mediaId, request) => requestTranscription(engine, newId, { ...request, sentMediaId: mediaId }),
    async drop(mediaId) {
      if ((await drop.run(pool, { id: mediaId })) > 0) await giveRoomBack.run(pool);
    },
    async readPart(transcriptionId, number) {
      const row = await readPart.row(pool, { transcriptionId, number });
      if (row === undefined || row.object === null) return row?.bytes ?? undefined;
      return readObject(objects, row.object);
    },
  };
}

interface NewPart {
  readonly mediaId: string;
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly expiresAt: Date;
}

/** The hash proves that the bytes are the stored ones, and the media's id makes the name unique forever. */
const objectOf = ({ mediaId, number, bytes }: NewPart): string => `media/${mediaId}.${number}.${hashOf(bytes)}.part`;

async function store(database: Database, objects: Objects, part: NewPart): Promise<void> {
  const { mediaId: id, number, bytes, expiresAt } = part;
  const object = objectOf(part);
  if ((await nameObject.run(database, { id, number, object })) === 0) throw gone();
  await putPart(objects, object, bytes);
  if ((await countStored.run(database, { id, size: bytes.length, expiresAt })) > 0) return;
  // The row is gone, and its object may have been removed before the bytes arrived.
  await objects.remove(object).catch(() => undefined);
  throw gone();
}

/** Throws `unavailable` when the storage refuses it twice: a single refusal mustn't discard everything that was sent before. */
export async function putPart(objects: Objects, object: string, bytes: Uint8Array): Promise<void> {
  const put = (): Promise<void> => objects.put(object, bytes, "application/octet-stream");
  await put()
    .catch(put)
    .catch((error: unknown) => {
      const message = "We can't store media right now. Try again in a minute.";
      throw new ServiceError("unavailable", message, { retryAfter: 60, cause: error });
    });
}

/** The bytes of a part. Throws `SentMediaAway` when the storage can't return them now. */
export async function readObject(objects: Objects | undefined, name: string): Promise<Uint8Array> {
  if (objects === undefined)
    throw new SentMediaAway(
      new Error(
        "Media that browsers sent are in an object storage, and OBJECT_STORAGE names none here. Name it again until they are transcribed.",
      ),
    );
  const bytes = await objects.get(name).catch((error: unknown) => {
    throw error instanceof ObjectsAway ? new SentMediaAway(error) : error;
  });
  if (bytes === undefined) throw new Error("The object storage says that media which were sent aren't there.");
  if (!isStoredAs(name, bytes)) throw new SentMediaAway(new Error("The object storage returned other bytes."));
  return bytes;
}
