import { runUpkeep } from "../../harness/look-after.ts";
import { describe, expect, test } from "vitest";
import type { BilledSubscription, Payment, Store } from "../../../src/ports.ts";
import { after, anAccount, start, unique } from "./fixtures.ts";

const monthEnd = after(30 * 86_400);

const aSubscription = (accountId: string, changes: Partial<BilledSubscription> = {}): BilledSubscription => ({
  id: `sub_${unique()}`,
  accountId,
  customerId: "cus_1",
  plan: "creator",
  status: "active",
  createdAt: start,
  periodEnd: monthEnd,
  cancelsAt: null,
  lastPayment: null,
  ...changes,
});

const aPayment = (subscriptionId: string, changes: Partial<Payment> = {}): Payment => ({
  invoiceId: `in_${unique()}`,
  subscriptionId,
  cents: 2_900,
  paidAt: start,
  periodEnd: monthEnd,
  ...changes,
});

const anEvent = () => ({ id: `evt_${unique()}` });

export function billing(store: Store): void {
  const record = (
    subscription: BilledSubscription,
    { version = 0, payment = null, event = anEvent() }: Partial<Parameters<Store["billing"]["record"]>[0]> = {},
  ) => store.billing.record({ subscription, version, payment, event, now: start });

  describe("subscriptions", () => {
    test("that are paid before they are live begin their period then", async () => {
      const { id } = await anAccount(store);
      const subscription = aSubscription(id, { status: "incomplete" });
      const payment = aPayment(subscription.id);
      expect(await record({ ...subscription, lastPayment: payment }, { payment })).toBe("recorded");
      expect(await store.accounts.find(id)).toMatchObject({ plan: "free", paidPeriod: null });
      const live = { ...subscription, status: "active", lastPayment: payment } as const;
      expect(await record(live, { version: 1 })).toBe("recorded");
      const paid = { plan: "creator", paidPeriod: { start, end: monthEnd } };
      expect(await store.accounts.find(id)).toMatchObject(paid);
      expect(await record(live, { version: 2, payment })).toBe("recorded");
      expect(await store.accounts.find(id)).toMatchObject(paid);
    });

    test("aren't overwritten by an older reading, which then changes nothing", async () => {
      const { id } = await anAccount(store);
      const subscription = aSubscription(id);
      expect(await store.billing.find(subscription.id)).toBeUndefined();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => record(subscription, { payment: aPayment(subscription.id) })),
      );
      expect(answers.toSorted()).toEqual(["recorded", ...Array.from({ length: 9 }, () => "stale")]);
      const { lastPayment: _none, ...stored } = subscription;
      expect(await store.billing.find(subscription.id)).toEqual({ subscription: stored, version: 1 });
      const event = anEvent();
      expect(await record({ ...subscription, status: "canceled" }, { event })).toBe("stale");
      expect(await store.billing.knows(event.id)).toBe(false);
      expect(await store.accounts.find(id)).toMatchObject({ plan: "creator" });
    });

    test("never change hands", async () => {
      const owner = await anAccount(store);
      const other = await anAccount(store);
      const subscription = aSubscription(owner.id);
      await record(subscription);
      expect(await record({ ...subscription, accountId: other.id }, { version: 1 })).toBe("stale");
      expect(await store.accounts.find(other.id)).toMatchObject({ plan: "free" });
    });

    test("an event repeated twenty times counts once, a payment begins one period", async () => {
      const { id } = await anAccount(store);
      const subscription = aSubscription(id);
      await record(subscription);
      const event = anEvent();
      const payment = aPayment(subscription.id);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => record(subscription, { version: 1, payment, event })),
      );
      expect(answers.filter((answer) => answer === "recorded")).toHaveLength(1);
      const { paidPeriod } = (await store.accounts.find(id))!;
      expect(paidPeriod).toEqual({ start, end: monthEnd });
      expect(await record(subscription, { version: 2, payment })).toBe("recorded");
      expect(await record(subscription, { version: 3, payment: aPayment(subscription.id, { cents: 0 }) })).toBe(
        "recorded",
      );
      expect((await store.accounts.find(id))!.paidPeriod).toEqual(paidPeriod);
      expect(await record(subscription, { version: 4, payment: aPayment(subscription.id) })).toBe("recorded");
      expect((await store.accounts.find(id))!.paidPeriod).toEqual({ start: after(0.001), end: monthEnd });
      const later = after(86_400, monthEnd);
      const downgrade = aPayment(subscription.id, { cents: 0, periodEnd: later });
      expect(await record(subscription, { version: 5, payment: downgrade })).toBe("recorded");
      expect((await store.accounts.find(id))!.paidPeriod).toEqual({ start: after(0.001), end: later });
    });

    test("whose period is over are each given to one asker an hour", async () => {
      const { id } = await anAccount(store);
      const overdue = aSubscription(id);
      const ended = aSubscription(id, { status: "canceled" });
      await record(overdue);
      await record(ended);
      const ours = async (seconds: number) =>
        (await Promise.all([0, 1, 2].map(async () => store.billing.takeOverdue(after(seconds, monthEnd)))))
          .flat()
          .filter(({ accountId }) => accountId === id)
          .map((subscription) => subscription.id);
      expect(await ours(-1)).toEqual([]);
      expect(await ours(0)).toEqual([overdue.id]);
      expect(await ours(3_599)).toEqual([]);
      expect(await ours(3_600)).toEqual([overdue.id]);
    });

    test("events that mean nothing are known too, and forgotten after 60 days", async () => {
      const event = anEvent();
      await store.billing.ignore(event, start);
      await store.billing.ignore(event, start);
      await runUpkeep(store, "forget-billing-events", after(60 * 86_400));
      expect(await store.billing.knows(event.id)).toBe(true);
      await runUpkeep(store, "forget-billing-events", after(60 * 86_400 + 1));
      expect(await store.billing.knows(event.id)).toBe(false);
    });
  });
}
