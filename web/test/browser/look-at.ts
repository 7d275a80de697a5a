import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectFit, hindrancesOf, settle, sticksOut, turnDark } from "./page-checks.ts";
import { shoot } from "./shoot.ts";
import { heightAt } from "./start-visits.ts";

/** Holds that a page is fit for everybody, narrow and wide, light and dark. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: heightAt(1440) });
  await expectFit(page, `${name}-1440`);
  await page.setViewportSize({ width: 390, height: heightAt(390) });
  await settle(page);
  await shoot(page, `${name}-390`);
  await expect.poll(() => sticksOut(page), { message: `${name} at 390` }).toEqual([]);
  await turnDark(page);
  await shoot(page, `${name}-dark-390`);
  const message = `${name} in the dark`;
  await expect.poll(() => hindrancesOf(page, ["color-contrast"]), { message }).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: heightAt(1440) });
}
