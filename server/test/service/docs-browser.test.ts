import { operations } from "@reelscript/contract";
import { chromium } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startTestService } from "../harness/start-test-service.ts";
import { violationsOf } from "../harness/violations-of.ts";
import { chromiumProgram, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";

describe.skipIf(chromiumProgram === undefined)(`the reference page in a browser${unlessSkipped}`, () => {
  test("shows every operation in light and dark, wide and narrow, with samples by language and nothing to complain about", async () => {
    const service = await startTestService({ transcriber: null });
    const browser = await chromium.launch({ executablePath: chromiumProgram!, args: ["--no-sandbox"] });
    try {
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [1440, 390]) {
          const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: false });
          const complaints: string[] = [];
          const requests: string[] = [];
          page.on("console", (message) => complaints.push(message.text()));
          page.on("pageerror", (error) => complaints.push(String(error)));
          page.on("request", (request) => requests.push(request.url()));
          await page.goto(`${service.url}/docs`, { waitUntil: "networkidle" });

          const shown = await page.locator("main").innerText();
          for (const { summary } of Object.values(operations)) expect(shown).toContain(summary);
          const links = page.locator("main").getByRole("link", { name: "Get a script as subtitles" });
          expect(await links.filter({ visible: true }).count()).toBe(2);
          expect(shown).toContain("curl 'http");
          expect(shown).not.toContain("requests.post(");
          await page.getByLabel("Python", { exact: true }).check();
          expect(await page.locator("main").innerText()).toContain("requests.post(");

          expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
          expect(
            requests.filter(
              (address) => new URL(address).protocol !== "data:" && new URL(address).origin !== service.url,
            ),
          ).toEqual([]);
          expect(complaints).toEqual([]);
          expect((await violationsOf(page)).map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
          await page.getByRole("link", { name: "Reelscript", exact: true }).click();
          expect(new URL(page.url()).pathname).toBe("/");
          await page.close();
        }
    } finally {
      await browser.close();
      await service.close();
    }
  });
});
