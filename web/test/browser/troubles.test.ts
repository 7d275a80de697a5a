import { expect, test } from "vitest";
import { addScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { lookAt, settle } from "./page-checks.ts";
import { heightAt, visitsOfTests } from "./start-visits.ts";

describeInBrowser("troubles in a browser", () => {
  const visits = visitsOfTests();

  test("an error of ours shows its request id where it happened, and can be tried again", async () => {
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

  test("on a phone the transcript of a script comes before what is known about it", async () => {
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
