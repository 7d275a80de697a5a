import type { ScriptExports } from "../../../ports.ts";
import { hashOfSecret } from "../../../rules/new-id.ts";
import { isObjectOf, isText } from "../engine/columns.ts";
import { jsonOf, statement, type Database } from "../engine/statement.ts";

const createExport = statement(`
  with new_export as (
    insert into script_export (hash, account_id, search, expires_at)
    values (:hash::bytea, :accountId, :search::json, :expiresAt::timestamptz)
  )
  delete from script_export where number in (
    select number from script_export where account_id = :accountId order by number desc offset :most::integer - 1
  )`);

const openExport = statement(`
  select e.account_id, e.search from script_export as e join account as a on a.id = e.account_id
  where e.hash = :hash::bytea and e.expires_at > :now::timestamptz and a.suspended_at is null`).reading({
  accountId: isText,
  search: isObjectOf<object>({}),
});

export const forgetExports = statement("delete from script_export where expires_at <= :now::timestamptz");

/** Stores hashes of the addresses, so that a leaked table opens none. */
export const createScriptExports = (database: Database): ScriptExports => ({
  async create({ accountId, token, search, expiresAt, most }) {
    await createExport.run(database, { hash: hashOfSecret(token), accountId, search: jsonOf(search), expiresAt, most });
  },
  open: (token, now) => openExport.row(database, { hash: hashOfSecret(token), now }),
});
