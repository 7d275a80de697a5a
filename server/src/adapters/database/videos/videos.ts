import type { NewId, Objects, Videos } from "../../../ports.ts";
import { mostVideoTries } from "../../../ports/videos.ts";
import { isBoolean, isBytes, isNumber, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { jsonOf, statement, transaction } from "../engine/statement.ts";
import { readObject } from "../sent-media/sent-media.ts";
import { createVideoMaking } from "./make-videos.ts";
import { isStyle, toVideo, videoColumns, videoRow } from "./video-row.ts";

/** Videos of one account begin one after another, so that all of them keep to its bound. */
const lockAccount = statement("select from account where id = :accountId for no key update");

const findOpen = statement(`
  select ${videoColumns} from video as v
  where v.account_id = :accountId and v.script_id = :scriptId and v.style = :style and v.state in ('queued', 'running')`).reading(
  videoRow,
);

const deleteFormer = statement(`
  with former as (
    update video set deleted_at = :now, deleted_bytes = coalesce(size, 0), kept_until = null
    where account_id = :accountId and script_id = :scriptId and style = :style and state in ('done', 'failed')
      and deleted_at is null
    returning id
  )
  delete from video_part as p using former where p.video_id = former.id`);

/** Without the former one, whose place the new one takes. */
const countOthers = statement(`
  select count(*) filter (where account_id = :accountId)::integer as own,
    coalesce(sum(size), 0)::double precision as bytes
  from video
  where (state in ('queued', 'running') or kept_until is not null)
    and (account_id, script_id, style) <> (:accountId::text, :scriptId::text, :style::text)`).reading({
  own: isNumber,
  bytes: isNumber,
});

const insert = statement(`
  with inserted as (
    insert into video (id, account_id, file_id, script_id, style, subtitles, seconds, tries_left, created_at)
    values (:id, :accountId, :fileId, :scriptId, :style, :subtitles, :seconds::double precision, ${mostVideoTries}, :now)
    returning *
  )
  select ${videoColumns} from inserted as v`).reading(videoRow);

const find = statement(`
  select ${videoColumns} from video as v where v.id = :id and v.account_id = :accountId`).reading(videoRow);

const hasScript = statement(`
  select exists (select from script where id = :scriptId and account_id = :accountId) as there`).reading({
  there: isBoolean,
});

const listOfScript = statement(`
  select ${videoColumns} from video as v
  where v.account_id = :accountId and v.script_id = :scriptId
  order by v.created_at desc limit 100`).reading(videoRow);

const list = statement(`
  select ${videoColumns} from video as v where v.account_id = :accountId order by v.created_at desc limit 1000`).reading(
  videoRow,
);

const endOpen = statement(`
  update video
  set state = 'failed', worker = null, lease_until = null, subtitles = null, failure = :failure::json, ended_at = :now
  where id = :id and account_id = :accountId and state in ('queued', 'running')`);

const noteDeletion = statement(`
  update video set deleted_at = :now, deleted_bytes = coalesce(size, 0), kept_until = null
  where id = :id and account_id = :accountId and deleted_at is null`);

const deleteParts = statement(`
  delete from video_part as p using video as v where v.id = :id and v.account_id = :accountId and p.video_id = v.id`);

const hasMaker = statement(`
  select exists (
    select from worker where makes_videos and seen_at > :now::timestamptz - interval '1 minute'
  ) as there`).reading({ there: isBoolean });

/** One of each account first, so that nobody's many files hold up others. */
const listDue = statement(`
  select f.id as file_id, f.account_id, s.id as script_id, f.video_style as style
  from file as f
  join transcript as t on t.platform = 'file' and t.media_id = f.media_id and t.owner = f.account_id
  join script as s on s.transcript_id = t.id and s.account_id = f.account_id
  where f.video_style is not null and f.kept_until is not null and f.failure is null
  order by row_number() over (partition by f.account_id order by f.ended_at, f.id), f.ended_at, f.id limit :limit::integer`).reading(
  {
    fileId: isText,
    accountId: isText,
    scriptId: isText,
    style: isStyle,
  },
);

const noteBegun = statement("update file set video_style = null where id = :fileId");

const findKept = statement(`
  select id, script_id, style, size from video
  where id = :id and account_id = :accountId and state = 'done' and kept_until is not null`).reading({
  id: isText,
  scriptId: isText,
  style: isStyle,
  size: isNumber,
});

const readPart = statement(`
  select p.bytes, p.object from video as v join video_part as p on p.video_id = v.id
  where v.id = :id and v.kept_until is not null and p.number = :number`).reading({
  bytes: orNull(isBytes),
  object: orNull(isText),
});

/** Their bytes are in the database, or in an object storage. */
export function createVideos({ pool }: Engine, newId: NewId, objects: Objects | undefined): Videos {
  return {
    begin: ({ accountId, fileId, scriptId, style, subtitles, seconds, now }, { mostOfAccount, mostBytes }) =>
      transaction(pool, async (inside) => {
        await lockAccount.run(inside, { accountId });
        const open = await findOpen.row(inside, { accountId, scriptId, style });
        if (open !== undefined) return { kind: "begun", video: toVideo(open) };
        const counted = await countOthers.onlyRow(inside, { accountId, scriptId, style });
        if (counted.own >= mostOfAccount) return { kind: "tooMany" };
        if (counted.bytes >= mostBytes) return { kind: "full" };
        await deleteFormer.run(inside, { accountId, scriptId, style, now });
        const id = newId("vid");
        const row = await insert.onlyRow(inside, { id, accountId, fileId, scriptId, style, subtitles, seconds, now });
        return { kind: "begun", video: toVideo(row) };
      }),
    async find(accountId, videoId) {
      const row = await find.row(pool, { accountId, id: videoId });
      return row && toVideo(row);
    },
    async listOfScript(accountId, scriptId) {
      if (!(await hasScript.onlyRow(pool, { accountId, scriptId })).there) return undefined;
      return (await listOfScript.rows(pool, { accountId, scriptId })).map(toVideo);
    },
    list: async (accountId) => (await list.rows(pool, { accountId })).map(toVideo),
    async delete(accountId, videoId, failure, now) {
      const id = videoId;
      await transaction(pool, async (inside) => {
        await endOpen.run(inside, { accountId, id, failure: jsonOf(failure), now });
        await noteDeletion.run(inside, { accountId, id, now });
        await deleteParts.run(inside, { accountId, id });
      });
      const row = await find.row(pool, { accountId, id });
      return row && toVideo(row);
    },
    hasMaker: async (now) => (await hasMaker.onlyRow(pool, { now })).there,
    due: (limit) => listDue.rows(pool, { limit }),
    async noteBegun(fileId) {
      await noteBegun.run(pool, { fileId });
    },
    ...createVideoMaking(pool, objects),
    findKept: (accountId, videoId) => findKept.row(pool, { accountId, id: videoId }),
    async readPart(videoId, number) {
      const row = await readPart.row(pool, { id: videoId, number });
      if (row === undefined || row.object === null) return row?.bytes ?? undefined;
      return readObject(objects, row.object);
    },
  };
}
