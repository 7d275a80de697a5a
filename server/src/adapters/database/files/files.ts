import type { Files, NewId, Objects } from "../../../ports.ts";
import { noSuchFile } from "../../../rules/refusals.ts";
import { isBytes, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { jsonOf, statement, transaction } from "../engine/statement.ts";
import { codeOf } from "../engine/unavailable.ts";
import { requestTranscription } from "../queue/transcriptions.ts";
import { readObject } from "../sent-media/sent-media.ts";
import { beginFile } from "./begin-file.ts";
import { fileColumns, fileRow, toFile } from "./file-row.ts";
import { renameScript } from "./rename-script.ts";
import { createFileWriting } from "./write-file.ts";

const find = statement(`
  select ${fileColumns} from file as f where f.id = :id and f.account_id = :accountId`).reading(fileRow);

const findSome = statement(`
  select ${fileColumns} from file as f where f.account_id = :accountId and f.id = any(:ids::text[])`).reading(fileRow);

const findByToken = statement(`
  select ${fileColumns} from file as f join account as a on a.id = f.account_id
  where f.token_hash = :tokenHash::bytea and a.suspended_at is null`).reading(fileRow);

const list = statement(`
  select ${fileColumns} from file as f where f.account_id = :accountId order by f.created_at desc limit 1000`).reading(
  fileRow,
);

/** One file of each account first, so that nobody's many files hold up others. */
const listDue = statement(`
  select ${fileColumns} from file as f
  where f.begin_at <= :now and f.ended_at is null and f.transcription_id is null
  order by row_number() over (partition by f.account_id order by f.begin_at, f.id), f.begin_at, f.id limit :limit::integer`).reading(
  fileRow,
);

const putOff = statement("update file set begin_at = :beginAt where id = :id and transcription_id is null");

/** The code with which `start_transcription_2` says that the media have ended. */
const mediaGone = "RS003";

/** Another process may have begun it. */
const end = statement(`
  with ended as (
    update file set ended_at = :now, failure = :failure::json, begin_at = null,
      kept_until = case when :failure::json is null and keep_days > 0 then :now::timestamptz + make_interval(days => keep_days) end
    where id = :id and ended_at is null and transcription_id is null
    returning id, kept_until, translation_id
  )
  select delete_file_bytes(ended.id, :now) from ended
  where ended.kept_until is null and not exists (
    select from transcription as t where t.id = ended.translation_id and t.state in ('queued', 'running')
  )`);

const noteBegun = statement("update file set begin_at = null where id = :id");

/** A worker notices it when it renews its lease. */
const endTranscription = statement(`
  select ended.id from file as f, end_transcription(
    ended_id => f.transcription_id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as ended
  where f.id = :id and f.account_id = :accountId and f.transcription_id is not null and f.ended_at is null`).reading({
  id: isText,
});

const endTranslation = statement(`
  select ended.id from file as f, end_transcription(
    ended_id => f.translation_id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as ended
  where f.id = :id and f.account_id = :accountId and f.translation_id is not null`).reading({ id: isText });

const endUpload = statement(`
  update file set ended_at = :now, begin_at = null where id = :id and account_id = :accountId and ended_at is null`);

const deleteBytes = statement(`
  select delete_file_bytes(f.id, :now) from file as f where f.id = :id and f.account_id = :accountId`);

const findClaimed = statement(`
  select f.title, f.size, f.seconds, f.sha256, coalesce(h.units, 1) as units
  from file as f left join hold as h on h.transcription_id = f.transcription_id
  where f.transcription_id = :transcriptionId`).reading({
  title: isText,
  size: isNumber,
  seconds: orNull(isNumber),
  sha256: orNull(isBytes),
  units: isNumber,
});

const holdOnly = statement(`
  with former as (
    select account_id, slot, period, units from hold
    where transcription_id = :transcriptionId and state = 'held' and units > :units::integer for update
  ), lowered as (
    update hold set units = :units::integer where transcription_id = :transcriptionId and exists (select from former)
  )
  update allowance as a set held = a.held - (former.units - :units::integer) from former
  where a.account_id = former.account_id and a.slot = former.slot and a.period = former.period`);

const partColumns = { bytes: orNull(isBytes), object: orNull(isText) };

const readPart = statement(`
  select p.bytes, p.object from file as f join file_part as p on p.file_id = f.id
  where (f.transcription_id = :transcriptionId or f.translation_id = :transcriptionId) and p.number = :number
  limit 1`).reading(partColumns);

const readKept = statement(`
  select p.bytes, p.object from file as f join file_part as p on p.file_id = f.id
  where f.id = :id and f.kept_until is not null and p.number = :number`).reading(partColumns);

const keptRow = { id: isText, size: isNumber, keptUntil: isMoment };

const findKept = statement(`
  select id, size, kept_until from file
  where id = :id and account_id = :accountId and kept_until is not null`).reading(keptRow);

const findKeptOf = statement(`
  select id, size, kept_until from file
  where account_id = :accountId and media_id = :mediaId and kept_until is not null
  order by kept_until desc limit 1`).reading(keptRow);

/** Their bytes are in the database, or in an object storage. */
export function createFiles(engine: Engine, newId: NewId, objects: Objects | undefined): Files {
  const { pool, signals } = engine;
  const bytesOf = async (row: { readonly bytes: Uint8Array | null; readonly object: string | null } | undefined) => {
    if (row === undefined || row.object === null) return row?.bytes ?? undefined;
    return readObject(objects, row.object);
  };
  return {
    begin: beginFile(engine, newId),
    async find(accountId, fileId) {
      const row = await find.row(pool, { accountId, id: fileId });
      return row && toFile(row);
    },
    findSome: async (accountId, ids) => (await findSome.rows(pool, { accountId, ids })).map(toFile),
    async findByToken(tokenHash) {
      const row = await findByToken.row(pool, { tokenHash });
      return row && toFile(row);
    },
    list: async (accountId) => (await list.rows(pool, { accountId })).map(toFile),
    ...createFileWriting(pool, objects),
    due: async (limit, now) => (await listDue.rows(pool, { limit, now })).map(toFile),
    async putOff(fileId, beginAt) {
      await putOff.run(pool, { id: fileId, beginAt });
    },
    async request(fileId, request) {
      const outcome = await requestTranscription(engine, newId, { ...request, sentMediaId: fileId }).catch(
        (error: unknown) => {
          throw codeOf(error) === mediaGone ? noSuchFile() : error;
        },
      );
      if (outcome.kind === "started") await noteBegun.run(pool, { id: fileId });
      return outcome;
    },
    async end(fileId, failure, now) {
      await end.run(pool, { id: fileId, failure: failure === null ? null : jsonOf(failure), now });
    },
    async delete(accountId, fileId, failure, now) {
      const id = fileId;
      const ended = await transaction(pool, async (inside) => {
        const transcription =
          (await endTranscription.row(inside, { accountId, id, failure: jsonOf(failure), now })) ??
          (await endTranslation.row(inside, { accountId, id, failure: jsonOf(failure), now }));
        await endUpload.run(inside, { accountId, id, now });
        await deleteBytes.run(inside, { accountId, id, now });
        return transcription;
      });
      if (ended !== undefined) signals.announce("finished", ended.id);
      const row = await find.row(pool, { accountId, id });
      return row && toFile(row);
    },
    claimed: (transcriptionId) => findClaimed.row(pool, { transcriptionId }),
    async holdOnly(transcriptionId, units) {
      await holdOnly.run(pool, { transcriptionId, units });
    },
    readPart: async (transcriptionId, number) => bytesOf(await readPart.row(pool, { transcriptionId, number })),
    keptOf: (accountId, mediaId) => findKeptOf.row(pool, { accountId, mediaId }),
    findKept: (accountId, fileId) => findKept.row(pool, { accountId, id: fileId }),
    readKeptPart: async (fileId, number) => bytesOf(await readKept.row(pool, { id: fileId, number })),
    rename: (accountId, scriptId, title) => renameScript(pool, accountId, scriptId, title),
  };
}
