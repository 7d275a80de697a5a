import { expect, test } from "vitest";
import { describeInBrowser } from "./chromium-program.ts";
import { addScript } from "./fill-account.ts";
import { settle, shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

describeInBrowser("the palette in a browser", () => {
  const visits = visitsOfTests();

  test("leads to every page and script by a few letters, from anywhere", async () => {
    const { page, person } = await visits.openAs("palette@example.com");
    await addScript(visits.service, person.accountId, { text: "Salt comes first. Then the morning bread." });
    const field = page.getByRole("combobox", { name: "Search or go to" });
    const option = (name: string | RegExp) => page.getByRole("option", { name });
    await page.goto(`${visits.service.url}/app/usage`);
    await page.getByRole("heading", { level: 1, name: /Usage/ }).waitFor();
    await page.keyboard.press("Control+k");
    const positionOfField = () => field.boundingBox();
    await option("Sign out").waitFor();
    await settle(page);
    const position = await positionOfField();
    await field.fill("compare");
    await expect.poll(() => page.getByRole("option").count()).toBeLessThan(4);
    expect(await positionOfField(), "it stays however many lines follow").toEqual(position);
    await shoot(page, "palette");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Compare accounts" }).waitFor();

    await page.getByRole("button", { name: "Search or go to" }).click();
    await field.fill("morning bread");
    await option(/Then the morning bread/).waitFor();
    await expect.poll(() => page.getByRole("option").locator("mark").allInnerTexts()).toEqual(["morning", "bread"]);
    expect(await positionOfField()).toEqual(position);
    await shoot(page, "palette-found");
    // Later results don't take a place that was first.
    await expect.poll(() => option(/^Search the library/).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => option(/Then the morning bread/).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/scripts\//);
    await page.getByText("Then the morning bread.").first().waitFor();

    await page.keyboard.press("Control+k");
    const { standin } = visits.service;
    const [reel] = standin.reels;
    await field.fill(`${standin.urlOf(reel!.code)}?igsh=abc`);
    await option("Transcribe this reel").click();
    const links = page.getByRole("textbox", { name: "Reel links" });
    await expect.poll(() => links.inputValue()).toContain(reel!.code);

    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Search on this page").waitFor();
    await shoot(page, "shortcuts");
    await page.keyboard.press("Control+k");
    await expect.poll(() => field.count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
  });

  test("acts too: on the look, on keys, and on the bio page", async () => {
    const { page, person } = await visits.openAs("actor@example.com", "/app/bio?tab=profile");
    const choose = async (words: string): Promise<void> => {
      await page.keyboard.press("Control+K");
      await page.getByRole("combobox", { name: "Search or go to" }).fill(words);
      await page.keyboard.press("Enter");
    };
    await page.getByLabel("Name", { exact: true }).fill("Palette");
    await page.getByRole("button", { name: "Publish 1 change" }).waitFor();
    await page.getByRole("link", { name: "Library" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await choose("dark theme");
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    await choose("new key");
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await choose("publish");
    await page.getByText("Published.").waitFor();
    expect((await person.api("getMyBioPage")).body.displayName).toBe("Palette");
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await Promise.all([page.getByText("No changes to publish.").waitFor(), choose("publish")]);
  });
});
