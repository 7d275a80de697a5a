import type { NewId, SavedSearch, SavedSearches } from "../../../ports.ts";
import { lockToChange } from "../accounts/accounts.ts";
import { isMoment, isNumber, isObjectOf, isText } from "../engine/columns.ts";
import { jsonOf, statement, transaction, type Database } from "../engine/statement.ts";
import { accountDeleted } from "../engine/unavailable.ts";

const savedRow = { id: isText, name: isText, search: isObjectOf<object>({}), createdAt: isMoment };

const listSearches = statement(
  "select id, name, search, created_at from saved_search where account_id = :accountId order by folded",
).reading(savedRow);

const countOthers = statement(
  "select count(*) as searches from saved_search where account_id = :accountId and folded <> :folded",
).reading({ searches: isNumber });

const saveSearch = statement(`
  insert into saved_search (id, account_id, name, folded, search, created_at)
  values (:id, :accountId, :name, :folded, :search::json, :now::timestamptz)
  on conflict (account_id, folded) do update set name = excluded.name, search = excluded.search
  returning id, name, search, created_at`).reading(savedRow);

const removeSearch = statement("delete from saved_search where account_id = :accountId and id = :id");

export const createSavedSearches = (database: Database, newId: NewId): SavedSearches => ({
  list: (accountId) => listSearches.rows(database, { accountId }),
  save: ({ accountId, name, search, most, now }) =>
    transaction(database, async (inside): Promise<SavedSearch | "full"> => {
      if ((await lockToChange.run(inside, { accountId })) === 0) throw accountDeleted();
      const folded = name.normalize("NFC").toLowerCase();
      if ((await countOthers.onlyRow(inside, { accountId, folded })).searches >= most) return "full";
      return saveSearch.onlyRow(inside, { id: newId("sea"), accountId, name, folded, search: jsonOf(search), now });
    }),
  remove: async (accountId, id) => (await removeSearch.run(database, { accountId, id })) > 0,
});
