import { Chip } from "../../components/inline.tsx";
import type { BioAnalytics } from "@reelscript/contract";
import {
  AnalyticsFigures,
  Sources,
  ViewsAndClicks,
  type AnalyzedPeriod,
  type ViewSources,
} from "./analytics-charts.tsx";
import { LinkTable } from "./link-table.tsx";

/** Made-up views and clicks of thirty days. */
const days = [
  [18, 2],
  [22, 3],
  [19, 2],
  [31, 5],
  [44, 7],
  [38, 6],
  [26, 4],
  [24, 3],
  [27, 4],
  [25, 5],
  [36, 6],
  [52, 9],
  [47, 7],
  [33, 5],
  [29, 4],
  [31, 6],
  [34, 5],
  [48, 8],
  [71, 13],
  [63, 11],
  [41, 6],
  [35, 5],
  [38, 7],
  [37, 5],
  [49, 9],
  [66, 12],
  [58, 9],
  [42, 7],
  [39, 6],
  [21, 3],
] as const;

const series = days.map(([views, clicks], index) => ({
  date: `2026-06-${String(index + 1).padStart(2, "0")}`,
  views,
  clicks,
  uniqueVisitors: Math.round(views * 0.9),
  uniqueClickers: Math.round(clicks * 0.9),
}));

const sum = (of: "views" | "clicks" | "uniqueVisitors" | "uniqueClickers"): number =>
  series.reduce((total, day) => total + day[of], 0);

const ratesOf = (views: number, clicks: number, visitors: number, clickers: number) => ({
  views,
  clicks,
  clickRate: clicks / views,
  dailyUniqueVisitors: visitors,
  dailyUniqueClickers: clickers,
  visitorClickRate: clickers / visitors,
});

const sample: AnalyzedPeriod = {
  from: "2026-06-01",
  to: "2026-06-30",
  countedSince: "2026-05-02",
  previous: { from: "2026-05-02", to: "2026-05-31", ...ratesOf(840, 118, 756, 106) },
  series,
  ...ratesOf(sum("views"), sum("clicks"), sum("uniqueVisitors"), sum("uniqueClickers")),
};

const clicks = sum("clicks");

const links: BioAnalytics["links"] = [
  { id: "course", title: "The sourdough course", url: "https://example.com/course", clicks: 96 },
  { id: "table", title: "Book a table", url: "https://example.com/table", clicks: 52 },
  { id: "letter", title: "Newsletter", url: "https://example.com/letter", clicks: clicks - 96 - 52 },
].map((link) => ({ ...link, share: link.clicks / clicks, deleted: false }));

const views = sum("views");

const sources: ViewSources = {
  countries: null,
  referrers: [
    { host: "instagram.com", views: 702 },
    { host: "tiktok.com", views: 241 },
    { host: null, views: views - 702 - 241 },
  ],
  devices: [
    { device: "mobile", views: 931 },
    { device: "desktop", views: 168 },
    { device: "tablet", views: views - 931 - 168 },
  ],
};

/** The charts of a published page, with figures that are marked as made up. */
export const SampleAnalytics = () => (
  <section className="sample-part stack" aria-labelledby="sample-analytics">
    <div>
      <h2 id="sample-analytics">
        A month of a bio page <Chip kind="outline">Sample</Chip>
      </h2>
      <p className="meta">These visits are made up.</p>
    </div>
    <AnalyticsFigures analytics={sample} />
    <ViewsAndClicks analytics={sample} />
    <LinkTable links={links} />
    <Sources analytics={sources} />
  </section>
);
