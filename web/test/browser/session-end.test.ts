import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { createScriptedTranscriber } from "../../../server/test/harness/scripted-transcriber.ts";
import { giveSession } from "../../../server/test/harness/sign-in.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { openScript } from "./fill-account.ts";
import { expectFit, lookAt } from "./page-checks.ts";
import { type SignedInVisitor, visitsOfTests } from "./start-visits.ts";

const segments = [
  { start: 0, end: 3.5, text: "Salt comes first of all." },
  { start: 4, end: 9, text: "Then the east rises." },
];
const speech = { text: segments.map((segment) => segment.text).join(" "), segments };

describeInBrowser("a session that ends while somebody writes, in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber });

  const line = (page: Page) => page.getByRole("textbox", { name: "Text at 0:04" });
  async function correct(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Correct", exact: true }).click();
    await line(page).fill("Then the yeast rises.");
  }
  async function endSession(visitor: SignedInVisitor): Promise<void> {
    visitor.expectRefusals(401);
    await visitor.context.clearCookies();
  }
  const ended = (page: Page) => page.getByRole("dialog", { name: "Your session ended" });
  async function signInAgain(visitor: SignedInVisitor, email: string): Promise<Page> {
    const opened = visitor.context.waitForEvent("page");
    await ended(visitor.page).getByRole("link", { name: "Sign in" }).click();
    const tab = await opened;
    await tab.getByLabel("Email").fill(email);
    await tab.getByRole("button", { name: "Sign in" }).click();
    return tab;
  }

  test("saves a correction after signing in again", async () => {
    const visitor = await openScript(visits, transcriber, speech);
    const { page, id, email } = visitor;
    await correct(page);
    await endSession(visitor);
    await page.getByRole("button", { name: "Save changes" }).click();
    await ended(page).waitFor();
    await lookAt(page, "session-ended");
    const tab = await signInAgain(visitor, email);
    await tab.getByRole("heading", { name: "You’re signed in" }).waitFor();
    await expectFit(tab, "signed-in-again");
    await page.getByText("You corrected this transcript").waitFor();
    await expect.poll(() => ended(page).count()).toBe(0);
    const again = await giveSession(visits.service, { email });
    expect((await again.api("getScript", { id })).body.transcript).toBe(
      "Salt comes first of all. Then the yeast rises.",
    );
    await page.reload();
    await page.getByRole("button", { name: "Correct", exact: true }).waitFor();
  });

  test("keeps a correction over a reload, and forgets it when discarded", async () => {
    const { page } = await openScript(visits, transcriber, speech);
    await correct(page);
    await page.reload();
    await page.getByText("Your unsaved changes are back.").waitFor();
    await expect.poll(() => line(page).inputValue()).toBe("Then the yeast rises.");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: "Correct", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Correct", exact: true }).waitFor();
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("correction"))))
      .toEqual([]);
  });

  test("never shows a correction to another account", async () => {
    const visitor = await openScript(visits, transcriber, speech);
    const { page } = visitor;
    await correct(page);
    await endSession(visitor);
    visitor.expectRefusals(404);
    await page.getByRole("button", { name: "Save changes" }).click();
    await signInAgain(visitor, "second-writer@example.com");
    await page.getByText("This script is not in the library").waitFor();
    expect(await page.getByText("yeast").count()).toBe(0);
  });

  test("keeps what was typed into the bio page, and publishes it", async () => {
    const email = "bio-writer@example.com";
    const visitor = await visits.openAs(email, "/app/bio?tab=profile");
    const { page, person } = visitor;
    await page.getByLabel("Name").first().fill("Lena Bakes");
    await page.getByText("1 unpublished change").waitFor();
    await endSession(visitor);
    await page.getByRole("button", { name: /^Publish/ }).click();
    await signInAgain(visitor, email);
    await page.getByText(/^Published/).waitFor();
    expect((await person.api("getMyBioPage")).body.displayName).toBe("Lena Bakes");
  });

  test("keeps a form that is being filled, and does what it says", async () => {
    const email = "key-maker@example.com";
    const visitor = await visits.openAs(email, "/app/settings/keys");
    const { page, person } = visitor;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Laptop");
    await endSession(visitor);
    await page.getByRole("button", { name: "Create key" }).click();
    await signInAgain(visitor, email);
    await page.getByText("Laptop").first().waitFor();
    const names = async () => (await person.api("listKeys")).body.keys.map(({ name }: { name: string }) => name);
    await expect.poll(names).toEqual(["Laptop"]);
  });

  test("still leads to the sign-in page where nothing was typed", async () => {
    const visitor = await visits.openAs("reader@example.com");
    const unanswered = new Set<Request>();
    visitor.page.on("request", (request) => unanswered.add(request));
    visitor.page.on("requestfinished", (request) => unanswered.delete(request));
    visitor.page.on("requestfailed", (request) => unanswered.delete(request));
    await visitor.go("/app/settings/account");
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    // Any call that the ended session refuses would leave the page before the link is followed.
    await expect.poll(() => unanswered.size).toBe(0);
    await endSession(visitor);
    await visitor.page.getByRole("link", { name: "Usage" }).first().click();
    await visitor.page.getByRole("link", { name: "Continue with your account" }).waitFor();
    await expect
      .poll(() => new URL(visitor.page.url()).searchParams.get("return_to"))
      .toMatch(/^\/app\/(usage|settings)/);
  });
});
