import type { BioAnalytics } from "@reelscript/contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { BioRequest } from "../../src/features/bio/visits/judge-bio-request.ts";
import { createCountBioVisits } from "../../src/features/bio/visits/count-bio-visits.ts";
import { networkOf } from "../../src/callers/authenticate.ts";
import { foldBioEvents } from "../../src/periodic/tasks.ts";
import { ask } from "../harness/ask.ts";
import { connectMcp, eras, type Era } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const laptop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Safari/537.36";

const day = 86_400_000;

const service = serviceOfTests({ transcriber: null });
beforeAll(() => service.clock.toNoon());

/** Midnight of UTC on the day of the service's clock. */
const today = (): number => Math.floor(service.clock.now().getTime() / day) * day;
const dayName = (daysAgo: number): string => new Date(today() - daysAgo * day).toISOString().slice(0, 10);

interface Visit {
  readonly daysAgo?: number;
  /** Milliseconds into that day of UTC. */
  readonly at?: number;
  readonly address?: string;
  readonly agent?: string;
  readonly link?: string;
  readonly changes?: Partial<BioRequest>;
}

interface Page {
  readonly key: string;
  readonly links: string[];
  visit(visit?: Visit): Promise<void>;
  read(days?: number): Promise<BioAnalytics>;
}

/** A page with two links, and a way to visit it at any moment. */
async function aPage(): Promise<Page> {
  const { key, accountId } = await service.createCaller();
  const links = [
    { title: "One", url: "https://example.com/1" },
    { title: "Two", url: "https://example.com/2" },
    { type: "header", title: "Only words" },
  ];
  const { body } = await rest(service.url, "/bio", { key, method: "PATCH", body: { links } });
  const { id } = await service.store.bioPages.read(accountId);
  let moment = 0;
  const { note, write } = createCountBioVisits({
    bioEvents: service.store.bioEvents,
    clock: { now: () => new Date(moment) },
    onFault(error) {
      throw error;
    },
  });
  return {
    key,
    links: body.links.map((link: { id: string }) => link.id),
    async visit({ daysAgo = 0, at = 0, address = "203.0.113.7", agent = iphone, link, changes = {} } = {}) {
      moment = today() - daysAgo * day + at;
      note({
        bioId: id ?? "",
        linkId: link ?? null,
        method: "GET",
        network: networkOf(address),
        host: "reelscript.example",
        owner: false,
        country: null,
        ...changes,
        headers: { "user-agent": agent, ...changes.headers },
      });
      await write();
    },
    async read(days) {
      const answer = await rest(service.url, `/bio/analytics${days === undefined ? "" : `?days=${days}`}`, { key });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    },
  };
}

test("an unvisited page has zeros every day, and explains each figure", async () => {
  const page = await aPage();
  const figures = await page.read();
  expect(figures).toMatchObject({
    days: 30,
    timezone: "UTC",
    from: dayName(29),
    to: dayName(0),
    views: 0,
    clicks: 0,
    clickRate: 0,
    dailyUniqueVisitors: 0,
    dailyUniqueClickers: 0,
    visitorClickRate: 0,
    previous: { from: dayName(59), to: dayName(30), views: 0, clickRate: 0 },
    referrers: [],
    countries: null,
    devices: [],
    excluded: { bots: 0, prefetch: 0, owner: 0, floods: 0 },
  });
  expect(figures.series).toHaveLength(30);
  expect(figures.series[0]).toEqual({ date: dayName(29), views: 0, clicks: 0, uniqueVisitors: 0, uniqueClickers: 0 });
  expect(figures.links.map(({ title, clicks, share, deleted }) => [title, clicks, share, deleted])).toEqual([
    ["One", 0, 0, false],
    ["Two", 0, 0, false],
  ]);
  for (const name of ["views", "clicks", "clickRate", "dailyUniqueVisitors", "visitorClickRate", "excluded"] as const)
    expect(figures.definitions[name]).toMatch(/\w+ \w+/);
  const nobody = await service.createCaller();
  expect((await rest(service.url, "/bio/analytics", { key: nobody.key })).body).toMatchObject({ views: 0, links: [] });
});

