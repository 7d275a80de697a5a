import * as z from "zod";
import { operation } from "../operation.ts";
import { bioAnalyticsCsv } from "./bio-analytics-csv.ts";

/** What each figure means, in the answer and in the documentation alike. */
export const bioDefinitions = {
  day: "A day of UTC. The last day of the period is today, as far as it has come.",
  views: "Each opening of the page by a person, repeated ones too.",
  clicks: "Each click on a link of the page; of one visitor on one link at most one in any hour.",
  clickRate: "clicks / views; 0 without views. May exceed 1, because one view can lead to several clicks.",
  dailyUniqueVisitors:
    "Different visitors who viewed or clicked on a day, added up over the days: somebody who comes on five days counts five times. Visitors are told apart by network address and browser, hashed with a salt of the day that is thrown away.",
  dailyUniqueClickers: "Those of them who clicked.",
  visitorClickRate: "dailyUniqueClickers / dailyUniqueVisitors; 0 without visitors. Never exceeds 1.",
  countedSince: "The first day on which visits could be counted, or were; on days before it nothing is known.",
  previous: "The same number of days before the period.",
  share: "The link's part of all clicks, from 0 to 1.",
  referrers:
    "Views by where they came from: what `utm_source` in the page's address says, else the app whose browser shows the page, else the platform that marked the address (such as `igsh` or `fbclid`); null where nothing tells. The 50 with the most views; on days more than two days ago only the 50 most frequent sources of each day are told apart.",
  countries: "Views by country; null when the country of no view is known.",
  devices: "Views by kind of device, as the browser names itself.",
  excluded:
    "Requests for the page or a link that are counted nowhere else: bots (programs, crawlers, previews of links), prefetch (loaded ahead by a browser), owner (the page's own account), floods (more visits than the people of one network can make). Requests that only ask for headers are not even counted here.",
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
          deleted: z.boolean().meta({ description: "Whether the page no longer has it." }),
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

export const getBioAnalytics = operation({
  summary: "Get the bio page's views and clicks",
  description:
    "Views, clicks and visitors of the bio page over the last days (UTC, today included), beside the same number of days before. `definitions` says what each figure means.",
  tag: "Bio page",
  access: "key",
  http: {
    method: "GET",
    path: "/bio/analytics",
    formats: {
      parameter: "format",
      description:
        "csv: all figures in one table; its first column says what a row is about: period, before, day, link, deleted link, source, country, device, left out.",
      forms: { csv: { type: "text/csv", write: (analytics: BioAnalytics) => bioAnalyticsCsv(analytics) } },
      fileName: ({ from, to }: BioAnalytics) => `bio-analytics-${from}-to-${to}`,
    },
  },
  tools: [
    {
      name: "get_bio_analytics",
      title: "Get bio analytics",
      description:
        "Returns views, clicks, click rate and daily visitors of the bio page, by day, link, source and device (needs an API key).\nUse this tool when you need to:\n- tell how the bio page does, and whether it does better than before\n- find out which links are clicked\nCovers the last 30 days unless days (1 to 365) is given; days are of UTC. Bots, prefetches and the owner are left out and shown apart; days without visits are not listed. clickRate is clicks / views; daily visitors are added up over the days. Costs nothing.",
      answer: {
        schema: BioAnalytics.omit({ definitions: true }),
        from(output) {
          const { definitions: _, ...figures } = output;
          const { series, devices } = figures as unknown as BioAnalytics;
          return {
            ...figures,
            series: series.filter(({ views, clicks }) => views + clicks > 0),
            devices: devices.filter(({ views }) => views > 0),
          };
        },
      },
      openWorld: false,
    },
  ],
  input: z.object({ days: z.int().min(1).max(365).default(30).meta({ description: "Days up to today, in UTC." }) }),
  output: BioAnalytics,
  errors: [],
  example: { days: 7 },
});
