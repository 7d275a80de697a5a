import { afterEach, describe, expect, test } from "vitest";
import { createStripeBiller } from "../../src/adapters/billing/stripe-biller.ts";
import { paymentOf } from "../../src/adapters/billing/stripe-objects.ts";
import type { Biller } from "../../src/ports.ts";

interface StripeRequest {
  readonly call: string;
  readonly form: Readonly<Record<string, string>>;
}

let stripeRequests: StripeRequest[] = [];
afterEach(() => {
  stripeRequests = [];
});

/** A biller whose servers answer what the test says, and fail for anything else. */
function aBiller(answers: Readonly<Record<string, unknown>>): Biller {
  return createStripeBiller({
    secretKey: "sk_test_nothing",
    webhookSecret: "whsec_nothing",
    onNotice: () => undefined,
    fetch: async (resource, init) => {
      const { pathname } = new URL(resource instanceof Request ? resource.url : resource);
      const call = `${init?.method} ${pathname}`;
      const body = typeof init?.body === "string" ? init.body : "";
      stripeRequests.push({ call, form: Object.fromEntries(new URLSearchParams(body)) });
      const given = answers[call];
      const answer = given instanceof Function ? (given(stripeRequests.at(-1)?.form) as unknown) : given;
      if (answer instanceof Response) return answer;
      if (answer instanceof Error) throw answer;
      if (answer === undefined) return Response.json({ error: { code: "resource_missing" } }, { status: 404 });
      return Response.json(answer);
    },
  });
}

const price = (plan: "hobby" | "creator", changes: object = {}) => ({
  id: `price_${plan}`,
  lookup_key: `reelscript_${plan}_monthly`,
  currency: "usd",
  unit_amount: plan === "hobby" ? 1_000 : 2_900,
  product: `prod_${plan}`,
  recurring: { interval: "month", interval_count: 1 },
  ...changes,
});

const checkout = {
  accountId: "acc_1",
  email: "ada@example.com",
  customerId: null,
  plan: "creator",
  successUrl: "http://127.0.0.1/done",
  cancelUrl: "http://127.0.0.1/canceled",
} as const;

const prices = "GET /v1/prices";
const checkouts = "POST /v1/checkout/sessions";
const page = { id: "cs_1", url: "https://pay.example/cs_1" };

