import type { ListedBioPages } from "../../../ports.ts";
import { isMoment, isText, orNull } from "../engine/columns.ts";
import { rowsOf, statement, type Database } from "../engine/statement.ts";

const beginGroups = statement(
  "begin-groups-of-listed-bios",
  `
    select bio_id as id
    from (select bio_id, row_number() over (order by bio_id) as place from bio_listed) as listed
    where (place - 1) % :size::integer = 0 order by bio_id limit :most`,
  { id: isText },
);

const readListed = statement(
  "read-listed-bios",
  `
    select p.id, p.handle, p.updated_at as "updatedAt"
    from bio_listed as l join bio_page as p on p.id = l.bio_id
    where l.bio_id >= :from and (:before::text is null or l.bio_id < :before)
      and (:after::text is null or l.bio_id > :after) and p.handle is not null and p.taken_down_at is null
    order by l.bio_id limit :most`,
  { id: isText, handle: isText, updatedAt: orNull(isMoment) },
);

export const createListedBioPages = (database: Database): ListedBioPages => ({
  async groups(size, most) {
    return (await rowsOf(database, beginGroups, { size, most })).map(({ id }) => id);
  },
  read: ({ from, before = null, after = null }, most) => rowsOf(database, readListed, { from, before, after, most }),
});
