import * as z from "zod";
import { operation } from "../operation.ts";
import { csv } from "../values/text/csv.ts";

/** Definitions of the figures, shared by the response and the documentation. */
export const bioDefinitions = {
  day: "A day of UTC. The last day of the period is today, as far as it has come.",
  views: "Each opening of the page by a person, repeated ones too.",
  clicks: "Each click on a link of the page; of one visitor on one link at most one in any hour.",
  clickRate: "Clicks divided by views; 0 without views. May exceed 1, because one view can lead to several clicks.",
  dailyUniqueVisitors:
    "Daily visitors who viewed or clicked, added up over the days: someone who visits on five days counts five times. We distinguish visitors by network address and browser, hashed with a salt that we delete after each day.",
  dailyUniqueClickers: "Daily visitors who clicked.",
  visitorClickRate: "Visitors who clicked divided by all daily visitors; 0 without visitors. Never exceeds 1.",
  countedSince: "The first day with counted visits. Nothing is known of earlier days.",
  previous: "The same number of days before the period.",
  share: "The link's part of all clicks, from 0 to 1.",
  referrers:
    "Views by source: the source named in the page's address, or the site that linked to the page, or the app that opened it; null when none is available. The 50 with the most views; of days more than two days ago, the 50 most frequent sources of each day.",
  countries: "Views by country, where countries are known.",
  devices: "Views by kind of device, as the browser names itself.",
  excluded:
    "Requests that aren't in the other figures: bots (programs, crawlers, link previews), pages that a browser loaded before a visit, your own visits, and traffic spikes (more visits than the people of one network can make). Requests for headers only aren't counted here either.",
} as const;

const Count = z.int().min(0);
const Rate = z.number().min(0);
const Day = z.iso.date();

const figures = {
  views: Count,
  clicks: Count,
  clickRate: Rate,
  dailyUniqueVisitors: Count,
  dailyUniqueClickers: Count,
  visitorClickRate: Rate.max(1),
};

export const deviceNames = ["mobile", "tablet", "desktop", "unknown"] as const;

export const BioAnalytics = z
  .object({
    days: z.int().min(1).max(365),
    timezone: z.literal("UTC"),
    from: Day,
    to: Day,
    ...figures,
    countedSince: Day.nullable().meta({ description: "The first day of the page; null before there is a page." }),
    previous: z.object({ from: Day, to: Day, ...figures }).meta({ id: "BioPeriod" }),
    series: z
      .array(z.object({ date: Day, views: Count, clicks: Count, uniqueVisitors: Count, uniqueClickers: Count }))
      .meta({ description: "Every day of the period, oldest first, those without visits too." }),
    links: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          url: z.string(),
          clicks: Count,
          share: Rate.max(1),
          deleted: z.boolean().meta({ description: "Whether the link was removed from the page." }),
        }),
      )
      .meta({ description: "The page's links and deleted ones with clicks in the period, most clicked first." }),
    referrers: z.array(z.object({ host: z.string().nullable(), views: Count })),
    countries: z.array(z.object({ country: z.string().nullable(), views: Count })).nullable(),
    devices: z.array(z.object({ device: z.enum(deviceNames), views: Count })),
    excluded: z.object({ bots: Count, prefetch: Count, owner: Count, floods: Count }),
    definitions: z.object(
      Object.fromEntries(Object.keys(bioDefinitions).map((name) => [name, z.string()])) as Record<
        keyof typeof bioDefinitions,
        z.ZodString
      >,
    ),
  })
  .meta({ id: "BioAnalytics" });
export type BioAnalytics = z.infer<typeof BioAnalytics>;

const exampleFigures = {
  views: 420,
  clicks: 63,
  clickRate: 0.15,
  dailyUniqueVisitors: 388,
  dailyUniqueClickers: 58,
  visitorClickRate: 0.1495,
};

/** The beginning of each definition, which is enough to identify it. */
const definitionBeginnings = Object.fromEntries(
  Object.entries(bioDefinitions).map(([name, text]) => [name, `${text.slice(0, 3)}…`]),
) as Record<keyof typeof bioDefinitions, string>; // safe: the same names with shorter texts

