import type { ExtensionCodes } from "../../../ports.ts";
import { accountColumns, toAccount } from "../accounts/account-row.ts";
import { isBoolean } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";

const createCode = statement(`
  insert into extension_code (code_hash, account_id, session_id, challenge, expires_at)
  values (:codeHash, :accountId, :sessionId, :challenge, :expiresAt)`);

/** It is gone whatever the verifier is, so that nobody tries twice. */
const takeCode = statement(`
  with taken as (
    delete from extension_code where code_hash = :codeHash
    returning account_id, challenge = :verifierHash and expires_at > :now as right_one
  )
  select a.*, taken.right_one from taken join account as a on a.id = taken.account_id`).reading({
  ...accountColumns,
  rightOne: isBoolean,
});

export const createExtensionCodes = (database: Database): ExtensionCodes => ({
  async create(code) {
    await createCode.run(database, { ...code });
  },
  async take(codeHash, verifierHash, now) {
    const row = await takeCode.row(database, { codeHash, verifierHash, now });
    return row?.rightOne ? toAccount(row) : undefined;
  },
});