test("a set of visits counted by hand", async () => {
  const page = await aPage();
  const [one = "", two = ""] = page.links;
  const ana = "203.0.113.7";
  const bea = "198.51.100.9";
  // Today: Ana views twice and clicks One and Two, Bea views and clicks nothing.
  await page.visit({ address: ana, changes: { headers: { referer: "https://www.instagram.com/" } } });
  await page.visit({ address: ana, at: 1 });
  await page.visit({ address: ana, at: 2, link: one });
  await page.visit({ address: ana, at: 3, link: two });
  await page.visit({ address: bea, agent: laptop, at: 4, changes: { country: "IN" } });
  // Yesterday's last millisecond: Bea clicks One without a view. The day before: Ana views.
  await page.visit({ daysAgo: 1, at: day - 1, address: bea, agent: laptop, link: one });
  await page.visit({ daysAgo: 2, address: ana });
  // Before the three days: three views by two people, one click.
  await page.visit({ daysAgo: 3, at: day - 1, address: ana });
  await page.visit({ daysAgo: 5, address: ana });
  await page.visit({ daysAgo: 5, address: bea });
  await page.visit({ daysAgo: 5, at: 1, address: bea, link: two });
  // Before the three days before: nothing of it shows.
  await page.visit({ daysAgo: 6, at: day - 1, address: ana });

  const { definitions: _, ...figures } = await page.read(3);
  expect(figures).toEqual({
    days: 3,
    timezone: "UTC",
    from: dayName(2),
    to: dayName(0),
    views: 4,
    clicks: 3,
    clickRate: 0.75,
    dailyUniqueVisitors: 4,
    dailyUniqueClickers: 2,
    visitorClickRate: 0.5,
    countedSince: dayName(5),
    previous: {
      from: dayName(5),
      to: dayName(3),
      views: 3,
      clicks: 1,
      clickRate: 0.3333,
      dailyUniqueVisitors: 3,
      dailyUniqueClickers: 1,
      visitorClickRate: 0.3333,
    },
    series: [
      { date: dayName(2), views: 1, clicks: 0, uniqueVisitors: 1, uniqueClickers: 0 },
      { date: dayName(1), views: 0, clicks: 1, uniqueVisitors: 1, uniqueClickers: 1 },
      { date: dayName(0), views: 3, clicks: 2, uniqueVisitors: 2, uniqueClickers: 1 },
    ],
    links: [
      { id: one, title: "One", url: "https://example.com/1", clicks: 2, share: 0.6667, deleted: false },
      { id: two, title: "Two", url: "https://example.com/2", clicks: 1, share: 0.3333, deleted: false },
    ],
    referrers: [
      { host: null, views: 3 },
      { host: "instagram.com", views: 1 },
    ],
    countries: [
      { country: null, views: 3 },
      { country: "IN", views: 1 },
    ],
    devices: [
      { device: "mobile", views: 3 },
      { device: "desktop", views: 1 },
    ],
    excluded: { bots: 0, prefetch: 0, owner: 0, floods: 0 },
  });
  const folding = foldBioEvents(service.store.bioEvents);
  while (await folding.run(service.clock.now(), AbortSignal.timeout(60_000)));
  const { definitions: __, ...folded } = await page.read(3);
  expect(folded, "whatever is a total by now").toEqual(figures);
  const year = await page.read(365);
  expect(year.series).toHaveLength(365);
  expect(year).toMatchObject({ views: 8, clicks: 4, previous: { views: 0 } });
  expect(year.series.reduce((sum, { uniqueVisitors }) => sum + uniqueVisitors, 0)).toBe(year.dailyUniqueVisitors);
});

test("the click rate may exceed 1, but the visitors' rate never does", async () => {
  const page = await aPage();
  await page.visit();
  for (const link of page.links.slice(0, 2)) await page.visit({ link });
  await page.visit({ address: "198.51.100.9", link: page.links[0]! });
  expect(await page.read(1)).toMatchObject({
    views: 1,
    clicks: 3,
    clickRate: 3,
    dailyUniqueVisitors: 2,
    dailyUniqueClickers: 2,
    visitorClickRate: 1,
  });
});

