import { expect, test } from "vitest";
import { addScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { visitsOfTests } from "./start-visits.ts";

describeInBrowser("the focus, and calls that fail, in a browser", () => {
  const visits = visitsOfTests();

  test("is at the title of a page also when that arrives late, and comes back from dialogs", async () => {
    const { page, person } = await visits.openAs("reader@example.com");
    const { account } = (await person.api("getSession")).body;
    const id = await addScript(visits.service, account.id, { text: "Start with less water than you think." });
    await page.route(`**/app/api/scripts/${id}`, async (route) => {
      await page.getByRole("status", { name: "Loading the script" }).waitFor();
      await route.continue();
    });
    await page.goto(`${visits.service.url}/app/library`);
    await page.getByRole("link", { name: "Start with less water" }).click();
    await page.locator("h1:focus", { hasText: "Start with less water" }).waitFor();

    await page.goto(`${visits.service.url}/app/settings/keys`);
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Notebook");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("row", { name: /Notebook/, includeHidden: true }).waitFor();
    await page.getByLabel("I have copied it").check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator("h1:focus").waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("button:focus", { hasText: "New key" }).waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("is not asked for more reports again and again when that fails", async () => {
    const { page, expectRefusals } = await visits.openAs("searcher@example.com");
    expectRefusals(429);
    const names = ["ada", "bea", "cleo", "dora", "elsa", "fay", "gil", "hana"];
    const reports = names.map((handle) => ({
      id: handle,
      handle,
      createdAt: "2026-11-14T18:20:00.000Z",
      metrics: {},
    }));
    let asked = 0;
    await page.route("**/app/api/report-figures*", (route) => {
      if (!route.request().url().includes("cursor=")) return route.fulfill({ json: { reports, nextCursor: "next" } });
      asked += 1;
      const error = { code: "rateLimited", message: "Too many requests." };
      return route.fulfill({ status: 429, headers: { "retry-after": "3600" }, json: { error } });
    });
    await page.goto(`${visits.service.url}/app/reports?query=ada`);
    await page.getByRole("alert").or(page.getByRole("status")).filter({ hasText: "Too many requests." }).waitFor();
    await page.getByLabel("Search reports").fill("bea");
    await page.getByRole("link", { name: "@bea" }).waitFor();
    await page.getByRole("link", { name: "@ada" }).waitFor({ state: "detached" });
    expect(asked).toBe(1);
  });
});
