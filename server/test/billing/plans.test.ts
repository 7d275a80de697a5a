import { describe, expect, test, vi } from "vitest";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aPayer, day, daysFromNow } from "./payer.ts";
import type { StripeStandin } from "./stripe-standin.ts";

const service = serviceOfTests({
  transcriber: null,
  stripe: {},
});

/** Presses a button of a page at Stripe; where it leads. */
const press: StripeStandin["press"] = async (page, action) => service.stripe!.press(page, action); // safe: it has Stripe

describe("a plan that is paid for", () => {
  test("begins with the payment in every slot, and ends with lifetime counts", async () => {
    const payer = await aPayer(service);
    await payer.use(3);
    expect(await payer.usage()).toEqual({ plan: "free", used: 3, limit: 10, resetsAt: null, posts: 0 });
    expect((await payer.api("getBilling")).body).toEqual({
      plan: "free",
      status: "none",
      periodEnd: null,
      cancelsAt: null,
      manageable: false,
      sells: true,
    });

    await payer.pay("creator");
    const paid = await payer.usage();
    expect(paid).toMatchObject({ plan: "creator", used: 0, limit: 1_000 });
    expect([28, 29, 30, 31]).toContain(daysFromNow(service, paid.resetsAt));
    const billing = (await payer.api("getBilling")).body;
    expect(billing).toMatchObject({ plan: "creator", status: "active", cancelsAt: null, manageable: true });
    expect(billing.periodEnd).toBe(paid.resetsAt);
    const dashboard = (await payer.api("getUsage")).body;
    expect(dashboard).toMatchObject({
      plan: "creator",
      transcriptions: { used: 0, limit: 1_000 },
      posts: { limit: null },
    });

    await payer.use(2);
    await payer.manage("cancel");
    const ending = (await payer.api("getBilling")).body;
    expect(ending).toMatchObject({ status: "active", cancelsAt: paid.resetsAt });
    expect(await payer.usage()).toEqual({ ...paid, used: 2 });
    await payer.manage("renew");
    expect(await payer.usage()).toEqual({ plan: "free", used: 3, limit: 10, resetsAt: null, posts: 0 });
    expect((await payer.api("getBilling")).body).toMatchObject({ plan: "free", status: "canceled", manageable: true });

    await payer.pay("hobby");
    expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0, limit: 250 });
  });

  test("continues after a failed payment, without a new period until paid", async () => {
    const payer = await aPayer(service);
    await payer.pay("hobby");
    await payer.use(1);
    const before = await payer.usage();
    await payer.manage("fail-next");
    await payer.manage("renew");
    expect(await payer.usage()).toEqual(before);
    expect((await payer.api("getBilling")).body).toMatchObject({ plan: "hobby", status: "pastDue" });
    service.clock.advance(40 * day);
    expect(await payer.usage(), "time alone resets nothing").toEqual(before);

    await payer.manage("pay-open");
    const after = await payer.usage();
    expect(after).toMatchObject({ plan: "hobby", used: 0 });
    expect(after.resetsAt! > before.resetsAt!).toBe(true);
    expect(await service.store.billing.list(payer.accountId)).toMatchObject([{ status: "active" }]);

    await payer.manage("cancel-now");
    expect(await payer.usage()).toMatchObject({ plan: "free", used: 0, resetsAt: null });
  });

  test("settles units where they were held, also when the period ended meanwhile", async () => {
    const payer = await aPayer(service);
    const finishFree = await payer.hold();
    await payer.pay("hobby");
    const finishPaid = await payer.hold();
    const { paidPeriod } = (await service.store.accounts.find(payer.accountId))!;
    await payer.manage("renew");
    await finishFree();
    await finishPaid();
    expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0 });
    const read = (period: string) => service.store.allowances.read({ accountId: payer.accountId, slot: 1 }, period);
    expect(await read("lifetime")).toEqual({ used: 1, held: 0 });
    expect(await read(paidPeriod!.start.toISOString())).toEqual({ used: 1, held: 0 });
    await payer.manage("cancel-now");
    expect(await payer.usage()).toMatchObject({ plan: "free", used: 1 });
  });

  test("is ended before its account, which stays while the biller is down", async () => {
    const { store, biller } = service;
    const payer = await aPayer(service);
    await payer.pay("hobby");
    const [subscription] = await store.billing.list(payer.accountId);
    const { id } = subscription!;
    const { email } = (await store.accounts.find(payer.accountId))!;

    service.stripe!.isAway = true;
    for (const [name, input] of [
      ["deleteAccount", { confirm: email }],
      ["startCheckout", { plan: "creator" }],
      ["openBillingPortal", {}],
    ] as const) {
      const refused = await payer.api(name, input);
      expect([refused.status, refused.headers.get("x-error-reason")], name).toEqual([
        502,
        "paymentProviderUnreachable",
      ]);
    }
    service.stripe!.isAway = false;
    expect(await store.accounts.find(payer.accountId)).toMatchObject({ plan: "hobby" });
    expect(await biller.readSubscription(id)).toMatchObject({ status: "active" });

    const unpaid = await payer.checkout("creator");
    expect((await payer.api("deleteAccount", { confirm: email })).status).toBe(200);
    expect(await store.accounts.find(payer.accountId)).toBeUndefined();
    expect(await biller.readSubscription(id)).toMatchObject({ status: "canceled" });
    expect(await store.billing.list(payer.accountId)).toEqual([]);
    await press(unpaid, "confirm");
    expect(await biller.readSubscription(id)).toMatchObject({ status: "canceled" });
    await biller.cancel(id);
    await biller.cancel("sub_nothing");
  });

  test("is the newer of two paid side by side; the older ends", async () => {
    const { store, biller, clock } = service;
    const payer = await aPayer(service);
    const pages = [await payer.checkout("hobby"), await payer.checkout("creator")];
    await press(pages[0]!, "pay");
    const [older] = await store.billing.list(payer.accountId);
    clock.advance(1_000);
    await press(pages[1]!, "pay");
    expect(await payer.usage()).toMatchObject({ plan: "creator", used: 0 });
    expect(await biller.readSubscription(older!.id)).toMatchObject({ status: "canceled" });
    await expect
      .poll(async () => (await store.billing.list(payer.accountId)).map(({ status }) => status))
      .toEqual(["active", "canceled"]);
    expect(await payer.usage()).toMatchObject({ plan: "creator" });
  });

  test("that is paid for a deleted account ends immediately", async () => {
    const { store, biller } = service;
    const payer = await aPayer(service);
    const page = await payer.checkout("hobby");
    const { email } = (await store.accounts.find(payer.accountId))!;
    expect((await payer.api("deleteAccount", { confirm: email })).status).toBe(200);
    const cancel = vi.spyOn(biller, "cancel");
    await press(page, "pay");
    const ended = cancel.mock.calls[0]?.[0];
    expect(await biller.readSubscription(ended ?? "")).toMatchObject({
      accountId: payer.accountId,
      status: "canceled",
    });
    cancel.mockRestore();
  });
});

