import { lockToChange } from "../accounts/accounts.ts";
import { webhookEvents, webhookProblems, webhooksPerAccount } from "@reelscript/contract";
import type { NewId, StoredWebhook, Webhooks } from "../../../ports.ts";
import { isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { execute, onlyRowOf, rowOf, rowsOf, statement, type Database, type RowOf } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";
import { noteAttempt, takeAttempts } from "./webhook-attempts.ts";
import { listDeliveries, redeliver } from "./webhook-log.ts";

const names =
  "id, url, created_at, failing_since, disabled_at, former_until as former_secret_until, last_at, last_event, last_status, last_problem";
const columns = {
  id: isText,
  url: isText,
  createdAt: isMoment,
  failingSince: orNull(isMoment),
  disabledAt: orNull(isMoment),
  formerSecretUntil: orNull(isMoment),
  lastAt: orNull(isMoment),
  lastEvent: orNull(isOneOf(...webhookEvents)),
  lastStatus: orNull(isNumber),
  lastProblem: orNull(isOneOf(...webhookProblems)),
};

const count = statement("select count(*)::integer as webhooks from webhook where account_id = :accountId").reading({
  webhooks: isNumber,
});

const create = statement(`
  insert into webhook (id, account_id, url, secret, created_at) values (:id, :accountId, :url, :secret, :now)
  returning ${names}`).reading(columns);

const list = statement(`select ${names} from webhook where account_id = :accountId order by number`).reading(columns);

const remove = statement("delete from webhook where account_id = :accountId and id = :id");

/** What a disabled endpoint missed is due in the order in which it happened, and is tried as often as a new event. */
const enable = statement(`
  with found as materialized (
    select id as found_id, disabled_at is not null as was_disabled from webhook
    where account_id = :accountId and id = :id for no key update
  ), missed as (
    update webhook_delivery as d set attempts = 0, due_at = d.created_at, settled_at = null from found
    where found.was_disabled and d.webhook_id = found.found_id and d.event <> 'webhook.test'
      and (d.settled_at is null or d.last_problem is not null)
  )
  update webhook set disabled_at = null, failing_since = null from found where id = found.found_id
  returning ${names}`).reading(columns);

const rotate = statement(`
  update webhook set former_secret = secret, former_until = :formerUntil::timestamptz, secret = :secret
  where account_id = :accountId and id = :id
  returning ${names}`).reading(columns);

const mostTests = 3;
const keptTests = 20;

/** The row is locked, so that tests that are asked for at the same moment are counted one after another. */
const findForTest = statement(
  "select id from webhook where account_id = :accountId and id = :id for no key update",
).reading({ id: isText });

/** A test is due before everything else. Any number may be sent in a day, so few are remembered. */
const addTest = statement(`
  with forgotten as (
    delete from webhook_delivery where id in (
      select id from webhook_delivery
      where webhook_id = :id::text and event = 'webhook.test' and settled_at is not null
      order by created_at desc offset ${keptTests}
    )
  )
  insert into webhook_delivery (id, webhook_id, event, created_at, due_at)
  select :deliveryId, :id::text, 'webhook.test', :now::timestamptz, '-infinity'
  where (
    select count(*) from webhook_delivery
    where webhook_id = :id::text and event = 'webhook.test' and settled_at is null
  ) < ${mostTests}`);

function toWebhook(row: RowOf<typeof columns>): StoredWebhook {
  const { lastAt: at, lastEvent: event, lastStatus: status, lastProblem: problem, ...webhook } = row;
  return { ...webhook, last: at === null || event === null ? null : { at, event, status, problem } };
}

export const createWebhooks = (database: Database, newId: NewId): Webhooks => ({
  create: ({ accountId, url, secret, now }) =>
    transaction(database, async (inside) => {
      if ((await execute(inside, lockToChange, { accountId })) === 0) return "noAccount";
      const { webhooks } = await onlyRowOf(inside, count, { accountId });
      if (webhooks >= webhooksPerAccount) return "full";
      return toWebhook(await onlyRowOf(inside, create, { id: newId("whk"), accountId, url, secret, now }));
    }),
  list: async (accountId) => (await rowsOf(database, list, { accountId })).map(toWebhook),
  remove: async (accountId, id) => (await execute(database, remove, { accountId, id })) === 1,
  async enable(accountId, id) {
    const row = await rowOf(database, enable, { accountId, id });
    return row && toWebhook(row);
  },
  async rotate(accountId, id, secret, formerUntil) {
    const row = await rowOf(database, rotate, { accountId, id, secret, formerUntil });
    return row && toWebhook(row);
  },
  test: (accountId, id, now) =>
    transaction(database, async (inside) => {
      if ((await rowOf(inside, findForTest, { accountId, id })) === undefined) return "unknown";
      const added = await execute(inside, addTest, { deliveryId: newId("msg"), id, now });
      return added === 1 ? "waiting" : "busy";
    }),
  deliveries: (accountId, id) => listDeliveries(database, accountId, id),
  redeliver: (accountId, id, deliveryId, now) => redeliver(database, { accountId, id, deliveryId, now }),
  take: (most, leaseSeconds, now) => takeAttempts(database, most, leaseSeconds, now),
  note: (...noted) => noteAttempt(database, ...noted),
});