describe("Stripe", () => {
  test("receives the subscription's account, so that every event names it", async () => {
    const biller = aBiller({ [prices]: { data: [price("hobby"), price("creator")] }, [checkouts]: page });
    expect(await biller.startCheckout(checkout)).toBe(page.url);
    expect(stripeRequests.at(-1)).toEqual({
      call: checkouts,
      form: {
        mode: "subscription",
        "line_items[0][price]": "price_creator",
        "line_items[0][quantity]": "1",
        client_reference_id: "acc_1",
        "subscription_data[metadata][account_id]": "acc_1",
        customer_email: "ada@example.com",
        success_url: checkout.successUrl,
        cancel_url: checkout.cancelUrl,
      },
    });
    await biller.startCheckout({ ...checkout, customerId: "cus_1" });
    expect(stripeRequests.at(-1)?.form).toMatchObject({ customer: "cus_1" });
    expect(stripeRequests.at(-1)?.form).not.toHaveProperty("customer_email");
  });

  test.each([
    ["another amount", [price("creator", { unit_amount: 2_800 })], /2800 cents usd, but the plan creator costs 2900/],
    ["another currency", [price("creator", { currency: "eur" })], /2900 cents eur/],
    ["years", [price("creator", { recurring: { interval: "year", interval_count: 1 } })], /does not recur every month/],
    ["no price", [price("hobby")], /reelscript_creator_monthly does not exist/],
  ])("sells nothing for %s, and says why to the operator", async (_name, data, says) => {
    const biller = aBiller({ [prices]: { data }, [checkouts]: page });
    const failure = await biller.startCheckout(checkout).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toHaveProperty("status");
    expect(String(failure)).toMatch(says);
    expect(stripeRequests.map(({ call }) => call)).toEqual([prices]);
  });

  test("lets people pay after it deleted a customer or refused an address", async () => {
    const refuse = (param: string, code: string) => Response.json({ error: { code, param } }, { status: 400 });
    const biller = aBiller({
      [prices]: { data: [price("hobby"), price("creator")] },
      [checkouts]: (form: StripeRequest["form"]) => {
        if (form.customer !== undefined) return refuse("customer", "resource_missing");
        const { customer_email: email } = form;
        return email === undefined || email.includes(".") ? page : refuse("customer_email", "email_invalid");
      },
      "GET /v1/billing_portal/configurations": { data: [] },
      "POST /v1/billing_portal/configurations": { id: "bpc_1" },
      "POST /v1/billing_portal/sessions": () => refuse("customer", "resource_missing"),
    });
    await expect(biller.startCheckout({ ...checkout, customerId: "cus_gone" })).resolves.toBe(page.url);
    expect(stripeRequests.at(-1)?.form).toMatchObject({ customer_email: checkout.email });
    await expect(biller.startCheckout({ ...checkout, email: "ada@localhost" })).resolves.toBe(page.url);
    await expect(biller.openPortal({ customerId: "cus_gone", returnUrl: "http://127.0.0.1/" })).rejects.toMatchObject({
      code: "notFound",
    });
  });

  test("changes a plan after confirmation, and invoices a new month immediately", async () => {
    const configurations = [
      { id: "bpc_other", metadata: {} },
      { id: "bpc_before", metadata: { reelscript: "price_hobby price_creator" } },
    ];
    const answers = {
      [prices]: { data: [price("hobby"), price("creator")] },
      "GET /v1/billing_portal/configurations": () => ({ data: configurations }),
      "POST /v1/billing_portal/configurations": { id: "bpc_1" },
      "GET /v1/subscriptions/sub_1": { id: "sub_1", items: { data: [{ id: "si_1" }] } },
      "POST /v1/billing_portal/sessions": { id: "bps_1", url: "https://pay.example/bps_1" },
    };
    const biller = aBiller(answers);
    const returnUrl = "http://127.0.0.1/app/usage";
    const change = { subscriptionId: "sub_1", plan: "creator" } as const;
    expect(await biller.openPortal({ customerId: "cus_1", returnUrl, change })).toBe("https://pay.example/bps_1");
    const flow = "flow_data[subscription_update_confirm]";
    expect(stripeRequests.at(-1)?.form).toMatchObject({
      customer: "cus_1",
      configuration: "bpc_1",
      "flow_data[type]": "subscription_update_confirm",
      [`${flow}[subscription]`]: "sub_1",
      [`${flow}[items][0][id]`]: "si_1",
      [`${flow}[items][0][price]`]: "price_creator",
    });
    const creation = stripeRequests.find(({ call }) => call === "POST /v1/billing_portal/configurations");
    expect(creation?.form).toMatchObject({
      "features[subscription_update][billing_cycle_anchor]": "now",
      "features[subscription_update][proration_behavior]": "always_invoice",
      "features[subscription_cancel][mode]": "at_period_end",
      "features[subscription_update][products][1][product]": "prod_creator",
    });
    stripeRequests = [];
    await biller.openPortal({ customerId: "cus_1", returnUrl });
    expect(stripeRequests.map(({ call }) => call)).toEqual(["POST /v1/billing_portal/sessions"]);

    configurations.push({ id: "bpc_ours", metadata: { reelscript: creation?.form["metadata[reelscript]"] ?? "" } });
    await aBiller(answers).openPortal({ customerId: "cus_1", returnUrl });
    expect(stripeRequests.at(-1)?.form, "the next process finds what was made").toMatchObject({
      configuration: "bpc_ours",
    });
  });

  const subscription = (changes: object = {}) => ({
    id: "sub_1",
    customer: "cus_1",
    status: "active",
    created: 1_800_000_000,
    metadata: { account_id: "acc_1" },
    cancel_at: null,
    cancel_at_period_end: false,
    latest_invoice: null,
    items: { data: [{ id: "si_1", price: price("hobby"), current_period_end: 1_802_678_400 }] },
    ...changes,
  });
  const reading = async (changes: object) =>
    aBiller({
      [prices]: { data: [price("hobby"), price("creator")] },
      "GET /v1/subscriptions/sub_1": subscription(changes),
    }).readSubscription("sub_1");

  test("reports a subscription's plan, also at an old price, and its end", async () => {
    const periodEnd = new Date(1_802_678_400_000);
    expect(await reading({})).toEqual({
      id: "sub_1",
      accountId: "acc_1",
      customerId: "cus_1",
      plan: "hobby",
      status: "active",
      createdAt: new Date(1_800_000_000_000),
      periodEnd,
      cancelsAt: null,
      lastPayment: null,
    });
    const items = (one: object) => ({ items: { data: [{ price: one, current_period_end: 1_802_678_400 }] } });
    const before = price("creator", { id: "price_before", lookup_key: null, unit_amount: 1_900 });
    expect(await reading(items(before))).toMatchObject({ plan: "creator" });
    expect(await reading({ cancel_at_period_end: true })).toMatchObject({ cancelsAt: periodEnd });
    expect(await reading({ cancel_at: 1_801_000_000 })).toMatchObject({ cancelsAt: new Date(1_801_000_000_000) });
    expect(await reading({ metadata: {} }), "of something else that is sold there").toBeUndefined();
    const other = price("hobby", { id: "price_other", lookup_key: null, product: "prod_other" });
    await expect(reading(items(other))).rejects.toThrow(/price_other, which is no plan's/);
    expect(await reading({ ...items(other), metadata: { account_id: "4711" } }), "another service").toBeUndefined();
    const former = price("hobby", { id: "price_former", lookup_key: "reelscript_hobby_2025" });
    expect(await reading(items(former))).toMatchObject({ plan: "hobby" });
    await expect(reading({ status: "dreaming" })).rejects.toThrow(/unknown status dreaming/);
    expect(await aBiller({}).readSubscription("sub_1")).toBeUndefined();
  });

  test("that isn't responding is named as such, without its own error text", async () => {
    const biller = aBiller({ [prices]: new Error("connect ECONNREFUSED 10.1.2.3:443") });
    await expect(biller.startCheckout(checkout)).rejects.toMatchObject({
      code: "upstreamError",
      message: "The payment provider isn't responding. Nothing was changed. Try again in a minute.",
    });
  });
});

describe("what an invoice pays", () => {
  const invoice = (changes: object) =>
    paymentOf({
      id: "in_1",
      status: "paid",
      created: 1_800_000_000,
      period_end: 1_800_000_000,
      billing_reason: "subscription_cycle",
      amount_paid: 1_000,
      starting_balance: 0,
      ending_balance: 0,
      status_transitions: { paid_at: 1_800_000_100 },
      parent: { subscription_details: { subscription: "sub_1" } },
      lines: { data: [{ period: { end: 1_800_000_000 } }, { period: { end: 1_802_678_400 } }] },
      ...changes,
    } as Parameters<typeof paymentOf>[0]); // safe: it reads these fields and no others

  test("is the amount, from the payment until its last line ends", () => {
    expect(invoice({})).toEqual({
      invoiceId: "in_1",
      subscriptionId: "sub_1",
      cents: 1_000,
      paidAt: new Date(1_800_000_100_000),
      periodEnd: new Date(1_802_678_400_000),
    });
    expect(invoice({ status: "open" })).toBeUndefined();
    expect(invoice({ parent: null })).toBeUndefined();
  });

  test.each([
    ["a month, by credit", { amount_paid: 0, starting_balance: -1_900, ending_balance: -900 }, 1_000],
    [
      "a first month, by credit",
      { billing_reason: "subscription_create", amount_paid: 0, starting_balance: -1_900, ending_balance: -900 },
      1_000,
    ],
    ["a month, by both", { amount_paid: 400, starting_balance: -600, ending_balance: 0 }, 1_000],
    ["a month that is a gift", { amount_paid: 0, starting_balance: -1_900, ending_balance: -1_900 }, 0],
    ["a month with a debt of before", { amount_paid: 1_500, starting_balance: 500, ending_balance: 0 }, 1_500],
    [
      "a change, by credit",
      { billing_reason: "subscription_update", amount_paid: 0, starting_balance: -1_900, ending_balance: 0 },
      0,
    ],
    [
      "a change, by the credit of a downgrade and little money",
      { billing_reason: "subscription_update", amount_paid: 1_000, starting_balance: -900, ending_balance: 0 },
      0,
    ],
    [
      "a change, by what going up costs at the least and credit besides",
      { billing_reason: "subscription_update", amount_paid: 1_900, starting_balance: -500, ending_balance: 0 },
      1_900,
    ],
    ["a change, at a price of before", { billing_reason: "subscription_update", amount_paid: 1_700 }, 1_700],
    ["something else, billed by hand", { billing_reason: "manual", amount_paid: 500 }, 0],
    ["a trial", { billing_reason: "subscription_create", amount_paid: 0 }, 0],
  ])("of %s is %o: %i cents", (_name, changes, cents) => {
    expect(invoice(changes)?.cents).toBe(cents);
  });
});
