import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { giveSession } from "../../../server/test/harness/sign-in.ts";
import { aReel, anAllowance, requestOf } from "../../../server/test/database/conformance/fixtures.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { lookAt, shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

describeInBrowser("the operator's page", () => {
  const operatorAccounts: string[] = [];
  const visits = visitsOfTests({ transcriber: null, operatorAccounts });

  async function openOperator(address: string, width = 1440) {
    const person = await giveSession(visits.service, { email: "grace@example.com" });
    if (!operatorAccounts.includes(person.accountId)) operatorAccounts.push(person.accountId);
    return visits.openAs(person, address, { width });
  }

  async function queueReels(count: number): Promise<string> {
    const { store, clock } = visits.service;
    const { accountId } = await visits.service.createCaller();
    for (let index = 0; index < count; index += 1)
      await store.transcriptions.request({
        ...requestOf(aReel(), anAllowance(accountId, { slot: 0 })),
        now: clock.now(),
      });
    return accountId;
  }

  async function giveReason(page: Page, action: string): Promise<void> {
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: action }).click();
    await dialog.getByText("Say why.").waitFor();
    await dialog.getByLabel("Reason").fill("a test");
    await dialog.getByRole("button", { name: action }).click();
    await dialog.waitFor({ state: "detached" });
  }

  test("says how each part is, and what an upgrade would do", async () => {
    const { page } = await openOperator("/app/library");
    await page.getByRole("button", { name: "grace@example.com" }).click();
    await page.getByRole("link", { name: "Operator" }).click();
    await page.getByRole("heading", { level: 1, name: "Operator" }).waitFor();
    const parts = page.getByRole("list", { name: "Parts of the service" });
    await parts.getByText("No worker reports, so that nothing is transcribed.").waitFor();
    // Parts that need somebody come first.
    expect(await parts.getByRole("listitem").first().innerText()).toMatch(/^Workers/);
    await page.getByText("Nothing changes.").waitFor();
    await shoot(page, "admin-health");
  });

  test("cancels, retries and drains", async () => {
    await queueReels(2);
    const { page } = await openOperator("/app/admin/queue");
    const rows = page.getByRole("list", { name: "Transcriptions" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(2);
    await shoot(page, "admin-queue");
    await rows.first().getByRole("button", { name: "Cancel" }).click();
    await giveReason(page, "Cancel it");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText("Failed", { exact: true }).click();
    await rows.first().getByText("unavailable").waitFor();
    await rows.first().getByRole("button", { name: "Retry" }).click();
    await giveReason(page, "Retry");
    await page.getByText("Queued and running").click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Drain" }).click();
    await giveReason(page, "Drain");
    await page.getByText("Workers claim nothing since").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await giveReason(page, "Resume");
    await page.getByRole("button", { name: "Drain" }).waitFor();
    await page.getByRole("link", { name: "Audit" }).click();
    const entries = page.getByRole("list", { name: "Decisions" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(4);
    expect(await entries.first().innerText()).toMatch(/^Queue resumed/);
    await shoot(page, "admin-audit");
  });

  test("finds accounts, changes plans and suspends", async () => {
    const { store, clock } = visits.service;
    for (let index = 0; index < 30; index += 1)
      await store.accounts.create({ email: `many${index}@example.com`, plan: "free", now: clock.now() });
    const { page } = await openOperator("/app/admin/accounts");
    const rows = page.getByRole("list", { name: "Accounts" }).getByRole("listitem");
    await expect.poll(() => rows.count(), { message: "a page is bounded" }).toBe(25);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(30);
    await page.getByRole("searchbox", { name: "Find accounts" }).fill("many7@");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole("button", { name: "Plan of many7@example.com" }).click();
    await page.getByRole("dialog").getByLabel("Plan").selectOption("creator");
    await giveReason(page, "Change plan");
    await rows.getByText("Creator").waitFor();
    await rows.getByRole("button", { name: "Suspend many7@example.com" }).click();
    await giveReason(page, "Suspend");
    await rows.getByText("Suspended").waitFor();
    await shoot(page, "admin-accounts");
    await page.getByRole("searchbox", { name: "Find accounts" }).fill("nobody");
    await page.getByText("No account begins like this").waitFor();
    await page.getByRole("link", { name: "Languages" }).click();
    await page.getByRole("row", { name: /English/ }).waitFor();
    await shoot(page, "admin-languages");
    await page.goto(`${visits.service.url}/app/admin/nothing`);
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  });

  test("fits a phone", async () => {
    await queueReels(1);
    const { page, go } = await openOperator("/app/library", 390);
    await page.getByRole("button", { name: "Menu of grace@example.com" }).click();
    await page.getByRole("link", { name: "Operator" }).click();
    await page.getByRole("list", { name: "Parts of the service" }).waitFor();
    await expect.poll(() => widthOf(page)).toBe(390);
    await shoot(page, "admin-health-phone");
    for (const [part, name] of [
      ["queue", "Transcriptions"],
      ["accounts", "Accounts"],
      ["audit", "Decisions"],
    ] as const) {
      await go(`/app/admin/${part}`);
      await page.getByRole("list", { name }).waitFor();
      await expect.poll(() => widthOf(page)).toBe(390);
      await shoot(page, `admin-${part}-phone`);
    }
  });

  test.each(["", "/queue", "/accounts", "/languages", "/audit"])(
    "at /app/admin%s is accessible, light and dark, and fits narrow windows",
    async (part) => {
      await queueReels(1);
      const { page } = await openOperator(`/app/admin${part}`);
      await page.getByRole("navigation", { name: "Operator" }).waitFor();
      await expect.poll(() => page.locator("main :is(.sessions, table)").count()).toBeGreaterThan(0);
      await lookAt(page, `admin${part.replace("/", "-")}`);
    },
  );

  test("is no page for anybody else, and no link leads to it", async () => {
    const { page, expectRefusals } = await visits.openAs("somebody@example.com", "/app/library");
    await page.getByRole("button", { name: "somebody@example.com" }).click();
    await page.getByRole("link", { name: "Settings" }).first().waitFor();
    expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
    expectRefusals(404);
    await page.goto(`${visits.service.url}/app/admin`);
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  });

  test("is loaded only by those who open it", async () => {
    const { page } = await visits.openAs("loader@example.com");
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(`${visits.service.url}/app/library`);
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await page.waitForLoadState("networkidle");
    const scripts = loaded.filter((path) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((path) => path.includes("admin"))).toEqual([]);
    const texts = await Promise.all(scripts.map(async (path) => (await fetch(visits.service.url + path)).text()));
    expect(texts.filter((text) => text.includes("/admin/queue"))).toEqual([]);
  });
});
