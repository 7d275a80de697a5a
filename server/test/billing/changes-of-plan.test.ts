import { describe, expect, test } from "vitest";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aPayer, day, daysFromNow } from "./payer.ts";
import type { StripeStandin } from "./stripe-standin.ts";

const service = serviceOfTests({ transcriber: null, stripe: {} });

/** Presses a button of a page at Stripe; where it leads. */
const press: StripeStandin["press"] = async (page, action) => service.stripe!.press(page, action); // safe: it has Stripe

describe("a plan that is changed", () => {
  test("goes up with a payment that begins a period, down without", async () => {
    const payer = await aPayer(service);
    await payer.pay("hobby");
    await payer.use(2);

    const confirm = await payer.checkout("creator");
    expect(await press(confirm, "confirm")).toBe(`${service.url}/app/usage?checkout=done`);
    expect(await payer.usage()).toMatchObject({ plan: "creator", used: 0, limit: 1_000, posts: 0 });
    expect(await service.store.billing.list(payer.accountId)).toHaveLength(1);
    const again = await payer.api("startCheckout", { plan: "creator" });
    expect([again.status, again.body.error.code]).toEqual([400, "invalidRequest"]);

    await payer.use(4);
    await press(await payer.checkout("hobby"), "confirm");
    expect(await payer.usage(), "credit is no payment").toMatchObject({ plan: "hobby", used: 4, limit: 250 });
    await press(await payer.checkout("creator"), "confirm");
    expect(await payer.usage(), "nor is going up again on that credit").toMatchObject({ plan: "creator", used: 4 });

    await payer.manage("renew");
    expect(await payer.usage()).toMatchObject({ plan: "creator", used: 0 });
  });

  test("upgrades late at a whole month's price, and downgrades with usage kept", async () => {
    const { clock } = service;
    const payer = await aPayer(service);
    await payer.pay("hobby");
    await payer.use(2);
    const { resetsAt: paidUntil } = await payer.usage();
    const up = await payer.checkout("creator");
    await payer.manage("resume");
    clock.advance(new Date(paidUntil ?? 0).getTime() - clock.now().getTime() - day);
    await press(up, "confirm");
    const above = await payer.usage();
    expect(above).toMatchObject({ plan: "creator", used: 0, limit: 1_000 });
    expect(daysFromNow(service, above.resetsAt), "a month from the change").toBeGreaterThanOrEqual(28);

    await payer.use(3);
    clock.advance(day);
    await payer.manage("hobby");
    const below = await payer.usage();
    expect(below).toMatchObject({ plan: "hobby", used: 3, limit: 250 });
    const [subscription] = await service.store.billing.list(payer.accountId);
    expect(below.resetsAt, "the next payment").toBe(subscription?.periodEnd.toISOString());
    expect(below.resetsAt! > above.resetsAt!).toBe(true);

    clock.advance(day);
    await payer.manage("creator");
    const again = await payer.usage();
    expect(again, "the cents that the credit lacks begin nothing").toMatchObject({ plan: "creator", used: 3 });
    expect(again.resetsAt! > below.resetsAt!).toBe(true);
    await payer.manage("fail-next");
    await payer.manage("renew");
    expect(await payer.usage(), "what is not paid puts nothing off").toEqual(again);
    await payer.manage("pay-open");
    expect(await payer.usage()).toMatchObject({ plan: "creator", used: 0 });
  });

  test("renews on the credit of a downgrade as on money", async () => {
    const payer = await aPayer(service);
    await payer.pay("creator");
    await press(await payer.checkout("hobby"), "confirm");
    await payer.use(3);
    await payer.manage("renew");
    expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0 });
  });
});

test("a new subscription paid by an earlier one's credit begins a period", async () => {
  const payer = await aPayer(service);
  await payer.use(2);
  await payer.pay("creator");
  await payer.manage("hobby");
  await payer.manage("cancel-now");
  service.clock.advance(1_000);
  expect(await payer.usage()).toMatchObject({ plan: "free", used: 2 });
  await payer.pay("hobby");
  expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0, resetsAt: expect.any(String) });
});
