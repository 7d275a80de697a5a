import { beforeAll, expect, test } from "vitest";
import { ask } from "../harness/ask.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const day = 86_400_000;

const service = serviceOfTests({ transcriber: null });
beforeAll(() => service.clock.toNoon());

/** Midnight of UTC on the day of the service's clock. */
const today = (): number => Math.floor(service.clock.now().getTime() / day) * day;
const dayName = (daysAgo: number): string => new Date(today() - daysAgo * day).toISOString().slice(0, 10);

test("a spreadsheet gets the same figures, nothing for days before the page, and no formula", async () => {
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
