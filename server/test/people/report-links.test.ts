import { describe, expect, test } from "vitest";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels } from "../reports/golden.ts";

const opensPerHour = 40;
const service = serviceOfTests({ transcriber: null, trustProxy: true, rateLimits: { address: opensPerHour } });

/** Somebody who shares a report. */
async function aSharer(title?: string) {
  const person = await signInNew(service);
  const reel = service.newReel({ handle: "cook.daily" });
  const [first, ...others] = sixteenReels.reels;
  const reels = [{ ...first!, url: reel, views: 9_000, caption: "Rye & <b>bread</b>" }, ...others];
  const { id } = (await person.api("importReport", { ...sixteenReels, reels })).body;
  const { link } = (await person.api("createReportLink", { id, ...(title !== undefined && { title }) })).body;
  return { person, id, link, reel };
}

let networks = 0;
const aNetwork = (): string => `198.51.100.${(networks += 1)}`;
/** Looks at the page from a network of its own unless one is named. */
const open = (url: string, network = aNetwork()) =>
  fetch(url, { headers: { accept: "text/html", "x-forwarded-for": network } });

describe("a link of a report", () => {
  test("shows anybody the report with the owner's title, leaving no trace", async () => {
    const { person, id, link, reel } = await aSharer("Ana & Sons <Agency>");
    expect(link).toMatchObject({ reportId: id, handle: "cook.daily", title: "Ana & Sons <Agency>" });
    expect(new URL(link.url).pathname).toMatch(/^\/r\/[0-9A-Za-z]{43}$/);
    const page = await open(link.url);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("<title>Ana &amp; Sons &lt;Agency&gt; · @cook.daily</title>");
    expect(html).toContain(`href="${reel}" rel="noopener noreferrer nofollow"`);
    expect(html).toContain("Rye &amp; &lt;b&gt;bread&lt;/b&gt;");
    const { insights, metrics } = (await person.api("getCompetitorReport", { id })).body;
    for (const insight of insights.slice(-1)) expect(html).toContain(insight);
    const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
    expect(html).toContain(`<dt>Median views</dt><dd>${short.format(metrics.medianViews)}<`);
    expect(html).toContain("@media print");
    expect(html).not.toContain(person.email.split("@")[0]);
    expect(html).not.toMatch(/<script|<iframe|<b>bread/);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow, noarchive",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    expect(page.headers.getSetCookie()).toEqual([]);
    expect((await person.api("listReportLinks")).body).toEqual({ links: [link], limit: 100 });
    expect((await person.api("exportAccount")).body.reportLinks).toEqual([link]);
  });

  test("stays the same when the report is shared again under another title", async () => {
    const { person, id, link } = await aSharer("First");
    const again = (await person.api("createReportLink", { id, title: "Second" })).body.link;
    expect(again).toEqual({ ...link, title: "Second" });
    expect(await (await open(link.url)).text()).toContain("<title>Second");
    const { title: _, ...untitled } = link;
    expect((await person.api("createReportLink", { id })).body.link).toEqual(untitled);
    expect((await person.api("createReportLink", { id, title: "x".repeat(121) })).status).toBe(400);
  });

  test("says nothing of the owner's other accounts", async () => {
    const { person, link } = await aSharer();
    await person.api("importReport", { ...sixteenReels, handle: "secret.client" });
    expect(await (await open(link.url)).text()).not.toMatch(/secret\.client|other account/);
  });

  test("shows no reel that was taken down, and the others on", async () => {
    const { link, reel } = await aSharer();
    const { mediaId } = service.standin.reels.find(({ code }) => reel.includes(code))!;
    await service.store.moderation.takeDown(
      { platform: "standin", mediaId, shortcode: "", url: reel },
      { by: "operator", reason: "asked", now: new Date() },
    );
    const html = await (await open(link.url)).text();
    expect(html).not.toContain("Rye");
    expect(html).not.toContain(reel);
    expect(html).toContain('href="https://www.instagram.com/reel/R8/"');
  });

  test.each(["revoked", "deleted", "suspended", "account gone"])("ends when it is %s", async (how) => {
    const { person, id, link } = await aSharer();
    const now = new Date();
    if (how === "revoked") expect((await person.api("revokeReportLink", { id: link.id })).status).toBe(200);
    if (how === "deleted") expect((await person.api("deleteReport", { id })).status).toBe(200);
    if (how === "suspended")
      await service.store.moderation.suspend(person.accountId, { by: "operator", reason: "asked", now });
    if (how === "account gone") await service.store.accounts.remove(person.accountId, now);
    const page = await open(link.url);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("This link doesn’t work");
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    const json = await fetch(link.url, { headers: { accept: "application/json" } });
    expect([json.status, await json.json()]).toMatchObject([404, { error: { code: "notFound" } }]);
    if (how !== "revoked") return;
    expect((await person.api("revokeReportLink", { id: link.id })).status).toBe(404);
    const { link: next } = (await person.api("createReportLink", { id })).body;
    expect(next.url).not.toBe(link.url);
    expect((await open(next.url)).status).toBe(200);
  });

  test("is nobody else's to make, list or revoke", async () => {
    const { id, link } = await aSharer();
    const stranger = await signInNew(service);
    for (const [name, input] of [
      ["createReportLink", { id }],
      ["createReportLink", { id: "rep_nothing" }],
      ["revokeReportLink", { id: link.id }],
    ] as const)
      expect((await stranger.api(name, input)).status).toBe(404);
    expect((await stranger.api("listReportLinks")).body.links).toEqual([]);
    expect((await open(link.url)).status).toBe(200);
  });

  test("is opened only so often from one network, and can't be guessed", async () => {
    const { link } = await aSharer();
    const network = aNetwork();
    for (const wrong of [`${link.url}x`, link.url.slice(0, -1), `${service.url}/r/%00`])
      expect((await open(wrong, network)).status, wrong).toBe(404);
    const guess = `${service.url}/r/${"A".repeat(43)}`;
    for (let tries = 0; tries < opensPerHour; tries += 1) expect((await open(guess, network)).status).toBe(404);
    expect((await open(link.url, network)).status).toBe(429);
    expect((await open(link.url)).status).toBe(200);
  });
});
