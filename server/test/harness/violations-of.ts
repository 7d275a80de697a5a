import axe, { type AxeResults, type Result, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/**
 * Violations that axe finds in the page itself, without its frames. Axe is injected once; its wrapper for Playwright would also
 * load it into a blank page for every check, which takes longer than the check itself.
 */
export async function violationsOf(
  page: Page,
  options: Pick<RunOptions, "runOnly" | "rules"> = {},
  exclude: readonly string[] = [],
): Promise<readonly Result[]> {
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axe.source);
  const runOptions: RunOptions = { iframes: false, resultTypes: ["violations"], ...options };
  const results = await page.evaluate(
    `axe.run(${JSON.stringify({ exclude: ["iframe", ...exclude] })}, ${JSON.stringify(runOptions)})`,
  );
  return (results as AxeResults).violations;
}
