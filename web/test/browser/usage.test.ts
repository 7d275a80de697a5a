import type { Locator } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { aReel, ask, mustClaim, transcriptOf } from "../../../server/test/database/conformance/fixtures.ts";
import { addScript, useTranscriptions } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { lookAt, settle, shoot } from "./page-checks.ts";
import { heightAt, visitsOfTests } from "./start-visits.ts";

const day = 86_400_000;

/** The brightness of the pixels within an element, from 0 for black to 255 for white; the position is in shares of its box. */
async function grayOf(target: Locator, { left, right }: { readonly left: number; readonly right: number }) {
  const box = (await target.boundingBox())!; // safe: it is shown
  const clip = {
    x: box.x + left * box.width,
    // Neither the border nor the round corners.
    y: box.y + box.height / 3,
    width: (right - left) * box.width,
    height: box.height / 3,
  };
  const { channels } = await sharp(await target.page().screenshot({ clip }))
    .greyscale()
    .stats();
  return channels[0]!; // safe: one channel
}

const clearlyDifferent = 60;

describeInBrowser("usage in a browser", () => {
  const visits = visitsOfTests({ transcriber: null });

  const use = (accountId: string, slot: number, units: number): Promise<void> =>
    useTranscriptions(visits.service, accountId, { slot, units });

  test("shows each day, in total and by key, and warns near limits", async () => {
    const { service } = visits;
    const { page, go, person } = await visits.openAs("daily@example.com");
    await person.api("createKey", { name: "CI" });
    await use(person.accountId, 1, 3);
    service.clock.advance(4 * day);
    await use(person.accountId, 1, 5);
    await use(person.accountId, 0, 1);
    await person.api("getSession");
    service.clock.advance(3 * day);
    await use(person.accountId, 1, 1);
    await use(person.accountId, 0, 8);

    await page.goto(`${service.url}/app/usage`);
    await page.getByText("Dashboard and extension have used 9 of 10 transcriptions. 1 is left.").waitFor();
    await page.getByText(/“\u2068CI\u2069” has used 9 of 10 transcriptions. 1 is left./).waitFor();
    await page.getByText("18 transcriptions used.", { exact: false }).waitFor();
    await lookAt(page, "usage-by-day");
    await page.getByRole("button", { name: "Show as table: Transcriptions by day" }).click();
    const table = page.getByRole("group", { name: "Transcriptions by day, as a table" });
    await table.getByRole("row").nth(8).waitFor();
    const rows = (await table.getByRole("row").allInnerTexts()).map((row) =>
      row.split(/\t|\n/).map((cell) => cell.trim()),
    );
    expect(rows[0]).toEqual(["Day (UTC)", "All", "Dashboard and extension", "CI"]);
    const counts = rows.slice(1).map((row) => row.slice(1).map(Number));
    expect(counts.filter(([all]) => all !== 0)).toEqual([
      [3, 0, 3],
      [6, 1, 5],
      [9, 8, 1],
    ]);
    expect(counts).toHaveLength(8);
    await lookAt(page, "usage-by-day-table");
    await page.getByLabel("Used by").selectOption("CI");
    await page.getByText("9 transcriptions used.", { exact: false }).waitFor();

    await go("/app/transcribe");
    await page.getByText("You have used 9 of 10 transcriptions. 1 is left.").waitFor();
    await expect
      .poll(() => page.getByText(/“\u2068CI\u2069” has used/).count(), {
        message: "what keys used belongs to the page of usage",
      })
      .toBe(0);
    await page.getByRole("main").getByRole("link", { name: "See plans" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Usage and plan" }).waitFor();
  });

  test("keeps current page, meters and arrows visible in the reader's colors", async () => {
    const { page, go, person } = await visits.openAs("contrast@example.com");
    await use(person.accountId, 0, 4);
    await addScript(visits.service, person.accountId, { text: "Salt comes first.", handle: "lena.bakes" });
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`${visits.service.url}/app/usage`);
    const meter = page.getByRole("main").getByRole("meter", { name: "Dashboard and extension" });
    await meter.waitFor();
    await settle(page);
    const used = await grayOf(meter, { left: 0.1, right: 0.3 });
    const rest = await grayOf(meter, { left: 0.5, right: 0.9 });
    expect(Math.abs(used.mean - rest.mean), "what is used differs from the rest").toBeGreaterThan(clearlyDifferent);
    await shoot(page, "usage-forced-colors");

    await go("/app/library");
    const pages = page.getByRole("navigation", { name: "Main" }).filter({ visible: true });
    const edgeOf = (name: string): Promise<string> =>
      pages.getByRole("link", { name }).evaluate((element) => getComputedStyle(element).outlineStyle);
    await pages.getByRole("link", { name: "Library" }).and(page.locator("[aria-current]")).waitFor();
    expect([await edgeOf("Library"), await edgeOf("Reports")]).toEqual(["solid", "none"]);
    const sort = page.getByRole("combobox", { name: "Sort" });
    await sort.waitFor();
    await settle(page);
    const arrow = await grayOf(sort, { left: 0.8, right: 0.97 });
    expect(arrow.max - arrow.min, "a list shows that it opens").toBeGreaterThan(clearlyDifferent);
    await shoot(page, "library-forced-colors");

    await page.setViewportSize({ width: 390, height: heightAt(390) });
    await pages.getByRole("link", { name: "Library" }).waitFor();
    expect([await edgeOf("Library"), await edgeOf("Reports")]).toEqual(["solid", "none"]);
  });

  test("omits keys that can't transcribe, and shows the previous period's dates", async () => {
    const { service } = visits;
    const { page, person } = await visits.openAs("limited@example.com");
    const soon = new Date(Date.now() + 365 * day).toISOString();
    await person.api("createKey", { name: "Reader", readOnly: true });
    await person.api("createKey", { name: "Writer", expiresAt: soon });
    await use(person.accountId, 1, 9);
    await use(person.accountId, 2, 9);
    const period = "2026-02-10T09:00:00.000Z";
    const { store, clock } = service;
    const allowance = { subject: { accountId: person.accountId, slot: 3 }, period, limit: 250, resetsAt: null };
    for (const slot of [3, 4]) {
      const subject = { ...allowance.subject, slot };
      const heldAt = new Date("2026-02-12T09:00:00.000Z");
      await ask(store, aReel(), { ...allowance, subject }, { now: heldAt });
      const claim = await mustClaim(store, clock.now());
      await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, clock.now());
    }
    await page.goto(`${service.url}/app/usage`);
    await page.getByText(/“\u2068Writer\u2069” has used 9 of 10/).waitFor();
    await expect.poll(() => page.getByText(/“\u2068Reader\u2069” has used/).count()).toBe(0);
    await page.getByText("Feb 10 – Mar 10, 2026").first().click();
    await page.getByText("2 transcriptions used.", { exact: false }).waitFor();
    await expect
      .poll(() => page.getByLabel("Used by").locator("option").allInnerTexts())
      .toEqual(["Everyone", "Dashboard and extension", "Former key 1", "Former key 2"]);
  });
});
