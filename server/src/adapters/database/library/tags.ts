import type { Tags } from "../../../ports.ts";
import { lockToChange } from "../accounts/accounts.ts";
import { isNumber, isText } from "../engine/columns.ts";
import { statement, transaction, type Database, type Queryable, type Transaction } from "../engine/statement.ts";

/** The form by which names are compared: without case, as NFC. */
const foldedTag = (name: string): string => name.normalize("NFC").toLowerCase();

const tagRow = { slot: isNumber, name: isText, folded: isText };

const listNames = statement("select slot, name, folded from tag where account_id = :accountId order by folded").reading(
  tagRow,
);

const countByTag = statement(`
  select tag.name, count(*) as scripts
  from tag join script as s on s.account_id = tag.account_id and s.tags & (1 << tag.slot) <> 0
  where tag.account_id = :accountId group by tag.slot, tag.name, tag.folded order by tag.folded`).reading({
  name: isText,
  scripts: isNumber,
});

const findTag = statement("select slot from tag where account_id = :accountId and folded = :folded").reading({
  slot: isNumber,
});

/** Deleted scripts keep their tags: restored, they must have no other. */
const removeUnused = statement(`
  delete from tag where account_id = :accountId and (1 << slot) & (
    select coalesce(bit_or(tags), 0) from (
      select s.tags from script as s where s.account_id = :accountId and s.tags <> 0
      union all
      select s.tags from deleted_script as d join script as s on s.number = d.number
      where d.account_id = :accountId and s.tags <> 0
    ) as used
  ) = 0`);

const addTag = statement(
  "insert into tag (account_id, slot, name, folded) values (:accountId, :slot::smallint, :name, :folded)",
);

const setTags = statement("update script set tags = :tags::integer where account_id = :accountId and id = :scriptId");

const changeTags = statement(`
  update script set tags = (tags | :added::integer) & ~ :removed::integer
  where number in (
    select number from script where account_id = :accountId and id = any(:scriptIds::text[]) order by number for update
  )
  returning id`).reading({ id: isText });

/** Makes searches count again instead of using an earlier total. */
const noteChange = statement("select change_content(:accountId, 0)");

/** The bit of a tag; `undefined` when the account has no such tag. */
export async function tagBit(on: Queryable, accountId: string, name: string): Promise<number | undefined> {
  const tag = await findTag.row(on, { accountId, folded: foldedTag(name) });
  return tag && 1 << tag.slot;
}

export const createTags = (database: Database): Tags => ({
  list: (accountId) => countByTag.rows(database, { accountId }),
  set: (accountId, scriptId, names, most) =>
    transaction(database, async (inside) => {
      if ((await lockToChange.run(inside, { accountId })) === 0) return "noScript";
      const tags = await bitsOf(inside, accountId, names, most);
      if (tags === "full") return "full";
      if ((await setTags.run(inside, { accountId, scriptId, tags })) === 0) return "noScript";
      await noteChange.run(inside, { accountId });
      const all = await listNames.rows(inside, { accountId });
      return all.filter(({ slot }) => (tags & (1 << slot)) !== 0).map(({ name }) => name);
    }),
  change: (accountId, scriptIds, { add, remove, most }) =>
    transaction(database, async (inside) => {
      if ((await lockToChange.run(inside, { accountId })) === 0) return [];
      const added = await bitsOf(inside, accountId, add, most);
      if (added === "full") return "full";
      const folded = new Set(remove.map(foldedTag));
      const all = await listNames.rows(inside, { accountId });
      const removed = all.filter((tag) => folded.has(tag.folded)).reduce((bits, { slot }) => bits | (1 << slot), 0);
      const changed = await changeTags.rows(inside, { accountId, scriptIds, added, removed });
      if (changed.length > 0) await noteChange.run(inside, { accountId });
      return changed.map(({ id }) => id);
    }),
});

/** The bits of names. A name without a bit becomes a new tag, for which names that no script has make room. */
async function bitsOf(
  inside: Transaction,
  accountId: string,
  names: readonly string[],
  most: number,
): Promise<number | "full"> {
  const namesByFolded = new Map(names.map((name) => [foldedTag(name), name] as const));
  let tags = await listNames.rows(inside, { accountId });
  const isMissing = ([folded]: readonly [string, string]): boolean => tags.every((tag) => tag.folded !== folded);
  if (tags.length + [...namesByFolded].filter(isMissing).length > most) {
    await removeUnused.run(inside, { accountId });
    tags = await listNames.rows(inside, { accountId });
  }
  const free = Array.from({ length: most }, (_, slot) => slot).filter((slot) => tags.every((tag) => tag.slot !== slot));
  const missing = [...namesByFolded].filter(isMissing);
  if (missing.length > free.length) return "full";
  for (const [index, [folded, name]] of missing.entries())
    await addTag.run(inside, { accountId, slot: free[index]!, name, folded });
  const all = await listNames.rows(inside, { accountId });
  return all.filter(({ folded }) => namesByFolded.has(folded)).reduce((bits, { slot }) => bits | (1 << slot), 0);
}
