import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createDevelopmentBiller } from "../../src/adapters/billing/development/development-biller.ts";
import { createStripeBiller } from "../../src/adapters/billing/stripe-biller.ts";
import { allowanceOf, postAllowanceOf } from "../../src/rules/allowance.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { aPayer, holdUnit } from "./payer.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const service = serviceOfTests({ transcriber: null, quotaScope: "account" });

describe("one allowance for the whole account", () => {
  test("starts over with a payment for keys, dashboard and posts alike", async () => {
    const { store, clock } = service;
    const payer = await aPayer(service, "account");
    const { accountId } = payer;
    const use = async (): Promise<void> => {
      await payer.use(1);
      const account = (await store.accounts.find(accountId))!;
      const now = clock.now();
      const report = { handle: "ada", createdAt: now, reelsAnalyzed: 7, timezone: "UTC" };
      const findings = { metrics: {}, topReels: [], insights: [] };
      await store.reports.add(postAllowanceOf(account, now), { ...report, findings });
    };
    const dashboard = async () => (await payer.api("getUsage")).body;
    await use();
    expect(await payer.usage()).toMatchObject({ plan: "free", used: 1, posts: 7 });
    expect(await dashboard()).toMatchObject({ transcriptions: { used: 1, limit: 10 }, posts: { used: 7, limit: 500 } });
    await payer.api("createKey", { name: "Other" });
    expect((await payer.api("listKeys")).body).toMatchObject({
      quotaScope: "account",
      keys: [{ transcriptions: { used: 1 } }, { transcriptions: { used: 1 } }],
    });
    await payer.pay("hobby");
    expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0, limit: 250, posts: 0 });
    await use();
    expect(await dashboard()).toMatchObject({
      transcriptions: { used: 1, limit: 250 },
      posts: { used: 7, limit: 10_000 },
    });
    await payer.manage("cancel-now");
    expect(await payer.usage(), "Free goes on where it was").toMatchObject({ plan: "free", used: 1, posts: 7 });
  });
});

test("what keys used when they were counted is left out where the account is, which has one row by day", async () => {
  const payer = await aPayer(service);
  const account = (await service.store.accounts.find(payer.accountId))!;
  const held = [
    [1, "key"],
    [1, "account"],
    [0, "account"],
  ] as const;
  for (const [slot, scope] of held)
    await (
      await holdUnit(service, allowanceOf(account, slot, scope, service.clock.now()))
    )();
  const { days, rows } = (await payer.api("getUsageByDay")).body;
  const byDay = [...days.slice(1).map(() => 0), 2];
  expect(rows).toEqual([{ of: "people", key: null, afterFormerKey: false, used: 2, byDay, otherDays: 0 }]);
});

describe("the development biller", () => {
  test("keeps its books over a restart, for its owner alone, and says when they are broken", async () => {
    const file = path.join(directoryOfTest(), "development-biller.json");
    const open = () => {
      const pages = createDevelopmentBiller({
        file,
        clock: createTestClock(),
        onFault: (error) => expect.fail(String(error)),
        disorder: () => [],
      });
      pages.open("http://127.0.0.1:1");
      return { pages, biller: createStripeBiller({ ...pages, onNotice: () => undefined }) };
    };
    const first = open();
    const url = await first.biller.startCheckout({
      accountId: "acc_1",
      email: `"><script>alert(1)</script>@example.com`,
      customerId: null,
      plan: "hobby",
      successUrl: "http://127.0.0.1:1/done",
      cancelUrl: "http://127.0.0.1:1/canceled",
    });
    const id = url.split("/").at(-1)!;
    expect(first.pages.show("pay", id)).toMatchObject({ status: 200, html: expect.not.stringContaining("<script") });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const second = open();
    expect(second.pages.webhookSecret).not.toBe(first.pages.webhookSecret);
    expect(await second.pages.act("pay", id, "pay")).toEqual({ location: "http://127.0.0.1:1/done" });
    const { subscriptions } = JSON.parse(await readFile(file, "utf8"));
    const [subscriptionId = ""] = Object.keys(subscriptions);
    expect(await open().biller.readSubscription(subscriptionId)).toMatchObject({
      accountId: "acc_1",
      plan: "hobby",
      status: "active",
      lastPayment: { cents: 1_000 },
    });

    await writeFile(file, "{");
    expect(open).toThrow(/development-biller\.json.*remove it to start over/);
  });
});
