import { expect, test } from "vitest";
import { addScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot } from "./page-checks.ts";
import { signInByHand, visitsOfTests } from "./start-visits.ts";

describeInBrowser("choosing in a browser", () => {
  const visits = visitsOfTests();

  test("selects a range with Shift, and all of a search beyond the page", async () => {
    const { page, person } = await visits.openAs(`many-${Date.now()}@example.com`);
    for (let index = 0; index < 60; index += 1)
      await addScript(visits.service, person.accountId, { text: `Bread number ${index}.`, handle: "many.loaves" });
    await addScript(visits.service, person.accountId, { text: "Coffee only.", handle: "many.loaves" });
    await page.goto(`${visits.service.url}/app/library?query=bread`);
    await page.getByText("60 of 61 scripts match “bread”").waitFor();
    await page.getByRole("button", { name: "Select", exact: true }).click();
    const bar = page.getByRole("region", { name: "Selected scripts" });
    const boxes = page.getByRole("checkbox");
    const shown = await boxes.count();
    expect(shown).toBeLessThan(60);
    await boxes.nth(1).click();
    await boxes.nth(6).click({ modifiers: ["Shift"] });
    await bar.getByText("6 selected").waitFor();
    await page
      .getByRole("region", { name: "Scripts" })
      .locator("ul > li")
      .nth(9)
      .click({ modifiers: ["Shift"] });
    await bar.getByText("9 selected").waitFor();
    await boxes.nth(4).click({ modifiers: ["Shift"] });
    await bar.getByText("3 selected").waitFor();
    await bar.getByRole("button", { name: "Select all 60 found" }).click();
    await bar.getByText("60 selected").waitFor();
    await shoot(page, "selection-of-all");
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByText("60 scripts deleted").waitFor();
    // A page of the same process, which never leaves before the one that it follows was told to hide.
    await page.goto(`${visits.service.url}/privacy`);
    const left = async () => (await person.api("searchMyScripts", {})).body.total;
    await expect.poll(left).toBe(1);
  });

  test("the palette acts too", async () => {
    const { page } = await visits.openAs("actor@example.com", "/app/library");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    const choose = async (words: string): Promise<void> => {
      await page.keyboard.press("Control+K");
      await page.getByRole("combobox", { name: "Search or go to" }).fill(words);
      await page.keyboard.press("Enter");
    };
    await choose("dark theme");
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    await choose("new key");
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  test("a plan that was chosen on the home page is the one after signing in", async () => {
    const { page, expectRefusals } = await visits.open("/");
    expectRefusals(401);
    await page.getByRole("link", { name: "Choose Creator" }).click();
    await signInByHand(page, "chooser@example.com");
    const card = page.getByRole("listitem", { name: "Creator" });
    await card.getByText("Your choice").waitFor();
    const upgrade = card.getByRole("button", { name: "Upgrade to Creator" });
    await expect.poll(() => upgrade.evaluate((button) => button === document.activeElement)).toBe(true);
    await shoot(page, "plan-chosen");
  });
});