test("clicks stay with a moved, renamed, deleted or restored link", async () => {
  const page = await aPage();
  const [one = "", two = ""] = page.links;
  await page.visit({ link: one });
  const change = (links: object[]) => rest(service.url, "/bio", { key: page.key, method: "PATCH", body: { links } });
  await change([
    { id: two, title: "Two", url: "https://example.com/2" },
    { id: one, title: "Renamed", url: "https://example.com/new" },
  ]);
  const linkFigures = async () =>
    (await page.read(1)).links.map(({ title, url, clicks, deleted }) => ({ title, url, clicks, deleted }));
  const renamed = { title: "Renamed", url: "https://example.com/new", clicks: 1, deleted: false };
  const other = { title: "Two", url: "https://example.com/2", clicks: 0, deleted: false };
  expect(await linkFigures()).toEqual([renamed, other]);
  await change([{ id: two, title: "Two", url: "https://example.com/2" }]);
  expect(await linkFigures()).toEqual([{ ...renamed, deleted: true }, other]);
  await rest(service.url, "/bio/revert", { key: page.key, body: { revision: 2 } });
  expect(await linkFigures()).toEqual([renamed, other]);
});

test("a spreadsheet has the same figures since the page's creation, no formula", async () => {
  const { key } = await service.createCaller();
  const links = [{ title: '=HYPERLINK("https://evil.example","x")', url: "https://example.com/?a=1,2" }];
  await rest(service.url, "/bio", { key, method: "PATCH", body: { links } });
  const { text, headers, status } = await ask(service.url, "/api/v1/bio/analytics?days=2&format=csv", {
    authorization: `Bearer ${key}`,
  });
  expect([status, headers["content-type"], headers["content-disposition"]]).toEqual([
    200,
    "text/csv; charset=utf-8",
    `attachment; filename="bio-analytics-${dayName(1)}-to-${dayName(0)}.csv"`,
  ]);
  expect(text.split("\r\n")).toEqual([
    "\uFEFFtable,name,address,views,clicks,visitors,clickers,share",
    `period,${dayName(1)} to ${dayName(0)},,0,0,0,0,`,
    `before,${dayName(3)} to ${dayName(2)},,0,0,0,0,`,
    `day,${dayName(1)},,,,,,`,
    `day,${dayName(0)},,0,0,0,0,`,
    `link,"'=HYPERLINK(""https://evil.example"",""x"")","https://example.com/?a=1,2",,0,,,0`,
    "left out,bots,,0,,,,",
    "left out,prefetch,,0,,,,",
    "left out,owner,,0,,,,",
    "left out,floods,,0,,,,",
    "",
  ]);
});

test.each(["0", "366", "-1", "1.5", "abc", ""])("days=%s is refused", async (days) => {
  const { key } = await service.createCaller();
  expect(await rest(service.url, `/bio/analytics?days=${days}`, { key })).toMatchObject({
    status: 400,
    body: { error: { code: "invalidRequest", message: expect.stringContaining("`days`") } },
  });
});

describe.each(Object.keys(eras) as Era[])("a %s agent", (era) => {
  test("reads the same figures", async () => {
    const page = await aPage();
    await page.visit();
    const client = await connectMcp(service.url, era, page.key);
    const { structuredContent } = await client.callTool({ name: "get_bio_analytics", arguments: { days: 7 } });
    const { definitions: _, series, devices, ...figures } = await page.read(7);
    expect(structuredContent).toEqual({
      ...figures,
      series: series.filter(({ views }: { views: number }) => views > 0),
      devices: devices.filter(({ views }: { views: number }) => views > 0),
    });
    const refused = await client.callTool({ name: "get_bio_analytics", arguments: { days: 0 } });
    expect((refused.content as { text: string }[])[0]!.text).toMatch(/^\[invalidRequest\] `days`/);
    await client.close();
  });
});
