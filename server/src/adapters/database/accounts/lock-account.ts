import { accountDeleted } from "../engine/account-deleted.ts";
import { execute, statement, type Transaction } from "../engine/statement.ts";

/** `keep`: others may change the account meanwhile. `change`: it will be changed itself. */
type Lock = "keep" | "change";

const statements = {
  keep: statement("lock-account-to-keep", "select id from account where id = :accountId for key share"),
  change: statement("lock-account-to-change", "select id from account where id = :accountId for no key update"),
} as const satisfies Record<Lock, unknown>;

/**
 * Keeps the account from being deleted until the transaction ends. Comes before what is the account's own: who deletes it
 * takes them in this order too, and the other way round they would wait for one another. Throws `unauthorized` when it is gone.
 */
export async function lockAccount(inside: Transaction, accountId: string, lock: Lock = "keep"): Promise<void> {
  if ((await execute(inside, statements[lock], { accountId })) === 0) throw accountDeleted();
}
