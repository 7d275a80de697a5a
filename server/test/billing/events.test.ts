import Stripe from "stripe";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { StoredSubscription } from "../../src/ports.ts";
import { createRefreshSubscription } from "../../src/features/billing/refresh-subscription.ts";
import { startPeriodicWork } from "../../src/periodic/periodic-work.ts";
import { reconcileBilling } from "../../src/periodic/tasks.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aPayer, type Payer } from "./payer.ts";

interface PostedEvent {
  readonly id: string;
  readonly type: string;
  readonly text: string;
}

/** The biller would have posted these events; the tests post them themselves. */
let postedEvents: PostedEvent[] = [];

const service = serviceOfTests({
  transcriber: null,
  stripe: { post: (text) => void postedEvents.push({ ...(JSON.parse(text) as Omit<PostedEvent, "text">), text }) },
});
afterEach(() => {
  postedEvents = [];
});

interface Signing {
  readonly secret?: string;
  readonly secondsAgo?: number;
  /** This text is posted in place of the signed one. */
  readonly posted?: string;
}

async function post(text: string, { posted = text, ...signing }: Signing = {}): Promise<Response> {
  const signature = service.stripe!.sign(text, signing);
  return fetch(`${service.url}/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body: posted,
  });
}

async function deliver(events: readonly PostedEvent[]): Promise<void> {
  for (const { text } of events) {
    const answer = await post(text);
    expect([answer.status, await answer.text()]).toEqual([200, '{"received":true}']);
  }
}

const ofType = (type: string): PostedEvent =>
  postedEvents.find((event) => event.type === type) ?? expect.fail(`no ${type}`);

/** Pays without a word from the biller. */
async function paySilently(payer: Payer, plan: "hobby" | "creator"): Promise<void> {
  await service.stripe!.press(await payer.checkout(plan), "pay");
  expect(postedEvents.map(({ type }) => type).toSorted()).toEqual([
    "checkout.session.completed",
    "customer.subscription.created",
    "invoice.paid",
  ]);
}

describe("events of the biller", () => {
  test.each([
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ])("may come in the order %i %i %i: the period begins once", async (...order) => {
    const payer = await aPayer(service);
    await payer.use(2);
    await paySilently(payer, "creator");
    expect(await payer.usage(), "nothing is believed before it is told").toMatchObject({ plan: "free", used: 2 });

    const [first, ...others] = order.map((index) => postedEvents[index]!);
    await deliver([first!]);
    const begun = await payer.usage();
    expect(begun).toMatchObject({ plan: "creator", used: 0, limit: 1_000 });
    await payer.use(3);
    await deliver([...others, first!, ...others]);
    expect(await payer.usage()).toEqual({ ...begun, used: 3 });
  });

  test("that tell of an older state do not undo a newer one", async () => {
    const payer = await aPayer(service);
    await paySilently(payer, "creator");
    await deliver(postedEvents);
    const [created] = postedEvents.filter(({ type }) => type === "customer.subscription.created");
    await payer.manage("cancel-now");
    await deliver(postedEvents);
    expect(await payer.usage()).toMatchObject({ plan: "free", limit: 10 });
    const late = created!.text.replaceAll(created!.id, "evt_late");
    await deliver([{ ...created!, text: late }]);
    expect(await payer.usage()).toMatchObject({ plan: "free", limit: 10 });
  });

  test("of one invoice count once, despite different ids and concurrency", async () => {
    const payer = await aPayer(service);
    await paySilently(payer, "hobby");
    await deliver(postedEvents);
    const before = await payer.usage();
    await payer.use(2);
    postedEvents = [];
    await payer.manage("renew");
    const paid = ofType("invoice.paid");
    const copies = Array.from({ length: 20 }, (_, copy) =>
      copy % 2 === 0 ? paid.text : paid.text.replaceAll(paid.id, `evt_copy${copy}`),
    );
    const answers = await Promise.all(copies.map(async (text) => post(text)));
    expect(answers.map(({ status }) => status)).toEqual(copies.map(() => 200));
    const after = await payer.usage();
    expect(after).toMatchObject({ plan: "hobby", used: 0 });
    expect(after.resetsAt).not.toBe(before.resetsAt);

    await payer.use(1);
    await deliver([{ ...paid, text: paid.text.replaceAll(paid.id, "evt_again") }]);
    expect(await payer.usage()).toEqual({ ...after, used: 1 });
  });

  test("of an invoice over nothing reset nothing", async () => {
    const payer = await aPayer(service);
    await paySilently(payer, "creator");
    await deliver(postedEvents);
    await payer.use(2);
    postedEvents = [];
    await payer.manage("hobby");
    expect(JSON.parse(ofType("invoice.paid").text).data.object).toMatchObject({ amount_paid: 0, status: "paid" });
    await deliver(postedEvents);
    expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 2, limit: 250 });
  });

  test("of an older version, or of irrelevant kinds, are accepted", async () => {
    const payer = await aPayer(service);
    await paySilently(payer, "creator");
    const { text } = ofType("invoice.paid");
    const old = JSON.parse(text);
    old.api_version = "2020-08-27";
    delete old.data.object.parent;
    old.data.object.subscription = "sub_elsewhere";
    expect((await post(JSON.stringify(old))).status).toBe(200);
    expect(await payer.usage()).toMatchObject({ plan: "creator", used: 0 });

    for (const [type, object] of [
      ["customer.created", { id: "cus_1", object: "customer" }],
      ["customer.subscription.updated", { id: "sub_nobody", object: "subscription" }],
      ["invoice.paid", { id: "in_nobody", object: "invoice" }],
      ["invoice.payment_failed", { id: "in_nobody", object: "invoice" }],
    ] as const) {
      const event = { id: `evt_${type}`, object: "event", api_version: Stripe.API_VERSION, type, data: { object } };
      expect((await post(JSON.stringify(event))).status).toBe(200);
    }
  });

  test("are refused while the biller is down, so that it retries", async () => {
    const payer = await aPayer(service);
    await paySilently(payer, "creator");
    service.stripe!.isAway = true;
    for (const { text } of postedEvents) expect((await post(text)).status).toBe(502);
    service.stripe!.isAway = false;
    expect(await payer.usage()).toMatchObject({ plan: "free" });
    await deliver(postedEvents);
    expect(await payer.usage()).toMatchObject({ plan: "creator" });
  });

  test("that are forged, changed, old or too large have no effect", async () => {
    const payer = await aPayer(service);
    await paySilently(payer, "creator");
    const { text } = ofType("customer.subscription.created");
    const refused = [
      await post(text, { secret: "whsec_guessed" }),
      await post(text, { posted: text.replace("active", "canceled") }),
      await post(text, { posted: `${text} ` }),
      await post(text, { secondsAgo: 1_000 }),
      await fetch(`${service.url}/webhooks/stripe`, { method: "POST", body: text }),
      await fetch(`${service.url}/webhooks/stripe`, {
        method: "POST",
        headers: { "stripe-signature": "t=1,v1=00" },
        body: text,
      }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({
        error: {
          code: "invalidRequest",
          message: "The signature is missing, wrong or more than five minutes old.",
        },
      });
    }
    expect((await post(JSON.stringify({ text: "x".repeat(1_000_001) }))).status).toBe(413);
    expect((await fetch(`${service.url}/webhooks/stripe`)).status).toBe(405);
    expect(await payer.usage()).toMatchObject({ plan: "free" });
    await deliver(postedEvents);
    expect(await payer.usage()).toMatchObject({ plan: "creator" });
  });

  test("that never came are made up for after the period, once", async () => {
    const { store, clock, biller, faults } = service;
    const payer = await aPayer(service);
    await paySilently(payer, "hobby");
    await deliver(postedEvents);
    await payer.use(1);
    const before = await payer.usage();
    await payer.manage("renew");
    clock.advance(32 * 86_400_000);
    expect(await payer.usage(), "nothing was told").toEqual(before);

    const read: string[] = [];
    const refreshSubscription = createRefreshSubscription({
      billing: store.billing,
      biller,
      clock,
      onNotice: () => undefined,
    });
    const onFault = (error: unknown): void => void faults.push({ error, where: "test" });
    const processes = Array.from({ length: 3 }, () =>
      startPeriodicWork({
        tasks: [
          reconcileBilling({
            billing: store.billing,
            refreshSubscription: async (id) => {
              read.push(id);
              await refreshSubscription(id);
            },
            onFault,
          }),
        ],
        taskLeases: store.taskLeases,
        clock,
        onFault,
      }),
    );
    const [subscription] = await store.billing.list(payer.accountId);
    await expect.poll(() => read).toContain(subscription?.id);
    await Promise.all(processes.map(async (one) => one.stop()));
    expect(read.filter((id) => id === subscription?.id)).toHaveLength(1);
    expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0 });
  });
});

test("a subscription unknown to the biller is over at the next checkout", async () => {
  const { store, biller } = service;
  const payer = await aPayer(service);
  await paySilently(payer, "hobby");
  await deliver(postedEvents);
  const [{ id }] = (await store.billing.list(payer.accountId)) as [StoredSubscription];
  const lost = vi.spyOn(biller, "readSubscription").mockResolvedValue(undefined);
  expect(await payer.checkout("hobby")).toContain("https://stripe.test/pay/");
  lost.mockRestore();
  expect(await payer.usage()).toMatchObject({ plan: "free" });
  expect((await payer.api("getBilling")).body).toMatchObject({ status: "canceled", manageable: false });
  await deliver([
    { ...postedEvents[0]!, text: ofType("customer.subscription.created").text.replace(/evt_dev\w+/, "evt_back") },
  ]);
  expect(await payer.usage(), "back with its next event").toMatchObject({ plan: "hobby" });
  expect(await store.billing.list(payer.accountId)).toMatchObject([{ id, customerId: expect.any(String) }]);
});
