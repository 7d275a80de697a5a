import { lockToChange } from "../accounts/accounts.ts";
import {
  listedDeliveries,
  redeliveriesPerMinute,
  webhookEvents,
  webhookProblems,
  webhooksPerAccount,
} from "@reelscript/contract";
import type { NewId, StoredWebhook, Webhooks } from "../../../ports.ts";
import { isBoolean, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Database, type RowOf } from "../engine/statement.ts";
import { createWebhookAttempts } from "./webhook-attempts.ts";

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
  with maker as materialized (select id from api_key where id = :keyId and revoked_at is null for share)
  insert into webhook (id, account_id, url, secret, created_at, key_id)
  select :id, :accountId, :url, :secret, :now::timestamptz, :keyId
  where :keyId::text is null or exists (select from maker)
  returning ${names}`).reading(columns);

const list = statement(`select ${names} from webhook where account_id = :accountId order by number`).reading(columns);

const remove = statement("delete from webhook where account_id = :accountId and id = :id");

/** Makes missed events due in their original order, each with as many attempts as a new event. */
const enable = statement(`
  with target as materialized (
    select id as target_id, disabled_at is not null as was_disabled from webhook
    where account_id = :accountId and id = :id for no key update
  ), missed as (
    update webhook_delivery as d set attempts = 0, due_at = d.created_at, settled_at = null from target
    where target.was_disabled and d.webhook_id = target.target_id and d.event <> 'webhook.test'
      and (d.settled_at is null or d.last_problem is not null)
  )
  update webhook set disabled_at = null, failing_since = null, key_id = :keyId from target where id = target_id
  returning ${names}`).reading(columns);

const rotate = statement(`
  update webhook set former_secret = secret, former_until = :formerUntil::timestamptz, secret = :secret
  where account_id = :accountId and id = :id
  returning ${names}`).reading(columns);

const mostTests = 3;
const keptTests = 20;

/** Serializes concurrent tests and redeliveries, so that they can be counted. */
const lockToCount = statement(`
  select disabled_at is not null as is_disabled from webhook where account_id = :accountId and id = :id
  for no key update`).reading({ isDisabled: isBoolean });

/** A test is due before everything else. Any number may be sent in a day, so only a few are kept. */
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

const findWebhook = statement("select id from webhook where account_id = :accountId and id = :id");

/** Events of a disabled endpoint may wait for any time; tests don't, and are due before everything else. */
const listDeliveries = statement(`
  select d.id, d.event, d.transcription_id, d.batch_id, d.created_at, d.attempts, d.last_at as attempted_at,
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
  batchId: orNull(isText),
  createdAt: isMoment,
  attempts: isNumber,
  attemptedAt: orNull(isMoment),
  status: orNull(isNumber),
  problem: orNull(isOneOf(...webhookProblems)),
  nextAttemptAt: orNull(isMoment),
});

const isOver = "redelivered_since <= :now::timestamptz - interval '1 minute'";
const countRedelivery = statement(`
  update webhook set redelivered = case when ${isOver} then 1 else redelivered + 1 end,
    redelivered_since = case when ${isOver} then :now::timestamptz else redelivered_since end
  where id = :id and (redelivered < ${redeliveriesPerMinute} or ${isOver})`);

/** A delivery that is still being tried keeps its number of attempts, because one may be running. */
const sendAgain = statement(`
  update webhook_delivery set due_at = :now::timestamptz, settled_at = null,
    attempts = case when settled_at is null then attempts else 0 end
  where id = :deliveryId and webhook_id = :id`);

function toWebhook(row: RowOf<typeof columns>): StoredWebhook {
  const { lastAt: at, lastEvent: event, lastStatus: status, lastProblem: problem, ...webhook } = row;
  return { ...webhook, last: at === null || event === null ? null : { at, event, status, problem } };
}

export const createWebhooks = (database: Database, newId: NewId): Webhooks => ({
  create: ({ accountId, keyId, url, secret, now }) =>
    transaction(database, async (inside) => {
      if ((await lockToChange.run(inside, { accountId })) === 0) return "noAccount";
      const { webhooks } = await count.onlyRow(inside, { accountId });
      if (webhooks >= webhooksPerAccount) return "full";
      const newWebhook = await create.row(inside, { id: newId("whk"), accountId, keyId, url, secret, now });
      return newWebhook === undefined ? "noKey" : toWebhook(newWebhook);
    }),
  list: async (accountId) => (await list.rows(database, { accountId })).map(toWebhook),
  remove: async (accountId, id) => (await remove.run(database, { accountId, id })) === 1,
  async enable(accountId, id, keyId) {
    const row = await enable.row(database, { accountId, id, keyId });
    return row && toWebhook(row);
  },
  async rotate(accountId, id, secret, formerUntil) {
    const row = await rotate.row(database, { accountId, id, secret, formerUntil });
    return row && toWebhook(row);
  },
  test: (accountId, id, now) =>
    transaction(database, async (inside) => {
      if ((await lockToCount.run(inside, { accountId, id })) === 0) return "unknown";
      const added = await addTest.run(inside, { deliveryId: newId("msg"), id, now });
      return added === 1 ? "waiting" : "busy";
    }),
  async deliveries(accountId, id) {
    if ((await findWebhook.run(database, { accountId, id })) === 0) return undefined;
    return listDeliveries.rows(database, { id });
  },
  redeliver: (accountId, id, deliveryId, now) =>
    transaction(database, async (inside) => {
      const webhook = await lockToCount.row(inside, { accountId, id });
      if (webhook === undefined) return "unknown";
      if (webhook.isDisabled) return "disabled";
      if ((await countRedelivery.run(inside, { id, now })) === 0) return "busy";
      return (await sendAgain.run(inside, { deliveryId, id, now })) === 1 ? "waiting" : "unknown";
    }),
  ...createWebhookAttempts(database),
});
