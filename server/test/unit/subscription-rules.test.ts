import { describe, expect, test } from "vitest";
import type { Payment, SubscriptionStatus } from "../../src/ports.ts";
import { periodBegunBy, periodKeptBy, planSourceOf } from "../../src/rules/subscription-rules.ts";

const subscription = (id: string, plan: "hobby" | "creator", status: SubscriptionStatus, seconds = 0) => ({
  id,
  plan,
  status,
  createdAt: new Date(seconds * 1_000),
});

const free = { plan: "free", subscriptionId: null } as const;
const given = { plan: "hobby", subscriptionId: null } as const;
const paid = { plan: "creator", subscriptionId: "sub_1" } as const;

describe("the plan", () => {
  test.each(["trialing", "active", "past_due"] as const)("comes from a subscription that is %s", (status) => {
    for (const before of [free, given, paid])
      expect(planSourceOf(before, [subscription("sub_1", "creator", status)])).toEqual(paid);
  });

  test.each(["canceled", "unpaid", "incomplete_expired", "incomplete", "paused"] as const)(
    "is Free once its subscription is %s, unless the operator granted it",
    (status) => {
      const subscriptions = [subscription("sub_1", "creator", status)];
      expect(planSourceOf(paid, subscriptions)).toEqual(free);
      expect(planSourceOf(given, subscriptions)).toEqual(given);
      expect(planSourceOf(free, subscriptions)).toEqual(free);
    },
  );

  test("comes from the newest live one, whatever happened to older ones", () => {
    const older = subscription("sub_1", "creator", "active", 1);
    const newer = subscription("sub_2", "hobby", "active", 2);
    expect(planSourceOf(paid, [older, newer])).toEqual({ plan: "hobby", subscriptionId: "sub_2" });
    expect(planSourceOf(paid, [subscription("sub_1", "creator", "canceled", 1), newer])).toEqual({
      plan: "hobby",
      subscriptionId: "sub_2",
    });
  });

  test("comes from the same one of two simultaneous ones in any order", () => {
    const pair = [subscription("sub_1", "creator", "active"), subscription("sub_2", "hobby", "active")];
    for (const read of [pair, pair.toReversed()])
      expect(planSourceOf(free, read)).toEqual({ plan: "hobby", subscriptionId: "sub_2" });
  });
});

describe("a payment", () => {
  const at = (seconds: number): Date => new Date(1_800_000_000_000 + seconds * 1_000);
  const end = at(2_600_000);
  const payment = (changes: Partial<Payment> = {}): Payment => ({
    invoiceId: "in_1",
    subscriptionId: "sub_1",
    cents: 2_900,
    paidAt: at(0),
    periodEnd: end,
    ...changes,
  });

  test("begins a period when it is made", () => {
    expect(periodBegunBy(payment(), "sub_1", null)).toEqual({ start: at(0), end });
    expect(periodBegunBy(payment(), "sub_1", at(-100))).toEqual({ start: at(0), end });
  });

  test("of nothing, another subscription, or before the current one begins none", () => {
    expect(periodBegunBy(payment({ cents: 0 }), "sub_1", null)).toBeUndefined();
    expect(periodBegunBy(payment(), "sub_2", null)).toBeUndefined();
    expect(periodBegunBy(payment(), null, null)).toBeUndefined();
    expect(periodBegunBy(payment(), "sub_1", at(1))).toBeUndefined();
  });

  test("that begins none delays the period's end, never advances it", () => {
    const period = { start: at(-100), end: at(2_000_000) };
    expect(periodKeptBy(period, payment({ cents: 0 }), "sub_1")).toEqual({ start: at(-100), end });
    expect(periodKeptBy(period, payment({ cents: 0, periodEnd: at(1_000_000) }), "sub_1")).toEqual(period);
    expect(periodKeptBy(period, payment({ cents: 0 }), "sub_2")).toEqual(period);
    expect(periodKeptBy(null, payment({ cents: 0 }), "sub_1")).toBeNull();
  });

  test("in the same second as the previous one begins another period", () => {
    const start = new Date(at(0).getTime() + 1);
    expect(periodBegunBy(payment(), "sub_1", at(0))).toEqual({ start, end });
  });
});
