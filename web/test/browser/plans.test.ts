import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { rest } from "../../../server/test/harness/rest.ts";
import { useTranscriptions } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFocus, shoot } from "./page-checks.ts";
import { signInByHand, visitsOfTests } from "./start-visits.ts";

describeInBrowser("plans in a browser", () => {
  const visits = visitsOfTests();

  const row = async (page: Page): Promise<string> =>
    (await page.getByRole("list", { name: "Transcriptions" }).getByRole("listitem").nth(1).innerText()).replaceAll(
      /\s+/g,
      " ",
    );
  const open = (page: Page): Promise<unknown> => page.goto(`${visits.service.url}/app/usage`);

  test("rise by payment, fall at period's end, and restore Free usage", async () => {
    const { page, person } = await visits.openAs("payer@example.com");
    const { secret } = (await person.api("createKey", { name: "Notebook" })).body;
    await useTranscriptions(visits.service, person.accountId, { slot: 1, units: 3 });
    await open(page);
    await page.getByText("Free plan. These limits don’t renew.").waitFor();
    await expect.poll(() => row(page)).toMatch(/Notebook .*3 of 10$/);

    await page.getByRole("button", { name: "Upgrade to Creator" }).click();
    await page.getByRole("heading", { level: 1, name: "Creator" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Checkout canceled.").waitFor();
    expect((await rest(visits.service.url, "/usage", { key: secret })).body.plan).toBe("free");

    await page.getByRole("button", { name: "Upgrade to Creator" }).click();
    await page.getByRole("button", { name: /^Pay \$/ }).click();
    await page.getByText("Your plan is Creator now.").waitFor();
    await expect.poll(() => row(page)).toMatch(/Notebook .*0 of 1,000$/);
    const { body } = await rest(visits.service.url, "/usage", { key: secret });
    expect(body).toMatchObject({ plan: "creator", transcriptions: { used: 0, limit: 1_000 } });
    const paidUntil = await page.getByRole("main").locator("time").first().getAttribute("datetime");
    expect(new Date(paidUntil ?? "").getTime()).toBe(new Date(body.transcriptions.resetsAt).getTime());
    await expect.poll(() => page.getByRole("main").innerText()).toContain("Your limits reset then.");

    await useTranscriptions(visits.service, person.accountId, { slot: 1, units: 2 });
    await page.getByRole("button", { name: "Invoices and card" }).click();
    await page.getByRole("button", { name: "Cancel plan" }).click();
    await page.getByText("It ends on").waitFor();
    await page.getByRole("link", { name: "Back to Reelscript" }).click();
    await page.getByText(/Creator ends on/).waitFor();
    await expect.poll(() => row(page), { message: "the plan is in force until it ends" }).toMatch(/2 of 1,000$/);

    await page.getByRole("button", { name: "Keep plan" }).click();
    await page.getByRole("button", { name: "End plan now" }).click();
    await page.getByText("Free plan. These limits don’t renew.").waitFor();
    await expect.poll(() => row(page)).toMatch(/Notebook .*3 of 10$/);
    expect((await rest(visits.service.url, "/usage", { key: secret })).body).toMatchObject({
      plan: "free",
      transcriptions: { used: 3, limit: 10, resetsAt: null },
    });
  });

  test("chosen on the home page are the ones proposed after signing in", async () => {
    const { page, expectRefusals } = await visits.open("/");
    expectRefusals(401);
    await page.getByRole("link", { name: "Choose Creator" }).click();
    await signInByHand(page, "chooser@example.com");
    const card = page.getByRole("listitem", { name: "Creator" });
    await expect.poll(() => card.innerText()).toContain("Your choice");
    const upgrade = card.getByRole("button", { name: "Upgrade to Creator" });
    await expectFocus(upgrade);
    await shoot(page, "plan-chosen");
  });
});