test("an operator's plan has monthly periods until a subscription replaces it", async () => {
  const { store, clock } = service;
  const payer = await aPayer(service);
  const { accountId } = await service.createCaller({ plan: "hobby" });
  const given = (await store.accounts.find(accountId))!;
  expect(given).toMatchObject({ plan: "hobby", periodAnchor: expect.any(Date), paidPeriod: null });

  const url = await service.biller.startCheckout({
    accountId,
    email: given.email,
    customerId: null,
    plan: "creator",
    successUrl: `${service.url}/app/usage`,
    cancelUrl: `${service.url}/app/usage`,
  });
  clock.advance(day);
  await press(url, "pay");
  expect(await store.accounts.find(accountId)).toMatchObject({
    plan: "creator",
    paidPeriod: { start: expect.any(Date) },
  });
  await service.biller.cancel((await store.billing.list(accountId))[0]!.id);
  await expect
    .poll(async () => store.accounts.find(accountId))
    .toMatchObject({
      plan: "free",
      periodAnchor: null,
      paidPeriod: null,
    });
  expect(await payer.usage(), "nobody else's plan changed").toMatchObject({ plan: "free" });
});

test("another service's subscription is left alone", async () => {
  const { biller, url } = service;
  const page = await biller.startCheckout({
    accountId: "acc_0fAnotherService",
    email: "somebody@example.com",
    customerId: null,
    plan: "creator",
    successUrl: `${url}/app/usage`,
    cancelUrl: `${url}/app/usage`,
  });
  const read = vi.spyOn(biller, "readSubscription");
  const cancel = vi.spyOn(biller, "cancel");
  await press(page, "pay");
  const [id] = read.mock.calls[0] ?? expect.fail("nothing was read");
  expect(cancel).not.toHaveBeenCalled();
  expect(await biller.readSubscription(id)).toMatchObject({ status: "active" });
  vi.restoreAllMocks();
});

test("payment needs a session, and the portal needs an earlier payment", async () => {
  const { url } = service;
  for (const [path, method] of [
    ["/billing", "GET"],
    ["/billing/checkout", "POST"],
    ["/billing/portal", "POST"],
  ]) {
    const headers = { origin: url, "content-type": "application/json" };
    const answer = await fetch(`${url}/app/api${path}`, {
      method: method!,
      headers,
      ...(method === "POST" && { body: '{"plan":"creator"}' }),
    });
    expect(answer.status).toBe(401);
  }
  const payer = await aPayer(service);
  const portal = await payer.api("openBillingPortal");
  expect([portal.status, portal.body.error.code]).toEqual([404, "notFound"]);
});
