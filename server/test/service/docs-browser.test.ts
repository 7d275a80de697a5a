import { operations } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { openInBrowser } from "../harness/open-in-browser.ts";
import { startTestService } from "../harness/start-test-service.ts";

const { CHROMIUM } = process.env;

/** What the page's policy forbids. The component tries whether it may make code of text, and does without. */
const watchPolicy = `
  globalThis.forbidden = [];
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    if (blockedURI !== "eval") forbidden.push(violatedDirective + " " + blockedURI);
  });`;

describe.skipIf(CHROMIUM === undefined)(
  `the reference page in a browser${CHROMIUM === undefined ? " (skipped: CHROMIUM names no Chromium program)" : ""}`,
  () => {
    test("shows every operation, asks nobody but the service for anything, and tries nothing that is forbidden", async () => {
      const service = await startTestService({ transcriber: null });
      const page = await openInBrowser(CHROMIUM!, `${service.url}/docs`, watchPolicy);
      try {
        const text = async (): Promise<string> => String(await page.evaluate("document.body.innerText"));
        await expect.poll(text, { timeout: 30_000 }).toContain(operations.getMe.summary);
        const shown = await text();
        for (const { summary } of Object.values(operations)) expect(shown).toContain(summary);

        // What is shown later is loaded later, if it is.
        await page.evaluate("scrollTo(0, document.body.scrollHeight)");
        await page.evaluate(
          `[...document.querySelectorAll("button")].find((one) => /Test Request/.test(one.innerText))?.click()`,
        );
        await expect.poll(text, { timeout: 30_000 }).toContain("Request Body");

        expect(page.requests).toContain(`${service.url}/openapi.json`);
        expect(page.requests.filter((address) => new URL(address).origin !== service.url)).toEqual([]);
        expect(await page.evaluate("forbidden")).toEqual([]);
      } finally {
        await page.close();
        await service.close();
      }
    });
  },
);
