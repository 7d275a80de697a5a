import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./chromium-program.ts";
import { addScript } from "./fill-account.ts";
import { expectFocus, lookAt } from "./page-checks.ts";
import { type SignedInVisitor, visitsOfTests } from "./start-visits.ts";

describeInBrowser("a library that is kept in order", () => {
  const visits = visitsOfTests();

  /** Somebody with a script of each of three accounts, the newest last. */
  async function aCollector(email: string): Promise<SignedInVisitor & { readonly ids: readonly string[] }> {
    const visitor = await visits.openAs(email);
    const ids: string[] = [];
    for (const handle of ["first.cook", "second.cook", "third.cook"])
      ids.push(await addScript(visits.service, visitor.person.accountId, { text: `The words of ${handle}.`, handle }));
    return { ...visitor, ids };
  }

  const rows = (page: Page): Locator => page.getByRole("region", { name: "Scripts" }).getByRole("listitem");
  const openLibrary = async (page: Page): Promise<void> => {
    await page.goto(`${visits.service.url}/app/library`);
    await rows(page).first().waitFor();
  };

  test("restores a deleted script, and deletes another one now", async () => {
    const { page, person, ids } = await aCollector("deleter@example.com");
    await person.api("deleteScripts", { ids: ids.slice(0, 2) });
    await openLibrary(page);
    await page.getByText("1 script", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Deleted", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Deleted scripts" }).waitFor();
    const deleted = page.getByRole("main").getByRole("listitem");
    await expect.poll(() => deleted.count()).toBe(2);
    const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current]").filter({ visible: true });
    expect(await current.innerText(), "the page belongs to the library").toMatch(/^Library/);
    await lookAt(page, "deleted-scripts");

    await deleted.filter({ hasText: "first.cook" }).getByRole("button", { name: "Restore" }).click();
    await page.getByText("Script restored").waitFor();
    await expect.poll(() => deleted.count()).toBe(1);
    await deleted.getByRole("button", { name: "Delete now" }).click();
    const question = page.getByRole("dialog", { name: "Delete this script now?" });
    await question.getByRole("button", { name: "Keep it" }).click();
    await deleted.getByRole("button", { name: "Delete now" }).click();
    await question.getByRole("button", { name: "Delete now" }).click();
    await page.getByText("Nothing is deleted").waitFor();
    expect((await person.api("searchMyScripts", { deleted: true })).body.total).toBe(0);
    await page.getByRole("link", { name: "Open the library" }).click();
    await page.getByText("2 scripts", { exact: true }).waitFor();
  });

  test("tags selected scripts, finds them by tag and date, names searches", async () => {
    const { page } = await aCollector("tagger@example.com");
    await openLibrary(page);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox", { name: /@first.cook/ }).check();
    await page.getByRole("checkbox", { name: /@third.cook/ }).check();
    const bar = page.getByRole("region", { name: "Selected scripts" });
    await bar.getByRole("button", { name: "Tag", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Tag 2 scripts" });
    await dialog.getByRole("combobox", { name: "Tag" }).fill("Hooks");
    await dialog.getByRole("button", { name: "Add tag" }).click();
    await page.getByText("Added to 2 scripts").waitFor();
    await bar.getByRole("button", { name: "Done" }).click();
    await expect.poll(() => rows(page).locator(".tag").allInnerTexts()).toEqual(["Hooks", "Hooks"]);

    await page.getByText("Tags, dates and saved searches").click();
    await page.getByRole("combobox", { name: "Tag", exact: true }).selectOption("Hooks (2)");
    await page.getByText("2 scripts, tagged Hooks").waitFor();
    await page.getByLabel("Transcribed from").fill("2026-01-02");
    await page.getByText("2 scripts, tagged Hooks in these dates").waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tag: "Hooks",
      transcribedAfter: "2026-01-02",
    });
    await page.getByRole("button", { name: "Save this search" }).click();
    const naming = page.getByRole("dialog", { name: "Save this search" });
    await naming.getByRole("textbox", { name: "Name" }).fill("Hooks of the year");
    await naming.getByRole("button", { name: "Save" }).click();
    const saved = page.getByRole("link", { name: "Hooks of the year" });
    await saved.waitFor();
    await lookAt(page, "more-filters");

    await openLibrary(page);
    await page.getByText("3 scripts", { exact: true }).waitFor();
    await page.getByText("Tags, dates and saved searches").click();
    await saved.click();
    await page.getByText("2 scripts, tagged Hooks in these dates").waitFor();
    await page.reload();
    await page.getByText("2 scripts, tagged Hooks in these dates").waitFor();
    await page.getByRole("button", { name: "Delete the search Hooks of the year" }).click();
    await expect.poll(() => saved.count()).toBe(0);
  });

  test("adds and removes a script's tags by keyboard, up to the limit", async () => {
    const { page, person, ids, expectRefusals } = await aCollector("editor@example.com");
    const [id = "", other = ""] = ids;
    await person.api("setScriptTags", { id: other, tags: ["Series", "Bread"] });
    await page.goto(`${visits.service.url}/app/scripts/${id}`);
    const editor = page.getByRole("region", { name: "Tags", exact: true });
    const field = editor.getByRole("combobox", { name: "Add a tag" });
    const names = async (): Promise<string[]> => editor.getByRole("listitem").locator("bdi").allInnerTexts();
    const stored = async (): Promise<string[]> => (await person.api("getScript", { id })).body.tags ?? [];
    await expect.poll(() => editor.locator("option").allTextContents()).toEqual(["Bread", "Series"]);
    await field.fill("series");
    await field.press("Enter");
    await expect.poll(names, { message: "under the name that the account has" }).toEqual(["Series"]);
    await expect.poll(() => field.inputValue()).toBe("");
    await field.fill("Morning light");
    await field.press("Enter");
    await expect.poll(names).toEqual(["Morning light", "Series"]);
    expect(await stored()).toEqual(["Morning light", "Series"]);
    await expect.poll(() => editor.locator("option").allTextContents()).toEqual(["Bread"]);
    await lookAt(page, "script-tags");

    const remove = editor.getByRole("button", { name: "Remove the tag Morning light" });
    await remove.focus();
    await remove.press("Enter");
    await expect.poll(names).toEqual(["Series"]);
    await expectFocus(field);
    expect(await stored()).toEqual(["Series"]);

    const most = Array.from({ length: 18 }, (_, index) => `Tag ${index}`);
    expect((await person.api("setScriptTags", { id: other, tags: ["Series", "Bread", ...most] })).status).toBe(200);
    expectRefusals(403, 409, 429);
    await field.fill("One more");
    await field.press("Enter");
    await editor.getByText("Your scripts have 20 different tags").waitFor();
    expect(await field.inputValue()).toBe("One more");
    expect(await stored()).toEqual(["Series"]);
  });
});
