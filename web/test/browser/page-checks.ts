import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { violationsOf } from "../../../server/test/harness/violations-of.ts";
import { heightAt } from "./start-visits.ts";

const { SCREENSHOTS } = process.env;

/** Takes a picture where pictures are asked for. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS)
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true, animations: "disabled" });
}

/** Saves the printed page where pictures are asked for. */
export async function print(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.pdf({ path: path.join(SCREENSHOTS, `${name}.pdf`), format: "A4", margin: printMargin });
}

/** A4 without its margins, in CSS pixels. */
const paper = { width: 703, height: 1_017 };

/** Holds that a page in print media shows all its closed parts, and that nothing is wider than the paper or cut by its box. */
export async function expectWholeOnPaper(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize(paper);
  await expect.poll(() => cutOnPaper(page)).toEqual([]);
  const pdf = await page.pdf({ format: "A4", margin: printMargin });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  if (size) await page.setViewportSize(size);
}

const cutOnPaper = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isShown = (element: Element): boolean => element.checkVisibility();
    const isCut = (element: Element): boolean =>
      element.getBoundingClientRect().right > width + 1 ||
      (getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1);
    const closed = [...document.querySelectorAll("main details > :not(summary)")].filter((part) => !isShown(part));
    const visible = [...document.querySelectorAll("main *")].filter(
      (element) =>
        isShown(element) && !element.matches(".one-line, .one-line *, .visually-hidden, .cue, .cue *, option"),
    );
    return [...closed, ...visible.filter(isCut)].slice(0, 5).map((element) => element.outerHTML.slice(0, 160));
  });

const printMargin = { top: "14mm", bottom: "14mm", left: "12mm", right: "12mm" };

const record = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push([value, ...sources.map(({ node }) => node?.parentElement === undefined ? "?" : (node.outerHTML ?? node.textContent ?? "").slice(0, 120))]);
  }).observe({ type: "layout-shift", buffered: true });`;

/** Must come before what the page shows. */
export const watchShifts = (page: Page): Promise<unknown> => page.addInitScript(record);

/** By how much things moved that nobody touched, as browsers score it, and what it was. */
export async function shiftsOf(page: Page): Promise<{ score: number; what: readonly unknown[] }> {
  const shifts = (await page.evaluate("globalThis.shifts")) as [number, ...string[]][];
  return { score: shifts.reduce((sum, [value]) => sum + value, 0), what: shifts };
}

/** Waits until nothing is loading any more, neither data nor fonts nor the frames, and nothing moves or fades. */
export async function settle(page: Page): Promise<void> {
  // Not until the network is idle: a page that follows a transcription keeps a stream open.
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState()));
  await page.waitForFunction(
    () =>
      document.querySelector("main") !== null &&
      document.querySelector('[aria-label^="Loading"], [aria-busy="true"]') === null,
  );
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
}

/** Holds that an element has the focus, or gets it in a moment. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** Holds that a page, once it has settled, hinders nobody and fits its window. Its picture has the name. */
export async function expectFit(page: Page, name: string): Promise<void> {
  await settle(page);
  await shoot(page, name);
  await expect.poll(() => hindrancesOf(page), { message: name }).toEqual([]);
  await expect.poll(() => sticksOut(page), { message: name }).toEqual([]);
}

/** Both rules find only moderate faults, and take longer than the other rules that do. */
const withoutModerate = { region: { enabled: false }, "landmark-unique": { enabled: false } };

/** Accessibility violations that are serious or critical, by all rules or some. */
async function hindrancesOf(page: Page, rules?: string[]): Promise<readonly string[]> {
  const violations = await violationsOf(
    page,
    rules === undefined ? { rules: withoutModerate } : { runOnly: { type: "rule", values: rules } },
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ""}`).join(" | ")}`,
    );
}

/** How far the page can be scrolled sideways, and the elements that stick out. */
export const sticksOut = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > width + 0.5)
      .slice(-5)
      .map((element) => element.outerHTML.slice(0, 160));
  });

/** Tables that are wider than their place without saying so. */
const cutTables = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main table")]
      .filter((table) => table.checkVisibility())
      .filter(({ parentElement }) => parentElement !== null && parentElement.scrollWidth > parentElement.clientWidth)
      .filter(({ parentElement }) => !parentElement?.previousElementSibling?.textContent?.includes("Scroll sideways"))
      .map(({ outerHTML }) => outerHTML.slice(0, 160)),
  );

/** Goes to the content of a page as its skip link does: each link of the navigation that has the focus loads a page ahead. */
export const skipToMain = (page: Page): Promise<void> =>
  page.locator("main").evaluate((main) => {
    main.tabIndex = -1;
    main.focus();
  });

/** Presses Tab until the element has the focus; the elements on the way whose focus cannot be seen, or "never". */
export async function tabTo(page: Page, target: Locator, most = 80): Promise<readonly string[]> {
  const unseen: string[] = [];
  let element = await target.elementHandle();
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press("Tab");
    let focus = await page.evaluate(lookAtFocus, element);
    if (focus.isGone) {
      // The page has drawn it again.
      element = await target.elementHandle();
      focus = await page.evaluate(lookAtFocus, element);
    }
    if (focus.trouble !== undefined) unseen.push(focus.trouble);
    if (focus.isThere) return unseen;
  }
  return [...unseen, `never reached: ${String(target)}`];
}

/** Runs in the page: whether the focus can be seen, and is where it is wanted. */
function lookAtFocus(target: Node | null) {
  const element = document.activeElement;
  const focusState = { isThere: element === target, isGone: target?.isConnected !== true, trouble: undefined };
  if (element === null || element === document.body || element.tagName === "IFRAME") return focusState;
  // A control that is drawn by something beside it shows its focus there.
  const drawn = [
    element,
    element.nextElementSibling,
    element.parentElement,
    element.closest("label, li, .address, .card"),
  ];
  const isShown = drawn.some((one) => {
    if (!one) return false;
    return [undefined, "::before", "::after"].some((part) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one, part);
      const isOutlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
      return isOutlined || (boxShadow !== "none" && one === element);
    });
  });
  return { ...focusState, trouble: isShown ? undefined : `no focus to see: ${element.outerHTML.slice(0, 160)}` };
}

/** Goes on in the other light, once all has changed its color. */
export async function turnDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  // The dashboard hears of it a moment later than other pages, which have no choice of their own.
  await page.waitForFunction(() => [undefined, "dark"].includes(document.documentElement.dataset["theme"]));
  await settle(page);
}

/** Holds that a page is fit for everybody, narrow and wide, light and dark. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: heightAt(1440) });
  await expectFit(page, `${name}-1440`);
  await page.setViewportSize({ width: 390, height: heightAt(390) });
  await settle(page);
  await shoot(page, `${name}-390`);
  await expect.poll(() => sticksOut(page), { message: `${name} at 390` }).toEqual([]);
  await expect.poll(() => cutTables(page), { message: `tables of ${name} at 390` }).toEqual([]);
  await turnDark(page);
  await shoot(page, `${name}-dark-390`);
  const message = `${name} in the dark`;
  await expect.poll(() => hindrancesOf(page, ["color-contrast"]), { message }).toEqual([]);
  await page.setViewportSize({ width: 1440, height: heightAt(1440) });
  if (SCREENSHOTS) {
    await settle(page);
    await shoot(page, `${name}-dark-1440`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
