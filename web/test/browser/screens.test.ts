import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";
import { addScript, visitBioPage } from "./fill-account.ts";

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
const longWord = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenundwaisenversicherungsanstaltx";

describeInBrowser("screens", () => {
  const visits = visitsOfTests();

  test("show a first day's visits on a phone, with long words", async () => {
    const { page, person } = await visits.openAs("long@example.com", undefined, { width: 390 });
    const link = { title: longWord, url: `https://example.com/${longWord}` };
    const { body } = await person.api("updateBioPage", { displayName: "Long", links: [link] });
    await person.api("claimBioHandle", { handle: "long.word" });
    await visitBioPage(visits.service, person.accountId, [
      { daysAgo: 0, number: 1, clicks: [body.links[0].id], referrer: "https://l.instagram.com/" },
      { daysAgo: 0, number: 2, referrer: "https://instagram.com/" },
    ]);
    await page.goto(`${visits.service.url}/app/analytics`);
    const cameFrom = page.getByRole("list", { name: "Came from" });
    await cameFrom.waitFor();
    await expect.poll(() => cameFrom.innerText()).toMatch(/^Instagram\s+2 100%$/);
    await expect.poll(() => widthOf(page)).toBe(390);
    // A line of one day is a point.
    await expect.poll(() => page.locator(".chart .line circle").count()).toBe(3);
    await page.getByText("How this is counted").click();
    await expect.poll(() => page.getByRole("main").innerText()).not.toMatch(/[a-z][A-Z]\w+ \/|utm_source/);
    await shoot(page, "analytics-phone");
  });

  test("warn about no new week-long key, and measure only transcribing keys", async () => {
    const { page, go, person } = await visits.openAs("keys@example.com");
    const inDays = (days: number): string =>
      new Date(visits.service.clock.now().getTime() + days * 86_400_000).toISOString();
    await person.api("createKey", { name: "Week", expiresAt: inDays(7) });
    await person.api("createKey", { name: "Reader", readOnly: true });
    await page.goto(`${visits.service.url}/app/settings/keys`);
    const table = page.getByRole("group", { name: "API keys" }).getByRole("table");
    await table.getByRole("row", { name: /Reader/ }).waitFor();
    await expect.poll(() => page.getByText(/expires? soon|Replace it before/i).count()).toBe(0);
    await expect.poll(() => table.getByRole("meter").count()).toBe(1);
    await go("/app/usage");
    const used = page.getByRole("list", { name: "Transcriptions" });
    await used.getByText("Week").waitFor();
    await expect.poll(() => used.getByText("Reader").count()).toBe(0);
  });

  test("mirror arrows, and not figures, where text runs to the left", async () => {
    const { page } = await visits.openAs("leftward@example.com", "/app/reports/sample");
    await page.getByRole("heading", { level: 2, name: "Formats and pillars" }).waitFor();
    const looks = await page.evaluate(() => {
      document.documentElement.dir = "rtl";
      const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector)!);
      return [styleOf(".breadcrumb .flips").transform, styleOf("td.number").unicodeBidi];
    });
    expect(looks).toEqual(["matrix(-1, 0, 0, 1, 0, 0)", "plaintext"]);
  });

  test("keep typed text over a reload, and nothing that was discarded", async () => {
    const { page, go } = await visits.openAs("typing@example.com", "/app/transcribe");
    const links = page.getByRole("textbox", { name: "Reel links" });
    await links.fill("Links for Monday");
    await page.reload();
    await expect.poll(() => links.inputValue()).toBe("Links for Monday");
    await links.fill("");
    const opens = page.getByRole("button", { name: "Add an endpoint" });
    const address = page.getByRole("dialog").getByLabel("Address");
    await go("/app/settings/webhooks");
    await opens.click();
    await address.fill("https://example.com/hooks");
    await page.reload();
    await opens.click();
    await expect.poll(() => address.inputValue()).toBe("https://example.com/hooks");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await opens.click();
    await expect.poll(() => address.inputValue()).toBe("");
  });

  test("show the product before sign-in, and afterward who is signed in", async () => {
    const { page } = await visits.open("/");
    const sample = page.getByRole("group", { name: /A sample script/ });
    await sample.getByText("I bake in a cold kitchen", { exact: false }).last().click();
    const frame = sample.locator(".now p").filter({ visible: true });
    await expect.poll(() => frame.allInnerTexts()).toEqual(["I bake in a cold kitchen, so mine takes five hours."]);
    for (const [property, content] of [
      ["og:title", /^Reelscript/],
      ["og:description", /\w/],
      ["og:site_name", /^Reelscript$/],
    ] as const)
      await expect.poll(() => page.locator(`meta[property="${property}"]`).getAttribute("content")).toMatch(content);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => widthOf(page)).toBe(390);

    const visitor = await visits.openAs("reader@example.com", "/docs");
    const header = visitor.page.getByRole("navigation", { name: "Main" });
    await header.getByRole("link", { name: "Dashboard" }).waitFor();
    await header.getByRole("link", { name: "Pricing" }).click();
    await visitor.page.getByRole("heading", { level: 1, name: /^Usage/ }).waitFor();
  });

  test("focus even a late title, and restore the focus after dialogs", async () => {
    const { page, go, person } = await visits.openAs("focused@example.com");
    const { account } = (await person.api("getSession")).body;
    const id = await addScript(visits.service, account.id, { text: "Start with less water than you think." });
    await page.route(`**/app/api/scripts/${id}`, async (route) => {
      await page.getByRole("status", { name: "Loading the script" }).waitFor();
      await route.continue();
    });
    await page.goto(`${visits.service.url}/app/library`);
    await page.getByRole("link", { name: "Start with less water" }).click();
    await page.locator("h1:focus", { hasText: "Start with less water" }).waitFor();

    await go("/app/settings/keys");
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
});
