import { expect, test } from "vitest";
import { addScript } from "./fill-account.ts";
import { giveSession } from "../../../server/test/harness/sign-in.ts";
import { cookiesOf, describeInBrowser, openContext } from "./chromium-program.ts";
import { lookAt, settle } from "./page-checks.ts";
import { heightAt, visitsOfTests } from "./start-visits.ts";

describeInBrowser("troubles in a browser", () => {
  const visits = visitsOfTests();

  test("an internal error shows its request id in place, and a retry", async () => {
    const { page, expectRefusals, person } = await visits.openAs("unlucky@example.com");
    await addScript(visits.service, person.accountId, { text: "Words that come back." });
    expectRefusals(500);
    const requestId = "req_0123456789abcdef01234567";
    const message = "Something went wrong on our side. Try again. If it keeps happening, report the request id.";
    await page.route("**/app/api/scripts?*", (route) =>
      route.fulfill({
        status: 500,
        headers: { "x-request-id": requestId },
        json: { error: { code: "internalError", message } },
      }),
    );
    await page.goto(`${visits.service.url}/app/library`);
    await page.getByRole("alert").getByText(message, { exact: false }).waitFor();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain(`Request id: ${requestId}`);
    await lookAt(page, "library-error");
    await page.unroute("**/app/api/scripts?*");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByRole("link", { name: /Words that come back/ }).waitFor();
  });

  test("a page that fails to load keeps the window, and opens afterward", async () => {
    // Others may have read that page already.
    const context = await openContext();
    const person = await giveSession(visits.service, { email: "offline@example.com" });
    await context.addCookies(cookiesOf(person, visits.service.url));
    const page = await context.newPage();
    await page.goto(`${visits.service.url}/app/transcribe`);
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

  test("more reports are not asked for again and again when that fails", async () => {
    const { page, expectRefusals } = await visits.openAs("searcher@example.com");
    expectRefusals(429);
    const names = ["ada", "bea", "cleo", "dora", "elsa", "fay", "gil", "hana"];
    const reports = names.map((handle) => ({
      id: handle,
      handle,
      createdAt: "2026-11-14T18:20:00.000Z",
      metrics: {},
    }));
    let requestCount = 0;
    await page.route("**/app/api/report-figures*", (route) => {
      if (!route.request().url().includes("cursor=")) return route.fulfill({ json: { reports, nextCursor: "next" } });
      requestCount += 1;
      const error = { code: "rateLimited", message: "Too many requests." };
      return route.fulfill({ status: 429, headers: { "retry-after": "3600" }, json: { error } });
    });
    await page.goto(`${visits.service.url}/app/reports?query=ada`);
    await page.getByRole("alert").or(page.getByRole("status")).filter({ hasText: "Too many requests." }).waitFor();
    await page.getByLabel("Search reports").fill("bea");
    await page.getByRole("link", { name: "@bea" }).waitFor();
    await page.getByRole("link", { name: "@ada" }).waitFor({ state: "detached" });
    expect(requestCount).toBe(1);
  });

  test("on a phone a script's transcript comes before its facts", async () => {
    const { page, person } = await visits.openAs("phone@example.com", undefined, { width: 390 });
    const id = await addScript(visits.service, person.accountId, {
      text: "First the words.",
      handle: "some.one",
    });
    await page.goto(`${visits.service.url}/app/scripts/${id}`);
    const transcript = page.getByRole("article", { name: "Transcript" });
    await transcript.waitFor();
    await settle(page);
    const top = async (what: typeof transcript): Promise<number> => (await what.boundingBox())?.y ?? Number.NaN;
    const isFirst = async () => (await top(transcript)) < (await top(page.locator(".script .left")));
    await expect.poll(isFirst).toBe(true);
    await expect.poll(() => top(transcript), { message: "within the first screen" }).toBeLessThan(heightAt(390));
  });
});
