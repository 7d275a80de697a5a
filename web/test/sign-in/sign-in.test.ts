import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { serviceOfTests } from "../../../server/test/harness/start-test-service.ts";
import { violationsOf } from "../../../server/test/harness/violations-of.ts";
import { chromiumProgram, openContext, unlessSkipped } from "../browser/chromium-program.ts";

describe.skipIf(chromiumProgram === undefined)(`the way into the dashboard${unlessSkipped}`, () => {
  const service = serviceOfTests({ transcriber: null });

  /** A page that remembers what went wrong in it. */
  async function open(
    address: string,
    view: { readonly width: number; readonly dark: boolean } = { width: 1440, dark: false },
  ): Promise<{ page: Page; troubles: string[] }> {
    const context = await openContext({
      viewport: { width: view.width, height: 900 },
      colorScheme: view.dark ? "dark" : "light",
    });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => {
      // That nobody is signed in is what is tested.
      if (message.type() === "error" && !message.text().includes("401")) troubles.push(message.text());
    });
    await page.goto(service.url + address);
    return { page, troubles };
  }

  test("takes who is not signed in to the sign-in page, and knows the way back", async () => {
    const { page, troubles } = await open("/app/library?query=hook");
    await page.waitForURL(/\/app\/sign-in/);
    await page.getByRole("heading", { level: 1, name: "Read what reels say" }).waitFor();
    const target = await page.getByRole("link", { name: "Continue with your account" }).getAttribute("href");
    const leads = new URL(target ?? "", service.url);
    expect(leads.pathname).toBe("/auth/login");
    expect(leads.searchParams.get("return_to")).toBe("/app/library?query=hook");
    await expect.poll(() => page.title()).toBe("Sign in · Reelscript");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("never takes an address of another site along", async () => {
    const { page } = await open("/app/sign-in?return_to=https%3A%2F%2Fevil.example%2F");
    const target = await page.getByRole("link", { name: "Continue with your account" }).getAttribute("href");
    expect(new URL(target ?? "", service.url).searchParams.get("return_to")).toBe("/app");
    await page.context().close();
  });

  test.each(["expired", "provider", "refused", "<b>other</b>"])("says what became of a sign-in: %s", async (code) => {
    const { page } = await open(`/app/sign-in?error=${encodeURIComponent(code)}`);
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(/\.$/);
    await expect.poll(() => page.getByRole("alert").innerText()).not.toContain("<b>");
    await page.context().close();
  });

  test.each([
    { width: 1440, dark: false },
    { width: 390, dark: true },
  ])("can be read and used by everybody: %o", async (view) => {
    const { page, troubles } = await open("/app/sign-in?error=expired", view);
    await page.getByRole("alert").waitFor();
    const violations = await violationsOf(page);
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset["theme"]))
      .toBe(view.dark ? "dark" : "light");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("says at an address without a page that nothing is there", async () => {
    const { page } = await open("/app/no/such/page");
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Page not found · Reelscript");
    await page.context().close();
  });
});
