import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createShowSitemap } from "../../src/features/bio/show-sitemap.ts";
import { readConfig } from "../../src/settings/config.ts";
import { ask } from "../harness/ask.ts";
import { giveSession } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null, abuseContact: "mailto:abuse@reelscript.example" });

const hour = 3_600_000;

async function aPage(handle: string, seo: Record<string, unknown>) {
  const person = await giveSession(service, { email: `${handle}@example.com` });
  await person.api("claimBioHandle", { handle });
  expect((await person.api("updateBioPage", { displayName: handle, seo })).status).toBe(200);
  return person;
}

/** Returns the handles that each file of the sitemap lists now, with at most `pagesPerFile` in one. */
async function listPages(pagesPerFile: number): Promise<string[][]> {
  const show = createShowSitemap({
    listedBioPages: service.store.listedBioPages,
    clock: service.clock,
    baseUrl: () => service.url,
    pagesPerFile,
  });
  const index = gunzipSync(await show("index")).toString();
  const files = [...index.matchAll(/\/sitemap-(\d+)\.xml/g)].map(([, file]) => Number(file));
  await expect(show(files.length + 1)).rejects.toMatchObject({ code: "notFound" });
  const texts = await Promise.all(files.map(async (file) => gunzipSync(await show(file)).toString()));
  return texts.map((text) => [...text.matchAll(/<loc>[^<]+\/@([^<]+)<\/loc>/g)].map(([, handle = ""]) => handle));
}

test("the sitemap lists public pages by choice, in bounded files", async () => {
  expect(await listPages(2)).toEqual([[]]);
  await aPage("not.listed", {});
  await aPage("hidden", { sitemap: true, noindex: true });
  const people = new Map<string, Awaited<ReturnType<typeof aPage>>>();
  for (const handle of ["one", "two.more", "three", "four", "five"])
    people.set(handle, await aPage(handle, { sitemap: true }));
  const now = await listPages(2);
  expect(now.map((file) => file.length)).toEqual([2, 2, 1]);
  expect(now.flat().toSorted()).toEqual(["five", "four", "one", "three", "two.more"]);

  await people.get("one")!.api("updateBioPage", { seo: { sitemap: false } });
  await people.get("three")!.api("claimBioHandle", { handle: null });
  const decision = { by: "ada", reason: "phishing", now: service.clock.now() };
  await service.store.moderation.takeDownPage({ handle: "four" }, decision);
  expect((await listPages(10)).flat().toSorted()).toEqual(["five", "two.more"]);
  await service.store.moderation.restorePage({ handle: "four" }, decision);
  await people.get("five")!.api("deleteAccount", { confirm: "five@example.com" });
  expect((await listPages(10)).flat()).toContain("four");
});

test("robots find the sitemap, which is created once an hour", async () => {
  const robots = await ask(service.url, "/robots.txt");
  expect([robots.status, robots.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(robots.text).toContain(`\nSitemap: ${service.url}/sitemap.xml\n`);
  expect(robots.text).toContain("\nDisallow: /l/\n");
  const index = await ask(service.url, "/sitemap.xml");
  expect(index.headers).toMatchObject({
    "content-type": "application/xml; charset=utf-8",
    "cache-control": "public, max-age=3600",
  });
  expect(index.text).toContain(`<sitemap><loc>${service.url}/sitemap-1.xml</loc></sitemap>`);
  const read = async () =>
    gunzipSync((await ask(service.url, "/sitemap-1.xml", { "accept-encoding": "gzip" })).bytes).toString();
  const before = await read();
  expect(before).toContain(`<loc>${service.url}/docs</loc>`);
  expect((await ask(service.url, "/sitemap-1.xml")).text).toBe(before);
  await aPage("late", { sitemap: true });
  expect(await read()).toBe(before);
  service.clock.advance(hour);
  const after = await read();
  expect(after).toContain(`<loc>${service.url}/@late</loc><lastmod>`);
  expect((await ask(service.url, "/sitemap-2.xml")).status).toBe(404);
  expect((await ask(service.url, "/sitemap-21.xml")).status).toBe(404);
});

test("a public page's report link contains only its own address", async () => {
  await aPage("report.me", {});
  const { text } = await ask(service.url, "/@report.me?subject=evil", { host: "evil.example" });
  const subject = encodeURIComponent(`Report of ${service.url}/@report.me`);
  expect(text).toContain(`href="mailto:abuse@reelscript.example?subject=${subject}"`);
  expect(text).toContain(">Report this page</a>");
  expect(text).not.toContain("evil");
  expect(() => readConfig({ ABUSE_CONTACT: "javascript:alert(1)" }, "/")).toThrow(/ABUSE_CONTACT.*mailto:/);
});