export const getBioAnalytics = operation({
  summary: "Get the bio page's views and clicks",
  description: "Views, clicks and visitors over the last days (UTC, today included), and over as many before.",
  section: "Bio page",
  access: "key",
  http: {
    method: "GET",
    path: "/bio/analytics",
    formats: {
      parameter: "format",
      description: "`csv` returns one table whose first column is the kind of the row.",
      forms: { csv: { type: "text/csv", write: (analytics: BioAnalytics) => bioAnalyticsCsv(analytics) } },
      fileName: ({ from, to }: BioAnalytics) => `bio-analytics-${from}-to-${to}`,
    },
  },
  tools: [
    {
      name: "get_bio_analytics",
      title: "Get bio analytics",
      description:
        "Returns views, clicks, click rate and daily visitors of the bio page, by day, link, source and device (needs an API key).\nUse this tool when you need to:\n- see how the bio page does, and whether it improves\n- find out which links are clicked\nBots, prefetches and the owner are counted apart; days without visits are not listed. clickRate is clicks / views; daily visitors are added up over the days. Costs nothing.",
      openWorld: false,
    },
  ],
  input: z.object({ days: z.int().min(1).max(365).default(30).meta({ description: "Days up to today, in UTC." }) }),
  output: BioAnalytics,
  example: { days: 7 },
  exampleOutput: {
    days: 1,
    timezone: "UTC",
    from: "2026-11-20",
    to: "2026-11-20",
    ...exampleFigures,
    countedSince: "2026-06-01",
    previous: { from: "2026-11-19", to: "2026-11-19", ...exampleFigures },
    series: [{ date: "2026-11-20", views: 420, clicks: 63, uniqueVisitors: 388, uniqueClickers: 58 }],
    links: [
      {
        id: "lnk_7Hq2",
        title: "Newsletter",
        url: "https://example.com/newsletter",
        clicks: 63,
        share: 1,
        deleted: false,
      },
    ],
    referrers: [{ host: "instagram.com", views: 260 }],
    countries: [{ country: "PT", views: 310 }],
    devices: [{ device: "mobile", views: 380 }],
    excluded: { bots: 31, prefetch: 2, owner: 5, floods: 0 },
    definitions: definitionBeginnings,
  },
});

const columns = ["table", "name", "address", "views", "clicks", "visitors", "clickers", "share"] as const;
type Row = { readonly [Column in (typeof columns)[number]]?: string | number | null };

/**
 * All figures in one table whose first column names the kind of row, so that a spreadsheet can filter it. Days before counting
 * began have empty cells, not zeros.
 */
function bioAnalyticsCsv(analytics: BioAnalytics): string {
  const { from, to, previous, series, links, referrers, countries, devices, excluded, countedSince } = analytics;
  const rows: Row[] = [
    { table: "period", name: `${from} to ${to}`, ...totals(analytics) },
    { table: "before", name: `${previous.from} to ${previous.to}`, ...totals(previous) },
    ...series.map(({ date, views, clicks, uniqueVisitors, uniqueClickers }): Row =>
      countedSince === null || date < countedSince
        ? { table: "day", name: date }
        : { table: "day", name: date, views, clicks, visitors: uniqueVisitors, clickers: uniqueClickers },
    ),
    ...links.map(({ title, url, clicks, share, deleted }): Row => ({
      table: deleted ? "deleted link" : "link",
      name: title,
      address: url,
      clicks,
      share,
    })),
    ...referrers.map(({ host, views }): Row => ({ table: "source", name: host ?? "Not available", views })),
    ...(countries ?? []).map(({ country, views }): Row => ({
      table: "country",
      name: country ?? "Not available",
      views,
    })),
    ...devices.map(({ device, views }): Row => ({ table: "device", name: device, views })),
    ...Object.entries(excluded).map(([reason, requests]): Row => ({
      table: "left out",
      name: reason,
      views: requests,
    })),
  ];
  return csv(
    columns.map((column) => [column, (row: Row) => row[column]] as const),
    rows,
  );
}

const totals = ({
  views,
  clicks,
  dailyUniqueVisitors: visitors,
  dailyUniqueClickers: clickers,
}: BioAnalytics["previous"] | BioAnalytics) => ({ views, clicks, visitors, clickers });
