import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, Result, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The form for browsers, half as long as the one for Node. */
const program = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Axe parses the few colors of a page thousands of times, which takes a fifth of its checks of contrast. */
const parseColorsOnce = `{
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  const parsed = new Map();
  prototype.parseString = function (color) {
    const found = parsed.get(color);
    if (found !== undefined) return Object.assign(this, found);
    parseString.call(this, color);
    const { r, g, b, alpha } = this;
    parsed.set(color, { r, g, b, alpha });
    return this;
  };
}`;

/**
 * Violations that axe finds in the page itself, without its frames. Axe is injected once; its wrapper for Playwright would also
 * load it into a blank page for every check, which takes longer than the check itself.
 */
export async function violationsOf(
  page: Page,
  options: Pick<RunOptions, "runOnly" | "rules"> = {},
  exclude: readonly string[] = [],
): Promise<readonly Result[]> {
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(`${program};${parseColorsOnce}`);
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
