import { restorableDays } from "@reelscript/contract";
import type { DeletedScripts } from "../../../ports.ts";
import { isMoment, isNumber, isText } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { excerptRow, listedColumns, ofScript } from "../transcripts/transcript-row.ts";
import { toExcerpt } from "./scripts.ts";
import { indexAddedScripts } from "./unindexed-scripts.ts";

/** Rows per purge, so that it blocks others only briefly. */
const purged = 200;

const deleteScripts = statement("select delete_scripts(:accountId, :ids::text[], :now::timestamptz) as id").reading({
  id: isText,
});

const restoreScripts = statement("select restore_scripts_2(:accountId, :ids::text[], null) as id").reading({
  id: isText,
});

const eraseScripts = statement(`
  delete from script using deleted_script as d
  where d.account_id = :accountId and script.number = d.number and script.id = any(:ids::text[])
  returning script.id`).reading({ id: isText });

const countDeleted = statement("select count(*) as total from deleted_script where account_id = :accountId").reading({
  total: isNumber,
});

/** Rows of deleted scripts have no owner, so tags and reports are looked up for the account that deleted them. */
const listDeleted = statement(`
  select s.id, s.added_at, s.number, s.deleted_at, ${listedColumns}
  from (
    select owned.number, owned.id, owned.added_at, owned.transcript_id, owned.handle, owned.tags, d.account_id, d.deleted_at
    from deleted_script as d join script as owned on owned.number = d.number
    where d.account_id = :accountId
      and (:deletedAt::timestamptz is null or (d.deleted_at, d.number) < (:deletedAt::timestamptz, :number::bigint))
    order by d.deleted_at desc, d.number desc limit :limit::integer + 1
  ) as s ${ofScript}
  order by s.deleted_at desc, s.number desc`).reading({ ...excerptRow, number: isNumber, deletedAt: isMoment });

/** Erases scripts that can no longer be restored, a few at a time. */
export const purgeDeletedScripts = statement(`
  delete from script where number in (
    select number from deleted_script where deleted_at <= :now::timestamptz - interval '${restorableDays} days'
    order by deleted_at limit ${purged} for update skip locked
  )`);

/** Never reads from a replica, because people look for scripts that they have just deleted. */
export const createDeletedScripts = (database: Database): DeletedScripts => ({
  delete: async (accountId, ids, now) =>
    (await deleteScripts.rows(database, { accountId, ids, now })).map(({ id }) => id),
  async list(accountId, { limit, after }) {
    const { total } = await countDeleted.onlyRow(database, { accountId });
    const rows = await listDeleted.rows(database, {
      accountId,
      limit,
      deletedAt: after === undefined ? null : new Date(after.sortedBy ?? 0),
      number: after?.number ?? null,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      scripts: page.map((row) => ({ ...toExcerpt(row), deletedAt: row.deletedAt })),
      total,
      ...(last && rows.length > limit && { next: { sortedBy: last.deletedAt.getTime(), number: last.number } }),
    };
  },
  async restore(accountId, ids) {
    const restored = (await restoreScripts.rows(database, { accountId, ids })).map(({ id }) => id);
    await indexAddedScripts(database, restored);
    return restored;
  },
  erase: async (accountId, ids) => (await eraseScripts.rows(database, { accountId, ids })).map(({ id }) => id),
});
