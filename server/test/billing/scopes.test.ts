import { describe, expect, test } from "vitest";
import { allowanceOf, postAllowanceOf } from "../../src/rules/allowance.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aPayer, holdUnit } from "./payer.ts";

const service = serviceOfTests({ transcriber: null, quotaScope: "account", stripe: {} });

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

test("account scope has one row per day, without the keys' earlier use", async () => {
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
