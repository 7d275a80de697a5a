import { beforeAll, expect, test } from "vitest";
import { ask } from "../harness/ask.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

const service = serviceOfTests({ transcriber: null, trustProxy: true, countryHeader: "x-country" });
beforeAll(() => service.clock.toNoon());

let pages = 0;
async function aPage() {
  pages += 1;
  const handle = `visited.${pages}`;
  const person = await signInNew(service);
  await person.api("claimBioHandle", { handle });
  const links = [
    { title: "Shop", url: "https://example.com/shop" },
    { title: "Over", url: "https://example.com/over", endsAt: "2020-01-01T00:00:00Z" },
  ];
  const { body } = await person.api("updateBioPage", { displayName: "Ana", links });
  const { text, headers } = await ask(service.url, `/@${handle}`, {});
  const [, image = ""] = /<img class="visit" src="(\/v\/bio_\w+)" alt="">/.exec(text) ?? [];
  return {
    person,
    image,
    headers,
    shop: `/l/${body.links[0].id}`,
    over: `/l/${body.links[1].id}`,
    visit: (path: string, given: Record<string, string> = {}) =>
      ask(service.url, path, { "user-agent": iphone, "x-forwarded-for": "203.0.113.7", ...given }),
    read: async () => (await person.api("getBioAnalytics", { days: 1 })).body,
  };
}

test("an uncached pixel counts views, and the redirect counts clicks", async () => {
  const { image, shop, headers, visit, read } = await aPage();
  expect(headers["content-security-policy"]).toContain("img-src data: 'self';");
  const seen = await visit(image, { "x-country": "IN", "x-forwarded-for": "198.51.100.9" });
  expect([seen.status, seen.headers["content-type"], seen.headers["cache-control"]]).toEqual([
    200,
    "image/gif",
    "no-store",
  ]);
  expect(seen.headers["set-cookie"]).toBeUndefined();
  await visit(image, { referer: `${service.url}/@visited.1?igsh=MWQ1` });
  const left = await visit(`${shop}?url=https://evil.example/`);
  expect([left.status, left.headers.location, left.headers["cache-control"], left.headers["referrer-policy"]]).toEqual([
    302,
    "https://example.com/shop#",
    "no-store",
    "strict-origin",
  ]);
  await expect.poll(read).toMatchObject({
    views: 2,
    clicks: 1,
    dailyUniqueVisitors: 2,
    dailyUniqueClickers: 1,
    referrers: expect.arrayContaining([{ host: "instagram.com", views: 1 }]),
    countries: expect.arrayContaining([{ country: "IN", views: 1 }]),
  });
});

test("machines, prefetches and the owner are counted apart; ended links lead nowhere", async () => {
  const { person, image, shop, over, visit, read } = await aPage();
  await visit(image, { "user-agent": "facebookexternalhit/1.1" });
  await visit(shop, { "sec-purpose": "prefetch" });
  await visit(image, { cookie: person.cookie });
  const other = await aPage();
  await visit(image, { cookie: other.person.cookie });
  const gone = await visit(over, { accept: "text/html" });
  expect([gone.status, gone.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect((await visit("/v/nobody")).status).toBe(200);
  expect((await visit("/v/bio_nobody")).status).toBe(200);
  await expect
    .poll(read)
    .toMatchObject({ views: 1, clicks: 0, excluded: { bots: 1, prefetch: 1, owner: 1, floods: 0 } });
});
