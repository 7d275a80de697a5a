import { expect, test } from "vitest";
import { createScriptedTranscriber } from "../../../server/test/harness/scripted-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { openScript } from "./fill-account.ts";
import { expectFit, lookAt } from "./page-checks.ts";
import { heightAt, visitsOfTests } from "./start-visits.ts";

const segments = [
  { start: 0, end: 3.5, text: "Salt comes first of all." },
  { start: 16.5, end: 75, text: "Then we bake the bread, slowly, until its crust is dark and it sounds hollow." },
];
const speech = {
  text: segments.map(({ text }) => text).join(" "),
  segments,
  gaps: [{ start: 4, end: 16, reason: "skipped" as const }],
};

describeInBrowser("sharing a script, in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber });

  test("goes from the script to a reader without an account, and ends", async () => {
    const { page } = await openScript(visits, transcriber, speech, { reel: { handle: "cook.daily" } });
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.evaluate(() => {
      const share = async (shareData: ShareData): Promise<void> => void (document.body.dataset["sent"] = shareData.url);
      Object.defineProperty(navigator, "share", { value: share });
    });
    await page.getByRole("button", { name: "Create link" }).click();
    const field = page.getByRole("textbox", { name: "Link" });
    await field.waitFor();
    await lookAt(page, "share-dialog");
    await page.getByRole("button", { name: "Copy link" }).click();
    const link = await field.inputValue();
    await page.getByRole("button", { name: "Send link" }).click();
    await expect.poll(() => page.locator("body").getAttribute("data-sent")).toBe(link);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);

    const reader = await visits.open();
    reader.expectRefusals(404);
    await reader.page.goto(link);
    await reader.page.getByRole("heading", { name: "Salt comes first of all" }).waitFor();
    await reader.page.getByText("12 s we couldn’t make out").waitFor();
    await lookAt(reader.page, "shared");
    await reader.page.setViewportSize({ width: 390, height: heightAt(390) });
    const top = async (selector: string): Promise<number> =>
      (await reader.page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
    await expect.poll(() => reader.page.locator(".cue").isVisible(), { message: "words first" }).toBe(false);
    expect(await reader.context.cookies()).toEqual([]);
    await reader.page.getByRole("button", { name: "Copy" }).click();
    await expect.poll(() => reader.page.evaluate(() => navigator.clipboard.readText())).toBe(speech.text);
    expect(await reader.page.locator("video").count(), "nothing is loaded before it is played").toBe(0);
    await reader.page.getByRole("button", { name: "Play" }).click();
    await reader.page.locator(".cue video").waitFor();
    await expect
      .poll(async () => (await top(".cue")) < (await top(".lines")), { message: "the reel, then" })
      .toBe(true);
    await reader.page.setViewportSize({ width: 1440, height: heightAt(1440) });

    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("link", { name: "All shared links" }).click();
    await page.getByRole("heading", { name: "Shared links" }).waitFor();
    await page.getByText("Salt comes first of all").waitFor();
    const settings = page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Settings" });
    expect(await settings.getAttribute("aria-current")).toBe("page");
    await expectFit(page, "shared-list");
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Nothing is shared").waitFor();
    await reader.page.reload();
    await reader.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
    await expectFit(reader.page, "shared-ended");
  });
});
