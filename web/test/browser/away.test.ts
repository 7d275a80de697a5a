import { expect, test } from "vitest";
import { serviceOfTests } from "../../../server/test/harness/start-test-service.ts";
import { describeInBrowser, openContext } from "./chromium-program.ts";
import { signInByHand } from "./start-visits.ts";

describeInBrowser("a service that is away, in a browser", () => {
  const service = serviceOfTests({ transcriber: null });

  test("leaves the window where it is when a page cannot be loaded, and opens that once it is back", async () => {
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/app/transcribe`);
    await signInByHand(page);
    const typed = "https://www.instagram.com/reel/DLlGZiCOBQ0/";
    await page.getByLabel("Reel links").fill(typed);

    await context.setOffline(true);
    const missed = page.waitForEvent("requestfailed", (request) => request.url().includes("guides-page"));
    await page.getByRole("link", { name: "Guides" }).hover();
    await missed;
    await expect.poll(() => page.getByLabel("Reel links").inputValue()).toBe(typed);
    await page.getByRole("link", { name: "Guides" }).click();
    await page.getByRole("heading", { name: "You’re offline", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Still can’t reach Reelscript.").waitFor();

    await context.setOffline(false);
    await page.getByRole("heading", { name: "Guides", level: 1 }).waitFor();
    await context.close();
  });
});
