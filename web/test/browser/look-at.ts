import type { Page } from "playwright-core";
import { expect } from "vitest";
import { hindrancesOf, settle, sticksOut, turnDark } from "./page-checks.ts";
import { shoot } from "./shoot.ts";
import { heightAt } from "./start-visits.ts";

/** Holds that a page is fit for everybody, narrow and wide, light and dark. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await settle(page);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: heightAt(width) });
    await settle(page);
    await shoot(page, `${name}-${width}`);
    expect(await hindrancesOf(page), `${name} at ${width}`).toEqual([]);
    expect(await sticksOut(page), `${name} at ${width}`).toEqual([]);
  }
  await turnDark(page);
  await shoot(page, `${name}-dark-390`);
  expect(await hindrancesOf(page), `${name} in the dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: heightAt(1440) });
}
