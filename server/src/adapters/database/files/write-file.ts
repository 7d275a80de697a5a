import { createHash } from "node:crypto";
import type { Files, FileWriter, Objects } from "../../../ports.ts";
import { filePartBytes } from "../../../ports/files.ts";
import { isBytes, isNumber } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";
import { codeOf } from "../engine/unavailable.ts";
import { hashOf } from "../pictures/thumbnails.ts";
import { countHour, putPart, readHour } from "../sent-media/sent-media.ts";
import { fileColumns, fileRow, toFile } from "./file-row.ts";

/** A part whose bytes never arrived, or that the writer before wrote too late, makes room for the next one. */
const open = statement(`
  with opened as (
    update file set writer = writer + 1
    where id = :id and received = :offset::bigint and ended_at is null and media_id is null and expires_at > :now
    returning id, writer, parts, tail
  ), cleared as (
    delete from file_part as p using opened where p.file_id = opened.id and p.number >= opened.parts
  )
  select writer, parts, tail from opened`).reading({ writer: isNumber, parts: isNumber, tail: isBytes });

/** A file whose last part is stored is due, so that it is completed even if its request isn't answered any more. */
const append = statement(`
  with grown as (
    update file set parts = parts + 1, received = :number::bigint * ${filePartBytes} + octet_length(:bytes::bytea), tail = '',
      begin_at = case when :number::bigint * ${filePartBytes} + octet_length(:bytes::bytea) >= size then :now::timestamptz end
    where id = :id and writer = :writer and parts = :number::integer and ended_at is null
    returning id
  )
  insert into file_part (file_id, number, bytes, hash)
  select id, :number::integer, :bytes::bytea, :hash::bytea from grown`);

/** The row is written before its object, so that every object has a row that leads to its removal. */
const nameObject = statement(`
  insert into file_part (file_id, number, object, hash)
  select id, :number::integer, :object::text, :hash::bytea from file
  where id = :id and writer = :writer and parts = :number::integer and ended_at is null for update`);

const countStored = statement(`
  update file set parts = parts + 1, received = :number::bigint * ${filePartBytes} + :size::integer, tail = '',
    begin_at = case when :number::bigint * ${filePartBytes} + :size::integer >= size then :now::timestamptz end
  where id = :id and writer = :writer and parts = :number::integer and ended_at is null`);

const keepTail = statement(`
  update file set tail = :tail::bytea, received = parts::bigint * ${filePartBytes} + octet_length(:tail::bytea)
  where id = :id and writer = :writer and parts = :number::integer and ended_at is null`);

const rollBack = statement(`
  with shrunk as (
    update file set parts = :number::integer, tail = :tail::bytea,
      received = :number::bigint * ${filePartBytes} + octet_length(:tail::bytea), begin_at = null
    where id = :id and writer = :writer and ended_at is null and media_id is null
    returning id
  ), cleared as (
    delete from file_part as p using shrunk where p.file_id = shrunk.id and p.number >= :number::integer
  )
  select id from shrunk`);

const lockArrived = statement(`
  select f.account_id from file as f
  where f.id = :id and f.received = f.size and f.tail = '' and f.ended_at is null and f.media_id is null for update`).reading(
  {
    accountId: fileRow.accountId,
  },
);

const listHashes = statement("select hash from file_part where file_id = :id order by number").reading({
  hash: isBytes,
});

const name = statement(`
  with named as (
    update file set media_id = :mediaId, begin_at = :now where id = :id returning *
  )
  select ${fileColumns} from named as f`).reading(fileRow);

const accountOf = statement("select account_id from file where id = :id").reading({ accountId: fileRow.accountId });

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

const uniqueViolation = "23505";

type Writing = Pick<Files, "sentInHour" | "open" | "append" | "keepTail" | "rollBack" | "complete">;

/** How requests write files. */
export const createFileWriting = (database: Database, objects: Objects | undefined): Writing => ({
  sentInHour: async (accountId, now) =>
    (await readHour.row(database, { accountId, now })) ?? { bytes: 0, secondsLeft: 0 },
  async open(fileId, offset, now) {
    const row = await open.row(database, { id: fileId, offset, now });
    return row && { fileId, writer: row.writer, parts: row.parts, tail: row.tail };
  },
  async append(writer, bytes, now) {
    await countBytes(database, writer, bytes, now);
    const stored =
      objects === undefined
        ? storeRow(database, writer, bytes, now)
        : storeObject(database, objects, writer, bytes, now);
    if (!(await stored)) return undefined;
    return { ...writer, parts: writer.parts + 1, tail: new Uint8Array() };
  },
  async keepTail(writer, tail, now) {
    await countBytes(database, writer, tail, now);
    const { fileId: id, writer: number, parts } = writer;
    return (await keepTail.run(database, { id, writer: number, number: parts, tail })) > 0;
  },
  async rollBack({ fileId: id, writer, parts, tail }) {
    return (await rollBack.run(database, { id, writer, number: parts, tail })) > 0;
  },
  complete: (fileId, now) =>
    transaction(database, async (inside) => {
      const row = await lockArrived.row(inside, { id: fileId });
      if (row === undefined) return undefined;
      const hash = createHash("sha256").update(`${row.accountId}\n`);
      for (const part of await listHashes.rows(inside, { id: fileId })) hash.update(part.hash);
      const mediaId = hash.digest("base64url").slice(0, 32);
      return toFile(await name.onlyRow(inside, { id: fileId, mediaId, now }));
    }),
});

/** The tail was counted when it was kept. */
async function countBytes(
  database: Database,
  { fileId, tail }: FileWriter,
  bytes: Uint8Array,
  now: Date,
): Promise<void> {
  const owner = await accountOf.row(database, { id: fileId });
  const fresh = bytes.length - tail.length;
  if (owner !== undefined && fresh > 0)
    await countHour.run(database, { accountId: owner.accountId, bytes: fresh, now });
}

async function storeRow(database: Database, writer: FileWriter, bytes: Uint8Array, now: Date): Promise<boolean> {
  const { fileId: id, writer: number, parts } = writer;
  return (await append.run(database, { id, writer: number, number: parts, bytes, hash: sha256(bytes), now })) > 0;
}

async function storeObject(
  database: Database,
  objects: Objects,
  { fileId: id, writer, parts }: FileWriter,
  bytes: Uint8Array,
  now: Date,
): Promise<boolean> {
  // The writer's number makes the name unique forever.
  const object = `files/${id}.${parts}.${writer}.${hashOf(bytes)}.part`;
  const rowCount = await nameObject
    .run(database, { id, writer, number: parts, object, hash: sha256(bytes) })
    .catch((error: unknown) => {
      // The writer before named its object at this moment. The next request clears it away.
      if (codeOf(error) === uniqueViolation) return 0;
      throw error;
    });
  if (rowCount === 0) return false;
  await putPart(objects, object, bytes);
  if ((await countStored.run(database, { id, writer, number: parts, size: bytes.length, now })) > 0) return true;
  // The row is gone, and its object may have been removed before the bytes arrived.
  await objects.remove(object).catch(() => undefined);
  return false;
}
