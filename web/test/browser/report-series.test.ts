import type { ReelCollection } from "@reelscript/contract";
import { expect, test } from "vitest";
import { describeInBrowser } from "./chromium-program.ts";
import { aCollection } from "./fill-account.ts";
import { expectFit, expectWholeOnPaper, print } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const sizes = [
  [1440, "light"],
  [390, "dark"],
] as const;

describeInBrowser("reports that are shared or follow each other", () => {
  const visits = visitsOfTests();

  test("are shared by a link with a title, until it is revoked", async () => {
    const { page, person, go } = await visits.openAs("agency@example.com");
    const { reels, ...collection } = aCollection("shared.loaf", 120);
    const changed = reels.map((reel, index) => ({
      ...reel,
      views: (reel.views ?? 0) * (index % 3 === 0 ? 4 : 1),
      postedAt: new Date(Date.UTC(2026, 6, 20 + Math.floor(index * 0.75), index % 3 === 0 ? 19 : 8)).toISOString(),
      ...(index === 9 && { caption: "خبز الشعير مع زيت الزيتون والزعتر" }),
    }));
    const { id } = (await person.api("importReport", { ...collection, reels: changed })).body;
    await person.api("importReport", aCollection("other.client", 48));
    await page.goto(`${visits.service.url}/app/reports/${id}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Crumb & Co. for Loaf");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const field = dialog.getByRole("textbox", { name: "Link" });
    await field.waitFor();
    await expectFit(page, "report-share-dialog");
    const link = await field.inputValue();

    const reader = await visits.open();
    reader.expectRefusals(404);
    await reader.page.goto(link);
    await reader.page.getByText("Crumb & Co. for Loaf").waitFor();
    await reader.page.getByText(/^Post at 18:00/).waitFor();
    await reader.page.getByRole("img", { name: /^Median views by week/ }).waitFor();
    expect(await reader.page.getByText(/other account/).count()).toBe(0);
    expect(await reader.context.cookies()).toEqual([]);
    for (const [width, colorScheme] of sizes) {
      await reader.page.setViewportSize({ width, height: 900 });
      await reader.page.emulateMedia({ colorScheme });
      await expectFit(reader.page, `report-shared-${width}-${colorScheme}`);
    }
    await reader.page.getByRole("img", { name: /^Median views by day and hour of posting/ }).waitFor();
    expect(
      await reader.page
        .getByText(/Chance alone does this/)
        .first()
        .isVisible(),
    ).toBe(false);
    await reader.page.emulateMedia({ media: "print" });
    await reader.page
      .getByText(/Chance alone does this/)
      .first()
      .waitFor();
    expect(await reader.page.getByRole("navigation").isVisible()).toBe(false);
    await expectWholeOnPaper(reader.page);
    await print(reader.page, "report-shared");
    await reader.page.emulateMedia({ media: "screen" });

    await dialog.getByLabel("Title").fill("Crumb");
    await dialog.getByRole("button", { name: "Save title" }).click();
    await dialog.getByRole("button", { name: "Save title" }).waitFor({ state: "detached" });
    await reader.page.reload();
    await reader.page.getByText("Crumb", { exact: true }).waitFor();

    await go("/app/settings/shared");
    const shared = page.getByRole("region", { name: "Reports" });
    await shared.getByRole("link", { name: "@shared.loaf" }).waitFor();
    await expectFit(page, "shared-reports");
    await shared.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Nothing is shared").waitFor();
    await reader.page.reload();
    await reader.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  });

  test("are one page with a chart, however few or hidden", async () => {
    const { page, person, go } = await visits.openAs("series@example.com");
    const importAt = async (handle: string, day: string, change: (reel: ReelCollection["reels"][number]) => object) => {
      const { reels, ...collection } = aCollection(handle);
      const changed = reels.map((reel) => ({ ...reel, ...change(reel) }));
      const { body } = await person.api("importReport", {
        ...collection,
        collectedAt: `${day}T10:00:00Z`,
        reels: changed,
      });
      return body.id as string;
    };
    const hidden = { views: undefined, likes: undefined, comments: undefined };
    const grown = (times: number) => (reel: { views?: number | null }) => ({
      views: Math.round((reel.views ?? 0) * times),
    });
    const first = await importAt("grown.loaf", "2026-10-26", grown(1));
    await importAt("grown.loaf", "2026-10-28", grown(1.4));
    await importAt("grown.loaf", "2026-10-29", () => hidden);
    await importAt("grown.loaf", "2026-11-02", grown(2.2));
    await importAt("single.loaf", "2026-11-02", grown(1));
    await importAt("secret.loaf", "2026-11-01", () => hidden);
    await importAt("secret.loaf", "2026-11-02", () => hidden);
    await importAt("twice.loaf", "2026-11-01", grown(1));
    await importAt("twice.loaf", "2026-11-02", ({ url }) => ({
      url: `https://www.tiktok.com/@twice.loaf/video/7${url.replaceAll(/\D/g, "").padStart(17, "0")}`,
    }));

    await page.goto(`${visits.service.url}/app/reports`);
    const reportList = page.getByRole("list", { name: "Reports" });
    await reportList.getByRole("link", { name: "Over time of @grown.loaf" }).click();
    await page.getByRole("img", { name: /^Median views from Oct 26, 2026 \(.*to Nov 2, 2026/ }).waitFor();
    await page.getByText("Not available in 1 report.").first().waitFor();
    const table = page.getByRole("region", { name: "Reports" }).getByRole("table");
    await expect.poll(() => table.getByRole("row").count()).toBe(5);
    await table.getByText("Not available").first().waitFor();
    await go(`/app/reports/${first}`);
    await page.getByRole("link", { name: "This account over time" }).click();
    await page.getByRole("heading", { level: 1, name: "@grown.loaf" }).waitFor();

    const addresses = {
      "report-series": ["/app/reports/account/grown.loaf", /^Reports may contain/],
      "report-series-single": ["/app/reports/account/single.loaf", /^There is one report so far/],
      "report-series-hidden": ["/app/reports/account/secret.loaf", /^The views and likes of this account are hidden/],
      "report-series-none": ["/app/reports/account/nobody", /^No report of this account/],
      "report-series-platforms": ["/app/reports/account/twice.loaf?platform=instagram", /^There is one report so far/],
    } as const;
    for (const [width, colorScheme] of sizes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const [name, [address, words]] of Object.entries(addresses)) {
        await go(address);
        await page.getByText(words).waitFor();
        await expectFit(page, `${name}-${width}-${colorScheme}`);
      }
    }
    await page.getByRole("link", { name: "TikTok" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
  });
});
