import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkBioLinks } from "../../../server/src/periodic/tasks.ts";
import { ask } from "../../../server/test/harness/ask.ts";
import { describeInBrowser, openContext } from "./chromium-program.ts";
import { expectFit, shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const day = 86_400_000;

describeInBrowser("what strangers and operators do with bio pages, in a browser", () => {
  const visits = visitsOfTests({ transcriber: null, abuseContact: "https://reports.example/form" });
  let people = 0;

  /** Somebody new with a page, also when a test is tried again. */
  const openNew = async (address?: string) => {
    people += 1;
    const handle = `public.page.${people}`;
    const visitor = await visits.openAs(`${handle}@example.com`);
    await visitor.person.api("claimBioHandle", { handle });
    const links = [
      { title: "The course", url: "https://course.example/" },
      { title: "Old shop", url: "https://shop.example/" },
    ];
    expect((await visitor.person.api("updateBioPage", { displayName: "Ana Souza", links })).status).toBe(200);
    if (address !== undefined) await visitor.page.goto(visits.service.url + address);
    return { ...visitor, handle };
  };

  test("a visitor reports a page, and sees that it was taken down", async () => {
    const { handle } = await openNew();
    const visitor = await visits.open(`/@${handle}`, { width: 390 });
    const { page, context } = visitor;
    await context.route("https://reports.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Reports</title>" }),
    );
    await page.getByRole("link", { name: "Report this page" }).click();
    await page.waitForURL("https://reports.example/form");

    const decision = { by: "ada", reason: "phishing", now: visits.service.clock.now() };
    await visits.service.store.moderation.takeDownPage({ handle }, decision);
    visitor.expectRefusals(410);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const answer = await page.goto(`${visits.service.url}/@${handle}`);
      expect(answer?.status()).toBe(410);
      await page.getByRole("heading", { name: "This page was taken down" }).waitFor();
      await expect.poll(() => page.getByText("The course").count()).toBe(0);
      await expectFit(page, `bio-gone-${width}`);
    }
  });

  test("a visit comes from the linking site, with or without scripts", async () => {
    const { page: owners, handle, person } = await openNew();
    const address = `${visits.service.url}/@${handle}`;
    // The test's own browser calls itself a machine.
    const userAgent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
    // By default a browser hides the site from addresses without TLS, such as the test's.
    const linking = `<meta name="referrer" content="origin"><a href="${address}">Link in bio</a>`;
    const comeFrom = async (site: string, javaScriptEnabled = true) => {
      const context = await openContext({ javaScriptEnabled, userAgent });
      await context.route(`${site}/**`, (route) => route.fulfill({ contentType: "text/html", body: linking }));
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      const seen = page.waitForRequest(/\/v\/bio_/);
      await page.goto(`${site}/somebody/?private=words`);
      await page.getByRole("link", { name: "Link in bio" }).click();
      const query = new URL((await seen).url()).search;
      await page.waitForLoadState();
      await context.close();
      expect(complaints).toEqual([]);
      return decodeURIComponent(query);
    };
    const read = async () => (await person.api("getBioAnalytics", { days: 1 })).body;
    expect(await comeFrom("https://www.instagram.com")).toBe("?from=https://www.instagram.com");
    expect(await comeFrom("https://lm.facebook.com")).toBe("?from=https://lm.facebook.com");
    expect(await comeFrom("https://www.instagram.com", false)).toBe("");
    await expect.poll(read).toMatchObject({
      views: 3,
      referrers: expect.arrayContaining([
        { host: "instagram.com", views: 1 },
        { host: "facebook.com", views: 1 },
        { host: null, views: 1 },
      ]),
    });
    await owners.goto(`${visits.service.url}/app/analytics`);
    await owners.getByRole("heading", { name: "Came from" }).waitFor();
    await owners.getByText("Facebook").last().waitFor();
    await expectFit(owners, "bio-sources");
  });

  test("the owner sees which links lead nowhere", async () => {
    const { page, handle, person } = await openNew();
    const { bioLinkHealth } = visits.service.store;
    const probe = async (url: string) => (url.includes("shop") ? ("gone" as const) : ("fine" as const));
    for (let looks = 0; looks < 3; looks += 1) {
      const now = visits.service.clock.now();
      while (await checkBioLinks(bioLinkHealth, probe, () => now).run(now, AbortSignal.timeout(30_000)));
      visits.service.clock.advance(day);
    }
    expect((await person.api("getBioLinkHealth")).body.failing, handle).toMatchObject([{ problem: "gone" }]);
    await page.goto(`${visits.service.url}/app/bio`);
    const row = page.getByRole("listitem").filter({ hasText: "Old shop" });
    await row.getByText("Page gone").waitFor();
    await row.getByText(/^The site says this page is gone, since /).waitFor({ state: "attached" });
    await expect.poll(() => page.getByText("Page gone").count()).toBe(1);
    await expectFit(page, "bio-broken-link");
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "bio-broken-link-390");
  });

  test("a page is in the sitemap if its owner allows search engines", async () => {
    const { page, handle } = await openNew("/app/bio?tab=sharing");
    const isListed = async (): Promise<boolean> => {
      // A sitemap is kept for an hour.
      visits.service.clock.advance(3_600_001);
      const index = await ask(visits.service.url, "/sitemap.xml", { "accept-encoding": "gzip" });
      const files = [
        ...gunzipSync(index.bytes)
          .toString()
          .matchAll(/\/sitemap-\d+\.xml/g),
      ];
      const texts = await Promise.all(
        files.map(async ([file]) => (await ask(visits.service.url, file, { "accept-encoding": "gzip" })).bytes),
      );
      return texts.some((bytes) => gunzipSync(bytes).toString().includes(`/@${handle}</loc>`));
    };
    const engines = page.getByRole("combobox", { name: "Search engines" });
    const publish = async (): Promise<void> => {
      await page.getByText(/unpublished change/).waitFor();
      await page.getByRole("button", { name: /^Publish/ }).click();
      await page.getByText(/unpublished change/).waitFor({ state: "detached" });
    };
    expect(await isListed()).toBe(false);
    await engines.selectOption("Help search engines find it");
    await publish();
    expect(await isListed()).toBe(true);
    await engines.selectOption("Hide from search engines");
    await publish();
    expect(await isListed()).toBe(false);
  });
});
