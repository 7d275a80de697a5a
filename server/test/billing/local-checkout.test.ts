import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createLocalBiller } from "../../src/adapters/billing/local-biller.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { press } from "./payer.ts";

const service = serviceOfTests({ transcriber: null });

test("the local checkout sells a plan, changes it, and ends it", async () => {
  const person = await signInNew(service);
  const checkout = async (plan: string): Promise<string> => (await person.api("startCheckout", { plan })).body.url;
  const billing = async () => (await person.api("getBilling")).body;
  const textOf = async (page: string) => (await fetch(page)).text();

  const unpaid = await checkout("hobby");
  expect(await textOf(unpaid)).toContain("Pay $10");
  expect(await press(unpaid, "cancel")).toBe(`${service.url}/app/usage?checkout=canceled`);
  expect(await billing()).toMatchObject({ plan: "free", status: "none" });
  expect(await press(unpaid, "pay")).toBe(`${service.url}/app/usage?checkout=done`);
  const paid = await billing();
  expect(paid).toMatchObject({ plan: "hobby", status: "active", cancelsAt: null, manageable: true });
  expect((await fetch(`${unpaid}/pay`, { method: "POST" })).status, "a page is paid once").toBe(404);

  service.clock.advance(86_400_000);
  await press(await checkout("creator"), "pay");
  const above = await billing();
  expect(above.plan).toBe("creator");
  expect(above.periodEnd > paid.periodEnd).toBe(true);
  expect(await service.store.billing.list(person.accountId)).toHaveLength(1);

  const portal = async (): Promise<string> => (await person.api("openBillingPortal")).body.url;
  const page = await portal();
  expect(await press(page, "cancel")).toBe(new URL(page).pathname);
  expect(await textOf(page)).toMatch(/It ends on .*End plan now/s);
  expect(await billing()).toMatchObject({ plan: "creator", status: "active", cancelsAt: above.periodEnd });
  await press(page, "pay");
  expect(await billing()).toMatchObject({ plan: "creator", cancelsAt: null });

  const last = await portal();
  await press(last, "cancel");
  expect(await press(last, "cancel")).toBe(`${service.url}/app/usage`);
  expect(await billing()).toMatchObject({ plan: "free", status: "canceled" });
  expect((await person.api("openBillingPortal")).status).toBe(404);
});

test("a plan that was canceled is over when its period is", async () => {
  const { clock, store, biller } = service;
  const person = await signInNew(service);
  await press((await person.api("startCheckout", { plan: "hobby" })).body.url, "pay");
  await press((await person.api("openBillingPortal")).body.url, "cancel");
  const [subscription] = await store.billing.list(person.accountId);
  const { id, cancelsAt } = subscription!;
  expect(await biller.readSubscription(id)).toMatchObject({ status: "active", cancelsAt });
  clock.advance(32 * 86_400_000);
  expect(await biller.readSubscription(id)).toMatchObject({ status: "canceled" });
});

test("only the local checkout's own page and events count", async () => {
  const { url } = service;
  const person = await signInNew(service);
  const page: string = (await person.api("startCheckout", { plan: "hobby" })).body.url;
  const elsewhere = await fetch(`${page}/pay`, { method: "POST", headers: { "sec-fetch-site": "cross-site" } });
  expect(elsewhere.status).toBe(403);
  for (const signature of ["t=1,v1=00", "x".repeat(42)]) {
    const headers = { "stripe-signature": signature };
    const body = JSON.stringify({ id: "evt_1", type: "subscription", subscriptionId: "sub_1", invoiceId: null });
    expect((await fetch(`${url}/webhooks/stripe`, { method: "POST", headers, body })).status).toBe(400);
  }
  expect((await person.api("getBilling")).body).toMatchObject({ plan: "free" });
  for (const id of ["pay_local0", "__proto__"]) {
    const lost = await fetch(`${url}/local-checkout/${id}`);
    expect(lost.status).toBe(404);
    expect(lost.headers.get("content-security-policy")).toContain("style-src 'sha256-");
  }
});

test("subscriptions outlive a restart, for the owner of the file alone", async () => {
  const file = path.join(directoryOfTest(), "local-biller.json");
  const open = () =>
    createLocalBiller({ file, clock: createTestClock(), onFault: (error) => expect.fail(String(error)) });
  const first = open();
  const events: string[] = [];
  first.onEvent(async (body, signature) => void events.push(first.readEvent(body, signature)!.subscriptionId!));
  const successUrl = "http://127.0.0.1:1/done";
  const cancelUrl = "http://127.0.0.1:1/canceled";
  const page = await first.startCheckout({
    accountId: "acc_1",
    email: "ada@example.com",
    customerId: null,
    plan: "hobby",
    successUrl,
    cancelUrl,
  });
  expect(await first.act(page.split("/").at(-1)!, "pay")).toEqual({ location: successUrl });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const second = open();
  expect(await second.readSubscription(events[0]!)).toMatchObject({
    accountId: "acc_1",
    plan: "hobby",
    status: "active",
    lastPayment: { cents: 1_000 },
  });
  const { invoiceId } = (await second.readSubscription(events[0]!))!.lastPayment!;
  expect(await second.readPayment(invoiceId)).toMatchObject({ subscriptionId: events[0] });
  await writeFile(file, "{");
  expect(open).toThrow(/local-biller\.json.*remove it to start over/);
});
