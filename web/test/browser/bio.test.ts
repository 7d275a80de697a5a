import type { FrameLocator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { rest } from "../../../server/test/harness/rest.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFocus, lookAt } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

describeInBrowser("the bio page's editor in a browser", () => {
  const visits = visitsOfTests();

  const preview = (page: Page): FrameLocator => page.frameLocator("iframe[data-ready]");

  test("shows an edit in the frame immediately, and publishes on command", async () => {
    const { page, person } = await visits.openAs("lena@example.com", "/app/bio?tab=profile");
    const { secret } = (await person.api("createKey", { name: "Notebook" })).body;
    const published = async () => (await rest(visits.service.url, "/bio", { key: secret })).body;
    await page.getByLabel("Name").first().fill("Lena <Bakes>");
    await preview(page).getByRole("heading", { name: "Lena <Bakes>" }).waitFor();
    await page.getByText("1 unpublished change").waitFor();
    expect(await published()).toMatchObject({ displayName: null, revision: 0 });

    await page.getByRole("link", { name: "Links", exact: true }).click();
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("The course");
    await page.getByRole("textbox", { name: "URL", exact: true }).fill("example.com/course");
    await page.getByRole("textbox", { name: "URL", exact: true }).blur();
    await preview(page).getByRole("link", { name: "The course" }).waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("button", { name: "Redo" }).click();
    await preview(page).getByRole("link", { name: "The course" }).waitFor();

    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText(/^Published/).waitFor();
    expect(await published()).toMatchObject({
      displayName: "Lena <Bakes>",
      links: [{ title: "The course", url: "https://example.com/course" }],
      revision: 1,
    });
    await page.getByRole("button", { name: "Undo last publish" }).click();
    await expect.poll(async () => (await published()).displayName).toBeNull();
  });

  test("asks for handle, name and three links on one screen, and publishes", async () => {
    const { page, person } = await visits.openAs("beginner@example.com", "/app/bio");
    const publish = page.getByRole("button", { name: "Publish page" });
    await expect.poll(() => publish.isDisabled()).toBe(true);
    await page.getByLabel("Address").fill("first.page");
    await page.getByText(/^Free\. Your page will be at/).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Ana Souza");
    await preview(page).getByRole("heading", { name: "Ana Souza" }).waitFor();
    await page.getByLabel("Title of link 2").fill("Newsletter");
    await page.getByLabel("URL of link 2").fill("javascript:alert(1)");
    await preview(page).getByRole("link", { name: "Newsletter" }).waitFor();
    const ground = () =>
      preview(page)
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor);
    const before = await ground();
    await page.getByRole("group", { name: "Theme" }).getByText("Subtitle", { exact: true }).click();
    await expect.poll(ground).not.toBe(before);
    await lookAt(page, "bio-start");
    await publish.click();
    await expectFocus(page.getByLabel("URL of link 2"));
    expect((await person.api("getMyBioPage")).body, "what is wrong is said before").toMatchObject({ handle: null });
    await page.getByLabel("URL of link 2").fill("example.com/letter");
    await page.getByLabel("URL of link 2").blur();
    await page.getByText("Now a link that opens example.com/letter.").waitFor();
    await page.getByLabel("Title of link 1").fill("Course");
    await page.getByLabel("URL of link 1").fill("example.com/course");
    await publish.click();
    const sheet = page.getByRole("dialog", { name: "Your page is live" });
    await sheet.waitFor();
    await page.evaluate(() => {
      const share = async (shareData: ShareData): Promise<void> => void (document.body.dataset["sent"] = shareData.url);
      Object.defineProperty(navigator, "share", { value: share });
    });
    await sheet.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Address", exact: true }).click();
    await page.getByRole("button", { name: "Send link" }).click();
    await expect.poll(() => page.locator("body").getAttribute("data-sent")).toBe(`${visits.service.url}/@first.page`);
    expect((await person.api("getMyBioPage")).body).toMatchObject({
      handle: "first.page",
      displayName: "Ana Souza",
      links: [
        { title: "Course", url: "https://example.com/course" },
        { title: "Newsletter", url: "https://example.com/letter" },
      ],
    });
  });

  test("starts on a phone with a portrait and a preview that follows the typing", async () => {
    const { page } = await visits.openAs("phone.beginner@example.com", "/app/bio", { width: 390 });
    await page.getByRole("button", { name: "Choose image: Portrait" }).waitFor();
    expect(await page.getByRole("button", { name: "Preview" }).count(), "it is there already").toBe(0);
    for (const name of ["Ana", "Ana Souza"]) {
      await page.getByLabel("Name", { exact: true }).fill(name);
      await preview(page).getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.getByLabel("Name", { exact: true }).fill("👩‍👩‍👧‍👦".repeat(60));
    await page.getByText("60 of 60").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("👩‍👩‍👧‍👦".repeat(61));
    await page.getByText("1 too many: at most 60 characters.").waitFor();
  });

  test("publishes nothing by claiming, then says where the page is", async () => {
    const { page, context } = await visits.openAs("sheet@example.com", "/app/bio?tab=address");
    const status = async (): Promise<number> =>
      (await context.request.get(`${visits.service.url}/@sheet.owner`, { maxRedirects: 0 })).status();
    await page.getByLabel("Choose an address").fill("sheet.owner");
    await page.getByRole("button", { name: "Claim address" }).click();
    await page.getByText("Only you can see your page until you publish it.").waitFor();
    expect(await status()).toBe(404);
    await page.getByRole("link", { name: "Profile", exact: true }).click();
    await page.getByLabel("Name").first().fill("Lena Bakes");
    await page.getByRole("button", { name: /^Publish/ }).click();
    const sheet = page.getByRole("dialog", { name: "Your page is live" });
    await sheet.getByRole("img", { name: "QR code of @sheet.owner" }).waitFor();
    const card = sheet.getByRole("img", { name: "Preview of a link to @sheet.owner" });
    await expect.poll(() => card.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1_200);
    await lookAt(page, "publish-sheet");
    expect(await status()).toBe(200);
    await sheet.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Share page" }).click();
    await sheet.waitFor();
  });

  test("says when another tab publishes, and never shows its words beside mine", async () => {
    const { page, context } = await visits.openAs("two-tabs@example.com", "/app/bio?tab=profile");
    const other = await context.newPage();
    await other.goto(`${visits.service.url}/app/bio?tab=profile`);
    await other.getByLabel("Name").first().fill("Theirs");
    await page.getByLabel("Bio", { exact: true }).fill("My own words");
    await preview(page).getByText("My own words").waitFor();
    await other.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("The page was changed elsewhere").waitFor();
    await expect.poll(() => page.locator("dl.sides dd").allInnerTexts()).toEqual(["Name", "Bio"]);
    await page.getByLabel("Bio", { exact: true }).fill("My own new words");
    await preview(page).getByText("My own new words").waitFor();
    expect(await preview(page).getByText("Theirs").count()).toBe(0);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await preview(page).getByRole("heading", { name: "Theirs" }).waitFor();
    await preview(page).getByText("My own new words").waitFor();
  });

  test("moves links by the keyboard", async () => {
    const { page, person } = await visits.openAs("orderly@example.com");
    const titles = ["One", "Two", "Three"];
    const links = titles.map((title) => ({ title, url: `https://example.com/${title}` }));
    expect((await person.api("updateBioPage", { displayName: "Orderly", links })).status).toBe(200);
    await page.goto(`${visits.service.url}/app/bio`);
    const linkTitles = (): Promise<string[]> =>
      preview(page)
        .getByRole("link", { name: /One|Two|Three/ })
        .allInnerTexts();
    await expect.poll(linkTitles).toEqual(titles);
    await page.getByRole("button", { name: "Move Three" }).focus();
    await page.keyboard.press("Space");
    await page.getByText(/Picked up Three/).waitFor({ state: "attached" });
    await page.keyboard.press("ArrowUp");
    await page.getByText("Three is at 2 of 3.").waitFor({ state: "attached" });
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect.poll(linkTitles).toEqual(["Three", "One", "Two"]);
    await expectFocus(page.getByRole("button", { name: "Move Three" }));
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText(/^Published/).waitFor();
    const { body } = await person.api("getMyBioPage");
    expect(body.links.map(({ title }: { title: string }) => title)).toEqual(["Three", "One", "Two"]);
  });

  test("opens the draft before publication, and the public page after it", async () => {
    const { page, person } = await visits.openAs("opener@example.com", "/app/bio?tab=profile");
    await page.getByLabel("Name").first().fill("Mia Draft");
    await page.getByText("1 unpublished change").click();
    await page.locator(".draft-state li").filter({ hasText: /name/i }).waitFor();
    const opened = async (): Promise<Page> => {
      const [tab] = await Promise.all([
        page.waitForEvent("popup"),
        page
          .getByRole("button", { name: "Open", exact: true })
          .or(page.getByRole("link", { name: "Open", exact: true }))
          .click(),
      ]);
      await tab.getByRole("heading", { name: "Mia Draft" }).waitFor();
      return tab;
    };
    const draft = await opened();
    await draft.getByText("Only you can see this draft.").waitFor();
    await draft.close();
    expect((await person.api("claimBioHandle", { handle: "mia.draft" })).status).toBe(200);
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText(/^Published/).waitFor();
    await page.goto(`${visits.service.url}/app/bio?tab=address`);
    await page.getByRole("img", { name: "QR code of @mia.draft" }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download PNG" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("mia.draft.png");
    const open = await opened();
    await expect.poll(() => new URL(open.url()).pathname).toBe("/@mia.draft");
    await expect.poll(() => open.getByText("Only you can see this draft.").count()).toBe(0);
    await open.close();
  });

  test("claims the address that somebody came for, or says it is unavailable", async () => {
    const other = await visits.openAs("earlier@example.com");
    expect((await other.person.api("claimBioHandle", { handle: "taken.one" })).status).toBe(200);
    const { page, person, expectRefusals } = await visits.openAs("claimer@example.com");
    expectRefusals(400, 404, 409);
    const handle = async () => (await person.api("getMyBioPage")).body.handle;
    await page.goto(`${visits.service.url}/@still.free`);
    await page.getByRole("link", { name: "Claim @still.free" }).click();
    await Promise.all([
      page.getByText("@still.free is yours.").waitFor(),
      page.getByRole("button", { name: "Claim address" }).click(),
    ]);
    expect(await handle()).toBe("still.free");
    const change = async (to: string): Promise<void> => {
      await page.getByLabel("New address").fill(to);
      await page.getByRole("button", { name: "Change address" }).click();
    };
    const field = page.getByLabel("New address");
    await field.fill("");
    await field.pressSequentially("ab");
    const tooShort = page.getByText(/^Use at least 3/);
    expect(await tooShort.count(), "no news while somebody is writing").toBe(0);
    await field.blur();
    await tooShort.waitFor();
    await field.fill("taken.one");
    await page.getByText("taken.one is taken. Choose another one.").waitFor();
    await field.fill("api");
    await page.getByText("This handle is reserved. Choose another one.").waitFor();
    await field.fill("not.taken.yet");
    await page.getByText(/^Free\. Your page will be at/).waitFor();
    await change("taken.one");
    await page.getByText(/taken/).last().waitFor();
    expect(await handle()).toBe("still.free");
    await Promise.all([page.getByText("@lena.bakes is yours.").waitFor(), change("@Lena.Bakes")]);
    await page.getByText(`${visits.service.url}/@lena.bakes`).first().waitFor();
    expect(await handle()).toBe("lena.bakes");
  });
});
