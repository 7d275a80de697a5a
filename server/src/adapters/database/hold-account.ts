import { ServiceError } from "@reelscript/contract";
import type { PoolClient } from "pg";
import { rowsOf, type Statement } from "./statement.ts";

/** `keep`: others may change the account meanwhile. `change`: it will be changed itself. */
type Hold = "keep" | "change";

const statements: Readonly<Record<Hold, Statement>> = {
  keep: { name: "hold-account", text: "select id from account where id = $1 for key share" },
  change: { name: "hold-account-to-change", text: "select id from account where id = $1 for no key update" },
};

export const accountDeleted = (cause?: unknown): ServiceError =>
  new ServiceError("unauthorized", "This account was deleted.", { cause });

/**
 * Keeps the account from being deleted until the transaction ends. Comes before what is the account's own: who deletes it
 * takes them in this order too, and the other way round they would wait for one another. Throws `unauthorized` when it is gone.
 */
export async function holdAccount(client: PoolClient, accountId: string, hold: Hold = "keep"): Promise<void> {
  if ((await rowsOf(client, statements[hold], [accountId])).length === 0) throw accountDeleted();
}
