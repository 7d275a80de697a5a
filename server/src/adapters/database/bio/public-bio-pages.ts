import type { PublicBioPages, ListedBioPages } from "../../../ports.ts";
import { isAnything, isBoolean, isNumber, isText, orNull, isMoment } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { bioPageColumns, bioPageRow, toPage } from "./bio-pages.ts";
import { readBioContent } from "./read-bio-content.ts";

/** Former handles point to the account, so each is one step away from the current one. */
const resolveHandle = statement(`
  select id, revision, handle, taken_down_at is not null as is_taken_down from bio_page where handle = :handle
  union all
  select p.id, p.revision, p.handle, p.taken_down_at is not null from bio_former_handle as f left join bio_page as p on p.account_id = f.account_id
  where f.handle = :handle and f.held_until > :now`).reading({
  id: orNull(isText),
  revision: orNull(isNumber),
  handle: orNull(isText),
  isTakenDown: isBoolean,
});

const readById = statement(`select ${bioPageColumns} from bio_page where id = :id`).reading(bioPageRow);

const findLink = statement(`
  select p.id, p.handle, p.taken_down_at is not null as is_taken_down, link.value as link
  from bio_link as l join bio_page as p on p.id = l.bio_id, json_array_elements(p.content -> 'links') as link
  where l.id = :id and l.deleted_at is null and p.handle is not null and link.value ->> 'id' = :id
  limit 1`).reading({ id: isText, handle: isText, isTakenDown: isBoolean, link: isAnything });

export const createPublicBioPages = (database: Database): PublicBioPages => ({
  async resolve(handle, now) {
    const row = await resolveHandle.row(database, { handle, now });
    if (row === undefined) return { kind: "free" };
    if (row.id === null || row.revision === null || row.handle === null) return { kind: "kept" };
    // Claiming a handle publishes nothing.
    if (row.revision === 0) return { kind: "kept" };
    if (row.isTakenDown) return { kind: "takenDown" };
    if (row.handle !== handle) return { kind: "moved", handle: row.handle };
    return { kind: "page", bioId: row.id, revision: row.revision };
  },
  async read(bioId) {
    const row = await readById.row(database, { id: bioId });
    return row && toPage(row);
  },
  async findLink(linkId) {
    const row = await findLink.row(database, { id: linkId });
    if (row === undefined) return undefined;
    const [link] = readBioContent({ links: [row.link] }).links;
    return link && { bioId: row.id, handle: row.handle, isTakenDown: row.isTakenDown, link };
  },
});

const beginGroups = statement(`
  select id from (select id, row_number() over (order by id) as position from bio_page where is_listed) as listed
  where (position - 1) % :size::integer = 0 order by id limit :most`).reading({ id: isText });

const readListed = statement(`
  select id, handle, updated_at from bio_page
  where is_listed and id >= :from and (:before::text is null or id < :before)
    and (:after::text is null or id > :after) and handle is not null and taken_down_at is null
  order by id limit :most`).reading({ id: isText, handle: isText, updatedAt: orNull(isMoment) });

export const createListedBioPages = (database: Database): ListedBioPages => ({
  async groups(size, most) {
    return (await beginGroups.rows(database, { size, most })).map(({ id }) => id);
  },
  read: ({ from, before = null, after = null }, most) => readListed.rows(database, { from, before, after, most }),
});
