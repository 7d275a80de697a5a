import type { ReelCollection } from "@reelscript/contract";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { aCollection, addScript, visitBioPage } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { heightAt, visitsOfTests } from "./start-visits.ts";
import { expectFit, expectWholeOnPaper, lookAt, print, shoot } from "./page-checks.ts";

type Reel = ReelCollection["reels"][number];

const fileOf = (content: string) => ({
  name: "reels.json",
  mimeType: "application/json",
  buffer: Buffer.from(content),
});

describeInBrowser("reports, analytics and guides in a browser", () => {
  const visits = visitsOfTests();

  test("makes a report from a file, with charts that are also tables", async () => {
    const { page, go, expectRefusals, person } = await visits.openAs("watcher@example.com", "/app/reports");
    const choose = page.locator('input[type="file"]');
    await choose.setInputFiles(fileOf("{ no json"));
    await page.getByRole("main").getByRole("alert").waitFor();
    expectRefusals(400);
    await choose.setInputFiles(fileOf(JSON.stringify({ ...aCollection("lena.bakes"), timezone: "Mars/Olympus" })));
    await page.getByText(/timezone/).waitFor();

    const collection = aCollection("lena.bakes");
    await choose.setInputFiles(fileOf(JSON.stringify(collection)));
    await page.getByText("Report created from 48 reels").waitFor();
    await page.getByRole("heading", { level: 1, name: "@lena.bakes" }).waitFor();
    const views = collection.reels.map((reel) => reel.views ?? 0);
    const sorted = views.toSorted((one, other) => one - other);
    const typical = Math.round(((sorted[23] ?? 0) + (sorted[24] ?? 0)) / 2);
    await page.getByTitle(typical.toLocaleString("en"), { exact: true }).first().waitFor();

    for (const name of [/^Median views per week/, /^Median views by day and hour/])
      await page.getByRole("img", { name }).waitFor();
    await page.getByRole("button", { name: "Show as table: Views over time" }).click();
    const table = page.getByRole("table", { name: "Views over time" });
    await table.waitFor();
    const reelsOfWeeks = async () =>
      (await table.getByRole("row").allInnerTexts()).slice(1).map((row) => Number(row.split("\t")[1]));
    await expect.poll(async () => (await reelsOfWeeks()).reduce((sum, reels) => sum + reels, 0)).toBe(48);

    await page.locator("summary", { hasText: "All figures of the top reels" }).click();
    const figures = page.getByRole("group", { name: "All figures of the top reels" }).getByRole("table");
    const inOrder = async (): Promise<number[]> =>
      (await figures.locator("tbody tr td:nth-of-type(1)").allInnerTexts()).map((text) =>
        Number(text.replaceAll(",", "")),
      );
    await expect.poll(() => inOrder()).toEqual(views.toSorted((one, other) => other - one).slice(0, 10));
    await figures.getByRole("button", { name: "Views" }).click();
    await expect.poll(inOrder).toEqual(
      views
        .toSorted((one, other) => other - one)
        .slice(0, 10)
        .toReversed(),
    );

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the top reels as CSV" }).click(),
    ]);
    expect((await readFile(await download.path(), "utf8")).trim().split("\r\n").length).toBeGreaterThanOrEqual(11);

    // The reels of the collection are on no platform, which is noticed while the links are looked up.
    expectRefusals(502);
    await page.getByRole("link", { name: "Transcribe the top 5" }).click();
    await page.getByRole("heading", { level: 1, name: "Transcribe" }).waitFor();
    const field = page.getByRole("textbox", { name: "Reel links" });
    await expect.poll(async () => (await field.inputValue()).match(/https:\S+/g)?.length).toBe(5);

    await go("/app/reports");
    const reportLink = page.getByRole("list", { name: "Reports" }).getByRole("link", { name: "@lena.bakes" });
    await reportLink.click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete report" }).click();
    await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
    await reportLink.waitFor({ state: "detached" });
    const keptReports = async () => (await person.api("listCompetitorReports")).body.reports;
    await expect.poll(keptReports).toEqual([]);
  });

  test("ends in a plan that prints with a title, or a reason", async () => {
    const { page, person, go } = await visits.openAs("planner@example.com");
    const { reels, ...collection } = aCollection("plan.loaf", 120);
    const importOf = async (handle: string, change: (index: number) => Partial<Reel>) => {
      const changed = reels.map((reel, index) => {
        const day = Math.floor(index * 0.75);
        const postedAt = new Date(Date.UTC(2026, 6, 20 + day, index % 3 === 0 ? 19 : 8)).toISOString();
        return { ...reel, postedAt, ...change(index) };
      });
      const followers = 25_000;
      return (await person.api("importReport", { ...collection, followers, handle, reels: changed })).body.id as string;
    };
    const viewsOf = (index: number): number => reels[index]?.views ?? 0;
    const ids = {
      claims: await importOf("plan.loaf", (index) => ({ views: viewsOf(index) * (index % 3 === 0 ? 4 : 1) })),
      alike: await importOf("alike.loaf", () => ({})),
      hidden: await importOf("hidden.loaf", () => ({ views: undefined, likes: undefined, comments: undefined })),
      "one-outlier": await importOf("outlier.loaf", (index) => ({ views: index === 60 ? 4_000_000 : 20_000 + index })),
    };

    const handles: Readonly<Record<string, string>> = {
      claims: "@plan.loaf",
      alike: "@alike.loaf",
      hidden: "@hidden.loaf",
      "one-outlier": "@outlier.loaf",
    };
    await page.goto(`${visits.service.url}/app/reports/${ids.claims}`);
    const plan = page.getByRole("region", { name: "What to post next" });
    const advised = plan.getByRole("listitem").filter({ has: page.getByRole("heading", { name: /^Post at 18:00/ }) });
    await advised.getByText("Sure", { exact: true }).waitFor();
    await expect.poll(() => advised.getByRole("link").count()).toBe(3);
    // The plan comes first, then its reasons, then the figures; the part for people who check is closed.
    await expect
      .poll(async () => (await page.getByRole("heading", { level: 2 }).allInnerTexts()).slice(0, 3))
      .toEqual(["What to post next week", "Why", "Formats and pillars"]);
    const why = page.getByRole("region", { name: "Why" });
    await why.getByText(/^Reels posted 18:00–24:00 get .* times the views, and the next ones .* times\.$/).waitFor();
    await why.getByText(/^Typically .* Sure\.$/).waitFor();
    const figures = page.getByText(/Chance alone does this in/).first();
    expect(await figures.isVisible()).toBe(false);
    await page
      .getByRole("group", { name: "Formats" })
      .getByRole("row", { name: /^30 to 60 s/i })
      .waitFor();
    await expect.poll(() => plan.getByRole("heading", { level: 3 }).count()).toBeLessThanOrEqual(3);
    const top = page.getByRole("region", { name: "Top reels" }).first();
    await expect.poll(() => top.getByRole("link", { name: /^Transcribe / }).count()).toBe(10);
    await page
      .getByRole("list", { name: "Among the other accounts in your reports" })
      .getByText(/^Median views .*above/)
      .waitFor();

    await page.evaluate("globalThis.print = () => (globalThis.printed = document.title)");
    await page.getByRole("button", { name: "Print", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Crumb & Co. for Plan Loaf");
    await dialog.getByRole("button", { name: "Print" }).click();
    await expect.poll(() => page.evaluate("globalThis.printed")).toBe("Crumb & Co. for Plan Loaf");
    await page.emulateMedia({ media: "print" });
    await page.getByText("Crumb & Co. for Plan Loaf").waitFor();
    await figures.waitFor();
    for (const hidden of [page.getByRole("navigation").first(), page.getByRole("button", { name: "Delete" })])
      expect(await hidden.isVisible()).toBe(false);
    await expectWholeOnPaper(page);
    await print(page, "report-claims");
    await page.emulateMedia({ media: "screen" });

    await go(`/app/reports/${ids.hidden}`);
    await page.getByText("Nothing could be compared: the views and likes of these reels are hidden.").waitFor();
    expect(await page.getByText(/No clear difference|Nothing differs|clearly better/).count()).toBe(0);
    await page.getByText(/^Times couldn’t be compared/).waitFor();
    await go(`/app/reports/${ids["one-outlier"]}`);
    const outliers = page.getByRole("region", { name: "Outliers" });
    await outliers.getByText(/^One reel can’t be copied/).waitFor();
    await expect.poll(() => outliers.getByRole("listitem").count()).toBe(1);

    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const [name, id] of Object.entries(ids)) {
        await go(`/app/reports/${id}`);
        await page.getByRole("heading", { level: 1, name: handles[name]! }).waitFor();
        await expectFit(page, `report-${name}-${width}-${colorScheme}`);
      }
    }
    // On a phone a table says that it can be scrolled.
    await page.locator("summary", { hasText: "All figures of the top reels" }).click();
    const { clientWidth, scrollWidth } = await page
      .getByRole("group", { name: "All figures of the top reels" })
      .evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
    expect(scrollWidth).toBeGreaterThan(clientWidth);
    await page.getByText("Scroll sideways for more").last().waitFor();
  });

  test("leads from transcribing the top reels back to how they begin", async () => {
    const { page, go, person, expectRefusals } = await visits.openAs("hooked@example.com");
    // The reel is on no platform.
    expectRefusals(400);
    const said = { text: "Poke the dough. Then wait.", handle: "lena.bakes", views: 90_000 };
    const scriptId = await addScript(visits.service, person.accountId, said);
    const { reelUrl } = (await person.api("getScript", { id: scriptId })).body;
    const { reels, ...collection } = aCollection("lena.bakes");
    const report = { ...collection, reels: [{ ...reels[0], url: reelUrl, views: 90_000 }] };
    const { id } = (await person.api("importReport", report)).body;
    await page.goto(`${visits.service.url}/app/reports/${id}`);
    await page.getByRole("link", { name: "Transcribe the top reel" }).click();
    await page.getByRole("button", { name: "Transcribe", exact: true }).click();
    await page.getByRole("region", { name: "Your reels" }).getByRole("article").waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Compare first sentences" }).click();
    await page.getByRole("heading", { level: 1, name: "@lena.bakes" }).waitFor();
    await go(`/app/scripts/${scriptId}`);
    await page.getByText(/words in 10 seconds of speech, 29 a minute/).waitFor();
    await page.getByText(/90,000, 1x this account’s usual views/).waitFor();
    await expect.poll(() => page.getByText(/this account’s usual views/).count()).toBe(1);
    // The card is as high as its picture, whatever the frame before the first paint looks like.
    await expect
      .poll(() => page.locator(".left .frame").evaluate((frame) => frame.clientHeight / frame.clientWidth))
      .toBeLessThan(2);
  });

  test("compares accounts, and a report with the one before", async () => {
    const { page, go, person } = await visits.openAs("comparer@example.com");
    const importAt = async (handle: string, collectedAt: string, times: number) => {
      const { reels, ...collection } = aCollection(handle);
      const grown = reels.map((reel) => ({ ...reel, views: (reel.views ?? 0) * times }));
      return (await person.api("importReport", { ...collection, collectedAt, reels: grown })).body.id as string;
    };
    await importAt("first.loaf", "2026-11-02T10:00:00Z", 1);
    const newest = await importAt("first.loaf", "2026-11-05T10:00:00Z", 3);
    await importAt("second.loaf", "2026-11-04T10:00:00Z", 4);
    await importAt("third.loaf", "2026-11-03T10:00:00Z", 40);

    await page.goto(`${visits.service.url}/app/reports/${newest}`);
    const since = page.getByRole("region", { name: "Since the last report" });
    await since.getByRole("table").waitFor();
    await expect.poll(() => since.getByRole("row", { name: /^Median views/ }).innerText()).toMatch(/\+200%\s+clear$/);
    await since.getByText("The same differences are clear as before.").waitFor();
    await expect.poll(() => since.getByRole("row", { name: /^Reels per week/ }).innerText()).toMatch(/none$/);
    await expect
      .poll(() => since.getByRole("row", { name: /^Engagement/ }).innerText())
      .toMatch(/\u2212\d\.\d points\s+(clear|may be chance)$/);
    await shoot(page, "since-last-report");

    await go("/app/reports");
    const reportList = page.getByRole("list", { name: "Reports" });
    await page.getByText("Median views", { exact: true }).first().waitFor();
    await shoot(page, "reports-with-figures");
    await page.setViewportSize({ width: 390, height: heightAt(390) });
    await reportList
      .getByText(/ median views, .*% engagement/)
      .first()
      .waitFor();
    await page.setViewportSize({ width: 1440, height: heightAt(1440) });
    await page.getByRole("link", { name: "Compare accounts" }).click();
    const table = page.getByRole("group", { name: "Accounts side by side" }).getByRole("table");
    await table.getByRole("columnheader", { name: "@second.loaf" }).waitFor();
    await expect
      .poll(() => table.getByRole("columnheader").getByRole("link").allInnerTexts())
      .toEqual(["@first.loaf", "@second.loaf"]);
    const views = table.getByRole("row", { name: /^Median views/ });
    await expect.poll(() => views.innerText()).not.toMatch(/Highest/);
    await page.getByRole("checkbox", { name: "@third.loaf" }).check();
    await table.getByRole("columnheader", { name: "@third.loaf" }).waitFor();
    await expect.poll(() => views.getByRole("cell").nth(2).innerText()).toMatch(/Highest/);
    const short = page.getByRole("region", { name: "In short" });
    await short.getByText(/^Median views: @third\.loaf/).waitFor();
    expect(await short.getByText("yours").count(), "no account is chosen").toBe(0);
    await page.getByLabel("Your account").selectOption("@first.loaf");
    await short.getByText("@first.loaf is yours, compared with @second.loaf and @third.loaf.").waitFor();
    await short.getByText(/^Median views: @third\.loaf \(.*\) is clearly above .*your @first\.loaf/).waitFor();
    await short.getByText(/^No clear difference in median likes, median comments, and reels per week\.$/).waitFor();
    await expect.poll(() => views.locator(".figure-bar i.leading").count()).toBe(1);
    expect(
      await table
        .getByRole("row", { name: /^Median likes/ })
        .locator(".figure-bar")
        .count(),
      "nothing differs",
    ).toBe(0);
    await table.getByRole("columnheader", { name: "@first.loaf Yours" }).waitFor();
    await lookAt(page, "compare");
    await page.setViewportSize({ width: 390, height: heightAt(390) });
    const last = await views.getByRole("cell").nth(2).boundingBox();
    expect(last && last.x + last.width, "all accounts fit on a phone").toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: heightAt(1440) });
    await page.reload();
    await table.getByRole("columnheader", { name: "@third.loaf" }).waitFor();
    // The choice is kept for the next comparison.
    await go("/app/reports/compare");
    await table.getByRole("columnheader", { name: "@first.loaf Yours" }).waitFor();
    await page.getByLabel("Your account").selectOption("None of these");
    await expect.poll(() => short.getByText("yours").count()).toBe(0);
    // Without files of one's own there are no drafts.
    await expect.poll(() => page.getByRole("heading", { name: "Your drafts" }).count()).toBe(0);
  });

  test("shows a whole sample, and a report drawn from the library, before anything is installed", async () => {
    const { page, go, person, expectRefusals } = await visits.openAs("beginner@example.com", "/app/reports");
    const sample = page.getByRole("region", { name: "@sample.bakery Sample" });
    for (const name of ["What to post next week", "Why", "Formats and pillars", "Top reels"])
      await sample.getByRole("heading", { level: 2, name, exact: true }).waitFor();
    const install = page.getByText("Create a report with the browser extension");
    const topOf = async (part: typeof sample) => (await part.boundingBox())!.y;
    expect(await topOf(install)).toBeLessThan(await topOf(sample));
    await lookAt(page, "reports-empty");

    for (let index = 0; index < 14; index += 1)
      await addScript(visits.service, person.accountId, {
        text: index % 2 === 0 ? "How long do you knead?" : "I knead for ten minutes.",
        caption: "Loaf",
        handle: "lena.bakes",
        views: 10_000 + index,
        likes: 400,
        comments: 10,
      });
    await page.reload();
    await page.getByRole("link", { name: "Draw a report of @lena.bakes" }).click();
    await page.getByRole("heading", { level: 1, name: "@lena.bakes" }).waitFor();
    await page
      .getByText(/^Drawn from 14 reels of @lena\.bakes in your library\. Its other reels are missing/)
      .waitFor();
    await expect.poll(() => page.getByRole("link", { name: /^Transcribe / }).count()).toBe(0);
    // Their figures are equal as they are shown.
    await expect.poll(() => page.getByRole("region", { name: "Top reels" }).getByRole("listitem").count()).toBe(3);
    await page.getByText("7 other reels did exactly as well.").waitFor();
    await lookAt(page, "report-from-library");
    expect((await person.api("listCompetitorReports")).body.reports).toEqual([]);
    expectRefusals(404);
    await go("/app/reports/library/nobody");
    await page.getByText("No transcripts of this account").waitFor();
  });

  test("counts a bio page's visits over the chosen days", async () => {
    const { page, person } = await visits.openAs("counted@example.com");
    const { body } = await person.api("updateBioPage", {
      displayName: "Counted",
      links: [{ title: "Shop", url: "https://example.com/shop" }],
    });
    await person.api("claimBioHandle", { handle: "counted" });
    const shop = [body.links[0].id as string];
    await visitBioPage(visits.service, person.accountId, [
      { daysAgo: 1, number: 1, clicks: shop, referrer: "https://www.instagram.com/", country: "PT" },
      { daysAgo: 2, number: 2, onPhone: false },
      { daysAgo: 20, number: 3, clicks: shop },
      { daysAgo: 60, number: 4 },
    ]);
    await page.goto(`${visits.service.url}/app/analytics`);
    const drawn = page.getByRole("img", { name: /^\d+ views? and \d+ clicks?/ });
    const says = async (): Promise<string> => (await drawn.getAttribute("aria-label")) ?? "";
    await expect.poll(says).toMatch(/^3 views and 2 clicks/);
    await page.getByRole("link", { name: "7 days" }).click();
    await expect.poll(says).toMatch(/^2 views and 1 click /);
    await page.getByRole("link", { name: "90 days" }).click();
    await expect.poll(says).toMatch(/^4 views and 2 clicks/);
    await expect.poll(() => page.getByRole("main").innerText()).toMatch(/Shop/);
  });

  test("finds guides by their words and shows them", async () => {
    const { page } = await visits.openAs("guided@example.com", "/app/guides");
    const list = page.getByRole("list", { name: "Guides" });
    await list.getByRole("link").nth(3).waitFor();
    const all = await list.getByRole("link").count();
    await page.getByRole("searchbox", { name: "Search guides" }).fill("competitor report");
    await expect.poll(() => list.getByRole("link").count()).toBeLessThan(all);
    await list.getByRole("link").first().click();
    await page.getByRole("article").getByRole("heading").first().waitFor();
    await page.goBack();
    await expect
      .poll(() => page.getByRole("searchbox", { name: "Search guides" }).inputValue())
      .toBe("competitor report");
  });
});
