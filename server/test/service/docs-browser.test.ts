import { operations } from "@reelscript/contract";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { serviceOfTest } from "../harness/start-test-service.ts";
import { violationsOf } from "../harness/violations-of.ts";
import { chromiumProgram, openContext, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";
import { shiftsOf, sticksOut, turnDark, watchShifts } from "../../../web/test/browser/page-checks.ts";

/** Copies a sample, finds an operation by a word of its fields, and sees in the contents what is read. */
async function usesScript(page: Page): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const example = page.locator("#getUsage .python");
  // It says so for a moment only.
  await Promise.all([example.getByText("Copied", { exact: true }).waitFor(), example.getByRole("button").click()]);
  const code = await example.locator("code").innerText();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(code);

  const articles = page.locator("article:visible");
  const all = await articles.count();
  const search = page.getByRole("searchbox");
  await search.fill("ENGAGEMENT captions hook nextCursor");
  await expect.poll(() => page.locator("article:visible h3").allInnerTexts()).toEqual(["Search your library"]);
  await expect.poll(() => page.getByRole("status").innerText()).toBe("1 operation");
  await expect.poll(() => page.locator("main h2:visible").allInnerTexts()).toEqual(["Library"]);
  await search.fill("qwertyuiop");
  await expect.poll(() => articles.count()).toBe(0);
  await search.fill("");
  await expect.poll(() => articles.count()).toBe(all);

  const current = page.locator(".contents [aria-current]");
  for (const id of ["getUsage", "reasons", "start"]) {
    await page
      .locator(`#${id}`)
      .first()
      .evaluate((element) => element.scrollIntoView());
    await expect.poll(() => current.count()).toBe(1);
  }
  await expect.poll(() => current.innerText()).toBe("Start");
}

const findViolations = async (page: Page, options: Parameters<typeof violationsOf>[1], exclude?: readonly string[]) =>
  (await violationsOf(page, options, exclude)).map(({ id, nodes }) => [id, nodes[0]?.html]);

/** Checks the first operation of each group only: all look alike, and checking all contrasts takes axe minutes. */
const badContrasts = (page: Page) =>
  findViolations(page, { runOnly: { type: "rule", values: ["color-contrast"] } }, ["article:nth-of-type(n+2)"]);

describe.skipIf(chromiumProgram === undefined)(`the reference page in a browser${unlessSkipped}`, () => {
  test("shows every operation with samples, in both widths and themes", async () => {
    const service = await serviceOfTest({ transcriber: null });
    const context = await openContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => requests.push(request.url()));
    await watchShifts(page);
    await page.goto(`${service.url}/docs`, { waitUntil: "networkidle" });
    const { score, what } = await shiftsOf(page);
    // A line that arrives in two parts may grow by a pixel or two with the second.
    expect(score, `nothing that anybody sees moves while it loads: ${JSON.stringify(what)}`).toBeLessThan(0.001);

    const pageText = await page.locator("main").innerText();
    for (const { summary } of Object.values(operations)) expect(pageText).toContain(summary);
    const links = page.locator("main").getByRole("link", { name: "Get a script as subtitles" });
    expect(await links.filter({ visible: true }).count()).toBe(2);
    expect(pageText).toContain("curl 'http");
    expect(pageText).not.toContain("requests.post(");
    await page.getByLabel("Python", { exact: true }).check();
    await expect.poll(() => page.locator("main").innerText()).toContain("requests.post(");

    expect(
      requests.filter((address) => new URL(address).protocol !== "data:" && new URL(address).origin !== service.url),
    ).toEqual([]);
    expect(await findViolations(page, { rules: { "color-contrast": { enabled: false } } })).toEqual([]);
    expect(await badContrasts(page)).toEqual([]);
    await usesScript(page);
    expect(await sticksOut(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    await turnDark(page);
    expect(await sticksOut(page)).toEqual([]);
    expect(await badContrasts(page)).toEqual([]);
    await page.getByRole("link", { name: "Reelscript", exact: true }).click();
    await page.waitForURL(`${service.url}/`);
    expect(complaints).toEqual([]);
  });
});
