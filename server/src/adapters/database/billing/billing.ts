import type { Billing } from "../../../ports.ts";
import { execute, statement, type Database } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";
import { changePaidAccount, lockPaidAccount } from "./paid-account.ts";
import {
  findStoredSubscription,
  keepSubscription,
  listStoredSubscriptions,
  takeOverdueStored,
} from "./subscriptions.ts";

const storeEvent = statement(`
  insert into billing_event (id, account_id, at) values (:id, :accountId, :now)
  on conflict (id) do nothing returning id`);

const knowsEvent = statement("select id from billing_event where id = :id");

const findRemovedAccount = statement("select id from removed_account where id = :accountId");

/** Thrown to undo what a transaction wrote already. */
class Undo extends Error {
  readonly answer: "known" | "stale";

  constructor(answer: "known" | "stale") {
    super(answer);
    this.answer = answer;
  }
}

export const createBilling = (database: Database): Billing => ({
  knows: async (eventId) => (await execute(database, knowsEvent, { id: eventId })) > 0,

  find: (subscriptionId) => findStoredSubscription(database, subscriptionId),

  async record({ event, subscription, payment, version, now }) {
    const { accountId } = subscription;
    try {
      return await transaction(database, async (inside) => {
        const account = await lockPaidAccount(inside, accountId);
        if (!account) return (await execute(inside, findRemovedAccount, { accountId })) > 0 ? "removed" : "noAccount";
        if (event && (await execute(inside, storeEvent, { id: event.id, accountId, now })) === 0)
          throw new Undo("known");
        if (!(await keepSubscription(inside, subscription, version, now))) throw new Undo("stale");
        const subscriptions = await listStoredSubscriptions(inside, accountId);
        const payments = [subscription.lastPayment, payment].filter((one) => one !== null);
        await changePaidAccount(inside, accountId, account, subscriptions, payments);
        return "recorded";
      });
    } catch (error) {
      if (error instanceof Undo) return error.answer;
      throw error;
    }
  },

  async ignore({ id }, now) {
    await execute(database, storeEvent, { id, accountId: null, now });
  },

  list: (accountId) => listStoredSubscriptions(database, accountId),

  takeOverdue: (now) => takeOverdueStored(database, now),
});
