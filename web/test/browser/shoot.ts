import path from "node:path";
import type { Page } from "playwright-core";

const { SCREENSHOTS } = process.env;

/** Takes a picture where pictures are asked for. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS)
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true, animations: "disabled" });
}
