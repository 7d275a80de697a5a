import { listedDeliveries, redeliveriesPerMinute, webhookEvents, webhookProblems } from "@reelscript/contract";
import type { StoredDelivery, Webhooks } from "../../../ports.ts";
import { isBoolean, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { execute, rowOf, rowsOf, statement, type Database } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";

const find = statement("select id from webhook where account_id = :accountId and id = :id").reading({
  id: isText,
});

/** Events of a disabled endpoint wait for nobody knows how long; tests don't, and are due before everything else. */
const list = statement(`
  select d.id, d.event, d.transcription_id, d.created_at, d.attempts, d.last_at as attempted_at,
    d.last_status as status, d.last_problem as problem,
    case
      when d.settled_at is not null then null
      when d.due_at = '-infinity' then d.created_at
      when w.disabled_at is null then d.due_at
    end as next_attempt_at
  from webhook_delivery as d join webhook as w on w.id = d.webhook_id
  where d.webhook_id = :id
  order by d.created_at desc, d.id
  limit ${listedDeliveries}`).reading({
  id: isText,
  event: isOneOf(...webhookEvents),
  transcriptionId: orNull(isText),
  createdAt: isMoment,
  attempts: isNumber,
  attemptedAt: orNull(isMoment),
  status: orNull(isNumber),
  problem: orNull(isOneOf(...webhookProblems)),
  nextAttemptAt: orNull(isMoment),
});

/** The row is locked, so that those who ask at the same moment are counted one after another. */
const lock = statement(`
  select disabled_at is not null as is_disabled from webhook where account_id = :accountId and id = :id
  for no key update`).reading({ isDisabled: isBoolean });

const isOver = "redelivered_since <= :now::timestamptz - interval '1 minute'";
const countRedelivery = statement(`
  update webhook set redelivered = case when ${isOver} then 1 else redelivered + 1 end,
    redelivered_since = case when ${isOver} then :now::timestamptz else redelivered_since end
  where id = :id and (redelivered < ${redeliveriesPerMinute} or ${isOver})`);

/** One that is still tried keeps its number of attempts, because one of them may be under way. */
const again = statement(`
  update webhook_delivery set due_at = :now::timestamptz, settled_at = null,
    attempts = case when settled_at is null then attempts else 0 end
  where id = :deliveryId and webhook_id = :id`);

export async function listDeliveries(
  database: Database,
  accountId: string,
  id: string,
): Promise<readonly StoredDelivery[] | undefined> {
  if ((await rowOf(database, find, { accountId, id })) === undefined) return undefined;
  return rowsOf(database, list, { id });
}

export const redeliver = (
  database: Database,
  given: { readonly accountId: string; readonly id: string; readonly deliveryId: string; readonly now: Date },
): ReturnType<Webhooks["redeliver"]> =>
  transaction(database, async (inside) => {
    const { accountId, id, deliveryId, now } = given;
    const found = await rowOf(inside, lock, { accountId, id });
    if (found === undefined) return "unknown";
    if (found.isDisabled) return "disabled";
    if ((await execute(inside, countRedelivery, { id, now })) === 0) return "busy";
    return (await execute(inside, again, { deliveryId, id, now })) === 1 ? "waiting" : "unknown";
  });
