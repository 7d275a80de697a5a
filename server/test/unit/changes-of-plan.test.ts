import fc from "fast-check";
import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  balanceOf,
  beginSubscription,
  changePlan,
  dueOf,
  emptyBooks,
  endPeriod,
  type Happening,
  type Invoice,
} from "../billing/stripe-books.ts";
import { paymentOf } from "../../src/adapters/billing/stripe-objects.ts";
import type { Account } from "../../src/ports.ts";
import { periodBegunBy, periodKeptBy } from "../../src/rules/subscription-rules.ts";

type Plan = "hobby" | "creator";
const cents = { hobby: 1_000, creator: 2_900 };
const day = 86_400;
const start = 1_800_000_000;

interface Begun {
  readonly invoice: Invoice;
  readonly cents: number;
  /** The price of the time that passed since the period before began. */
  readonly usedSince: number;
}

/** Pays for a plan and then changes to others, each after some seconds; months are renewed on the way. */
function live(first: Plan, changes: readonly { readonly after: number; readonly plan: Plan }[]) {
  const books = emptyBooks();
  let now = start;
  let used = 0;
  let period: Account["paidPeriod"] = null;
  const begunBy: Begun[] = [];
  let usedBefore = 0;
  const apply = (happenings: Happening[] | "declined"): void => {
    if (happenings === "declined") expect.fail("no card fails here");
    for (const { type, object } of happenings) {
      if (type !== "invoice.paid") continue;
      // safe: the fields that are read are those that the books write
      const payment = paymentOf(object as Stripe.Invoice)!;
      const invoice = books.invoices.find(({ id }) => id === payment.invoiceId)!;
      const begun = periodBegunBy(payment, invoice.subscriptionId, period?.start ?? null);
      if (begun) {
        begunBy.push({ invoice, cents: payment.cents, usedSince: used - usedBefore });
        usedBefore = used;
      }
      period = begun ?? periodKeptBy(period, payment, invoice.subscriptionId);
    }
  };
  const payer = { accountId: "acc_1", customerId: "cus_1", plan: first };
  const { subscription, happenings: begun } = beginSubscription(books, payer, now);
  apply(begun);
  const pass = (until: number): void => {
    const { plan, periodStart, periodEnd } = subscription;
    used += (cents[plan] * (until - now)) / (periodEnd - periodStart);
    now = until;
  };
  for (const { after, plan } of changes) {
    const until = now + after;
    while (subscription.periodEnd <= until) {
      pass(subscription.periodEnd);
      apply(endPeriod(books, subscription, now));
    }
    pass(until);
    apply(changePlan(books, subscription, plan, now));
    const beyond = (period!.end.getTime() / 1_000 - subscription.periodEnd) / day; // safe: paying began one
    expect(beyond, "use is reset with the next payment").toBeGreaterThanOrEqual(0);
    expect(beyond, "or after the days that its month lacks").toBeLessThanOrEqual(3);
  }
  const { plan, periodStart, periodEnd } = subscription;
  const rest = (cents[plan] * (periodEnd - now)) / (periodEnd - periodStart);
  const money = books.invoices.reduce((sum, invoice) => sum + dueOf(invoice), 0);
  return { money, used, rest, credit: -balanceOf(books, subscription), begunBy, months: (now - start) / (28 * day) };
}

const aPlan = fc.constantFrom<Plan>("hobby", "creator");
const aWait = fc.oneof(fc.constantFrom(0, 1, 60, 30 * day, 31 * day), fc.integer({ min: 0, max: 80 * day }));

test("no sequence of plan changes begins an unpaid period", () => {
  fc.assert(
    fc.property(aPlan, fc.array(fc.record({ after: aWait, plan: aPlan }), { maxLength: 12 }), (first, changes) => {
      const { money, used, rest, credit, begunBy, months } = live(first, changes);
      expect(Math.abs(money - used - rest - credit), "the books balance").toBeLessThanOrEqual(1 + changes.length);
      const byChange = begunBy.filter(({ invoice }) => invoice.reason === "subscription_update");
      for (const { invoice, usedSince } of byChange) {
        const paid = invoice.plan === "creator" ? dueOf(invoice) : usedSince + 1;
        const about = "up is paid in money, and down for money begins only after as much of Creator's month";
        expect(paid, about).toBeGreaterThanOrEqual(cents.creator - cents.hobby);
      }
      const byMonth = begunBy.filter(({ invoice }) => invoice.reason !== "subscription_update");
      for (const one of byMonth) expect(one.cents, "a month is paid in full").toBe(cents[one.invoice.plan]);
      expect(byMonth.length, "and renewed once a month").toBeLessThanOrEqual(1 + months);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["up on the last day", 2, [up(29 * day)]],
  ["up, down and up at once", 2, [up(0), down(0), up(0)]],
  ["up, down and up for the cents of a day", 2, [up(0), down(0), up(day)]],
  ["up, down and up with the credit spent", 5, [up(0), down(0), up(62 * day)]],
  ["up, and down on the last day for money", 3, [up(0), down(29 * day)]],
] as const)("who goes %s has begun %i periods", (_name, periods, changes) => {
  expect(live("hobby", changes).begunBy).toHaveLength(periods);
});

function up(after: number) {
  return { after, plan: "creator" } as const;
}
function down(after: number) {
  return { after, plan: "hobby" } as const;
}
