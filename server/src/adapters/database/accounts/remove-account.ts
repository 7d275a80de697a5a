import { keysPerAccount } from "@reelscript/contract";
import { keepFormerHandle } from "../bio/bio-handles.ts";
import { advisoryLockOf } from "../engine/advisory-lock.ts";
import { isText } from "../engine/columns.ts";
import { rememberUseOf } from "./remembered-use.ts";
import { statement, transaction, type Database, type Transaction, jsonOf } from "../engine/statement.ts";

/** Locks all before changing any: a change takes the account's row of the queue, which workers lock after these. */
const lockTranscriptions = statement(`
  select id from transcription where account_id = :accountId and state in ('queued', 'running') order by number for update`);

/** Nobody else may use the transcription of media that the account sent. */
const endSent = statement(`
  select ended.id from transcription as t, end_transcription(
    ended_id => t.id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as ended
  where t.account_id = :accountId and t.state in ('queued', 'running') and t.owner is not null`);

/** The trigger `follow_queue_2` moves them to the queue of transcriptions without an account. */
const orphanTranscriptions = statement(
  "update transcription set account_id = null where account_id = :accountId and state in ('queued', 'running')",
);

const removeFromQueue = statement("delete from queue_account where account_id = :accountId");

/**
 * The trigger `transcription_media_removed` removes sent media, and `follow_queue_at_removal` updates the counts of the queue.
 */
const removeTranscriptions = statement("delete from transcription where account_id = :accountId");

/** The subjects are the account's slots and its extensions. */
const removeRates = statement(
  "delete from rate_limit where subject in (select :accountId::text || ':' || slot from generate_series(0, :mostSlots::integer) as slot union all select :accountId::text || ':' || 'extension')",
);

/** Storing a report locks its posts before the account, so this does too. */
const lockPosts = statement("select used from post_allowance where account_id = :accountId for update");

/** After this nobody can write anything new for the account, so the counts below are final. */
const lockRow = statement("select id from account where id = :accountId for update");

const findHandle = statement(
  "select handle from bio_page where account_id = :accountId and handle is not null",
).reading({ handle: isText });

/**
 * All rows that refer to the account are removed with it, by statements or by the rules of the tables. The trigger
 * `bio_image_objects_removed` queues the objects of its pictures in `removed_object`, from which a periodic task removes them.
 */
const removeRow = statement(`
  with removed as (delete from account where id = :accountId returning id)
  insert into removed_account (id) select id from removed returning id`);

const deletedAccount = {
  code: "unauthorized",
  status: 401,
  message: "This account was deleted.",
  reason: "accountDeleted",
};

/**
 * Removes an account and all its data, or nothing. The lifetime use of its identities and its handles are kept without it.
 * False if there is no such account.
 */
export const removeAccount = (database: Database, accountId: string, now: Date): Promise<boolean> =>
  transaction(database, (inside) => remove(inside, accountId, now));

/** No transcription of the account can start meanwhile. Locks running ones before the account's row, in a worker's order. */
async function remove(inside: Transaction, accountId: string, now: Date): Promise<boolean> {
  // Starting a transcription for the account takes this lock too.
  await advisoryLockOf(inside, "startOfAccount", accountId);
  await lockTranscriptions.run(inside, { accountId });
  await endSent.run(inside, { accountId, now, failure: jsonOf(deletedAccount) });
  for (const each of [orphanTranscriptions, removeFromQueue, removeTranscriptions, lockPosts])
    await each.run(inside, { accountId });
  if ((await lockRow.run(inside, { accountId })) === 0) return false;
  await rememberUseOf(inside, accountId, now);
  await removeRates.run(inside, { accountId, mostSlots: keysPerAccount });
  for (const { handle } of await findHandle.rows(inside, { accountId }))
    await keepFormerHandle(inside, { handle, accountId, now });
  await removeRow.run(inside, { accountId });
  return true;
}
