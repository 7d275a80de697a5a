import { keysPerAccount } from "@reelscript/contract";
import type { Pool, PoolClient } from "pg";
import { holdHandle } from "./hold-bio-handle.ts";
import { locks } from "./locks.ts";
import { rememberUseOf } from "./remembered-use.ts";
import { rowsOf, transaction, type Statement } from "./statement.ts";

const lockStarts: Statement = { name: "lock-starts", text: "select pg_advisory_xact_lock($1)" };

const orphanTranscriptions: Statement = {
  name: "orphan-transcriptions",
  text: "update transcription set account_id = null where account_id = $1 and state in ('queued', 'running')",
};

const removeTranscriptions: Statement = {
  name: "remove-transcriptions",
  text: "delete from transcription where account_id = $1",
};

/** The subjects of its slots. */
const removeRates: Statement = {
  name: "remove-rates",
  text: "delete from rate_limit where subject in (select $1::text || ':' || slot from generate_series(0, $2::integer) as slot)",
};

/** Who stores a report counts its posts before asking for the account. */
const lockPosts: Statement = {
  name: "lock-posts",
  text: "select used from post_allowance where account_id = $1 for update",
};

/** From here on nobody can write anything new for it, so that what is counted now is all. */
const lockRow: Statement = { name: "lock-account", text: "select id from account where id = $1 for update" };

const findHandle: Statement = {
  name: "find-handle-of-account",
  text: "select handle from bio_page where account_id = $1 and handle is not null",
};

/** All that references an account goes with it, row by row or by the rules of the tables. */
const removeRow: Statement = {
  name: "remove-account",
  text: `
    with removed as (delete from account where id = $1 returning id)
    insert into removed_account (id) select id from removed returning id`,
};

const deadlock = "40P01";
const mostTries = 3;

/**
 * Removes an account and all that is its own, or nothing. What its identities used for good and its handles are remembered
 * without it. False when there is no such account.
 */
export async function removeAccount(pool: Pool, accountId: string, now: Date): Promise<boolean> {
  for (let left = mostTries - 1; ; left -= 1) {
    try {
      return await transaction(pool, (client) => remove(client, accountId, now));
    } catch (error) {
      // Somebody who wrote for the account at the same moment held a row and waited for the account's.
      const again = error instanceof Error && "code" in error && error.code === deadlock;
      if (!again || left === 0) throw error;
    }
  }
}

/**
 * No transcription starts meanwhile. Those under way come before the account's own row: a worker that completes one holds
 * it and then asks for the account.
 */
async function remove(client: PoolClient, accountId: string, now: Date): Promise<boolean> {
  await rowsOf(client, lockStarts, [locks.startTranscription]);
  await rowsOf(client, orphanTranscriptions, [accountId]);
  await rowsOf(client, removeTranscriptions, [accountId]);
  await rowsOf(client, removeRates, [accountId, keysPerAccount]);
  await rowsOf(client, lockPosts, [accountId]);
  if ((await rowsOf(client, lockRow, [accountId])).length === 0) return false;
  await rememberUseOf(client, accountId, now);
  for (const { handle } of await rowsOf<{ handle: string }>(client, findHandle, [accountId]))
    await holdHandle(client, { handle, accountId, now });
  await rowsOf(client, removeRow, [accountId]);
  return true;
}
