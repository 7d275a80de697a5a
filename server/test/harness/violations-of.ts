import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, Result, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The form for browsers, half as long as the one for Node. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Violations that axe finds in the page itself, without its frames. Axe is injected once; its wrapper for Playwright would also
 * load it into a blank page for every check, which takes longer than the check itself.
 */
export async function violationsOf(
  page: Page,
  options: Pick<RunOptions, "runOnly" | "rules"> = {},
  exclude: readonly string[] = [],
): Promise<readonly Result[]> {
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axe);
  const runOptions: RunOptions = {
    iframes: false,
    preload: { assets: ["media"], timeout: 10_000 },
    resultTypes: ["violations"],
    ...options,
  };
  const results = await page.evaluate(
    `axe.run(${JSON.stringify({ exclude: ["iframe", ...exclude] })}, ${JSON.stringify(runOptions)})`,
  );
  return (results as AxeResults).violations;
}
