import { dayMilliseconds, dayOf, bioDefinitions, type BioAnalytics } from "@reelscript/contract";
import type { BioFigures, BioEvents, Clock } from "../../ports.ts";
import type { Handler } from "../../run/handler.ts";
import { siteBehind } from "./visits/source-of.ts";

type Daily = BioFigures["daily"];

interface AnalyticsNeeds {
  readonly bioEvents: BioEvents;
  readonly clock: Clock;
}

export const getBioAnalytics =
  ({ bioEvents, clock }: AnalyticsNeeds): Handler<"getBioAnalytics"> =>
  async ({ input: { days }, caller }) => {
    const to = dayOf(clock.now());
    const from = daysBefore(to, days - 1);
    const before = { from: daysBefore(from, days), to: daysBefore(from, 1) };
    const read = await bioEvents.read(caller.account.id, { earliest: before.from, from, to });
    const daily = new Map(read.daily.map((day) => [day.date, day]));
    const clicks = read.links.reduce((sum, link) => sum + link.clicks, 0);
    return {
      days,
      timezone: "UTC",
      from,
      to,
      ...sums(read.daily.filter(({ date }) => date >= from)),
      countedSince: firstOf(read.since, read.daily),
      previous: { ...before, ...sums(read.daily.filter(({ date }) => date < from)) },
      series: Array.from({ length: days }, (_, index) => seriesDay(daysBefore(to, days - 1 - index), daily)),
      links: read.links.map((link) => ({ ...link, share: ratio(link.clicks, clicks) })),
      referrers: sitesOf(read.referrers),
      countries: read.countries.some(({ country }) => country !== null) ? read.countries : null,
      devices: read.devices,
      excluded: read.excluded,
      definitions: bioDefinitions,
    };
  };

const firstOf = (since: string | null, [first]: Daily): string | null =>
  first !== undefined && (since === null || first.date < since) ? first.date : since;

const daysBefore = (day: string, count: number): string =>
  dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - count * dayMilliseconds));

/** Keeps the order of most views first. Views from a host that was unknown when they were counted join its platform. */
function sitesOf(referrers: BioFigures["referrers"]): BioAnalytics["referrers"] {
  const views = new Map<string | null, number>();
  for (const { host, views: some } of referrers) {
    const site = host && siteBehind(host);
    views.set(site, (views.get(site) ?? 0) + some);
  }
  return [...views].map(([host, sum]) => ({ host, views: sum })).toSorted((one, other) => other.views - one.views);
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000);

function sums(daily: Daily) {
  const sum = (name: "views" | "clicks" | "visitors" | "clickers") =>
    daily.reduce((total, day) => total + day[name], 0);
  const views = sum("views");
  const clicks = sum("clicks");
  const visitors = sum("visitors");
  const clickers = sum("clickers");
  return {
    views,
    clicks,
    clickRate: ratio(clicks, views),
    dailyUniqueVisitors: visitors,
    dailyUniqueClickers: clickers,
    visitorClickRate: ratio(clickers, visitors),
  };
}

function seriesDay(date: string, daily: ReadonlyMap<string, Daily[number]>): BioAnalytics["series"][number] {
  const { views = 0, clicks = 0, visitors = 0, clickers = 0 } = daily.get(date) ?? {};
  return { date, views, clicks, uniqueVisitors: visitors, uniqueClickers: clickers };
}
