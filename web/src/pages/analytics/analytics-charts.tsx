import type { BioAnalytics } from "@reelscript/contract";
import { siteName } from "@reelscript/contract/values";
import { ChartFigure, Figures, BarList, Sparkline } from "../../charts/chart-figure.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import {
  calendarDay,
  calendarDayOfYear,
  calendarWeekday,
  counted,
  exactNumber,
  shortNumber,
  percent,
  changeSince,
  countryName,
} from "../../format.ts";
import { useState, type ReactNode } from "react";

type Day = BioAnalytics["series"][number];

/** The figures of a period, and of each of its days. */
export type AnalyzedPeriod = Pick<
  BioAnalytics,
  | "from"
  | "to"
  | "countedSince"
  | "previous"
  | "series"
  | "views"
  | "clicks"
  | "clickRate"
  | "dailyUniqueVisitors"
  | "dailyUniqueClickers"
  | "visitorClickRate"
>;

export function ViewsAndClicks({ analytics }: { readonly analytics: AnalyzedPeriod }) {
  const { series, views, clicks } = analytics;
  return (
    <DayChart
      title="Views and clicks"
      analytics={analytics}
      sentence={`${counted(views, "view", "views")} and ${counted(clicks, "click", "clicks")} ${spanOf(analytics)}. ${mostOf(series, (day) => day.views, "views")}`}
      first={{ name: "Views", color: "--series-rest", as: "bars", value: (day) => day.views }}
      second={{ name: "Clicks", value: (day) => day.clicks }}
      texts={(day) => [counted(day.views, "view", "views"), counted(day.clicks, "click", "clicks")]}
    />
  );
}

export function Visitors({ analytics }: { readonly analytics: AnalyzedPeriod }) {
  const { series, dailyUniqueVisitors, dailyUniqueClickers } = analytics;
  return (
    <DayChart
      title="Visitors"
      analytics={analytics}
      sentence={`${counted(dailyUniqueVisitors, "daily visitor", "daily visitors")} ${spanOf(analytics)}, of whom ${exactNumber(dailyUniqueClickers)} clicked. ${mostOf(series, (day) => day.uniqueVisitors, "visitors")}`}
      first={{ name: "Visitors", color: "--series-3", as: "area", value: (day) => day.uniqueVisitors }}
      second={{ name: "Who clicked", value: (day) => day.uniqueClickers }}
      texts={(day) => [
        counted(day.uniqueVisitors, "visitor", "visitors"),
        `${exactNumber(day.uniqueClickers)} clicked`,
      ]}
    />
  );
}

interface Figures {
  readonly name: string;
  readonly value: (day: Day) => number;
}

interface DayChartProps {
  readonly title: string;
  readonly analytics: AnalyzedPeriod;
  readonly sentence: string;
  readonly first: Figures & { readonly color: string; readonly as: "bars" | "area" };
  readonly second: Figures;
  readonly texts: (day: Day) => readonly string[];
}

function DayChart({ title, analytics, sentence, first, second, texts }: DayChartProps) {
  // Days before counting began would only push the others to the edge.
  const days = analytics.series.filter(({ date }) => wasCounted(analytics, date));
  const last = days.length - 1;
  return (
    <ChartFigure
      title={title}
      sub={days.length < analytics.series.length && days[0] && `Counted since ${calendarDay(days[0].date)}`}
      legend={[first, { ...second, color: "--series-2" }]}
      table={{
        columns: ["Day (UTC)", first.name, second.name],
        rows: days.map((day, index) => [
          calendarDayOfYear(day.date) + (index === last ? ", so far" : ""),
          ...[first, second].map(({ value }) => exactNumber(value(day))),
        ]),
      }}
    >
      <TimeChart
        sentence={sentence}
        {...{ [first.as]: days.map(first.value) }}
        line={days.map(second.value)}
        name={`${title}, day by day`}
        labels={days.map(({ date }) => calendarDay(date))}
        format={shortNumber}
        whole
        texts={(index) => {
          const day = days[index]!; // safe: an index of these days
          return [calendarWeekday(day.date) + (index === last ? ", so far" : ""), ...texts(day)];
        }}
      />
    </ChartFigure>
  );
}

const spanOf = ({ from, to }: AnalyzedPeriod): string =>
  `from ${calendarDayOfYear(from)} to ${calendarDayOfYear(to)}, by day`;

function mostOf(series: readonly Day[], value: (day: Day) => number, what: string): string {
  const [best] = series.toSorted((one, other) => value(other) - value(one));
  return best === undefined || value(best) === 0
    ? ""
    : `Busiest day: ${calendarDay(best.date)}, with ${exactNumber(value(best))} ${what}.`;
}

export function AnalyticsFigures({ analytics: { previous, series, ...now } }: { readonly analytics: AnalyzedPeriod }) {
  const isKnown = wasCounted(now, previous.from);
  /** If only part of the previous period was counted, the figure is shown without a comparison. */
  const sentenceBefore = (before: string): string =>
    !wasCounted(now, previous.to)
      ? "No earlier data"
      : isKnown
        ? `${before} before`
        : `${before} before, counted since ${calendarDay(now.countedSince ?? previous.to)}`;
  const days = series.filter(({ date }) => wasCounted(now, date));
  const count = (name: string, of: "views" | "clicks" | "dailyUniqueVisitors", course: (day: Day) => number) => {
    const change = isKnown ? changeSince(now[of], previous[of]) : undefined;
    return {
      name,
      value: (
        <span className="row">
          <bdi>{shortNumber(now[of])}</bdi>
          <Sparkline values={days.map(course)} />
        </span>
      ),
      small: `${sentenceBefore(exactNumber(previous[of]))}${change ? `, ${change}` : ""}`,
    };
  };
  const rate = (name: string, of: "clickRate" | "visitorClickRate") => ({
    name,
    value: (
      <span className="row">
        <bdi>{percent(now[of] * 100)}</bdi>
      </span>
    ),
    small: sentenceBefore(percent(previous[of] * 100)),
  });
  return (
    <Figures
      label="Figures of the period"
      figures={[
        count("Views", "views", (day) => day.views),
        count("Clicks", "clicks", (day) => day.clicks),
        rate("Clicks per view", "clickRate"),
        count("Daily visitors", "dailyUniqueVisitors", (day) => day.uniqueVisitors),
        rate("Visitors who click", "visitorClickRate"),
      ]}
    />
  );
}

const wasCounted = ({ countedSince }: Pick<BioAnalytics, "countedSince">, day: string): boolean =>
  countedSince !== null && day >= countedSince;

const shownAtFirst = 8;
const devices: Readonly<Record<BioAnalytics["devices"][number]["device"], string>> = {
  mobile: "Phone",
  tablet: "Tablet",
  desktop: "Computer",
  unknown: "Not available",
};

/** The origins of the views of a period. */
export type ViewSources = Pick<BioAnalytics, "referrers" | "countries" | "devices">;

export function Sources({ analytics }: { readonly analytics: ViewSources }) {
  return (
    <div className="tiles fitted sources" style={{ "--gap": "24px" }}>
      <Source
        title="Came from"
        items={analytics.referrers.map(({ host, views }) => ({ name: host, views }))}
        format={(host) => (host === null ? "Direct or unknown" : <bdi>{siteName(host)}</bdi>)}
      />
      {analytics.countries && (
        <Source
          title="Countries"
          items={analytics.countries.map(({ country, views }) => ({ name: country, views }))}
          format={(country) => (country === null ? "Not available" : countryName(country))}
        />
      )}
      <Source
        title="Devices"
        items={analytics.devices.filter(({ views }) => views > 0).map(({ device, views }) => ({ name: device, views }))}
        format={(device) => devices[device]}
      />
    </div>
  );
}

interface SourceProps<Name extends string | null> {
  readonly title: string;
  readonly items: readonly { readonly name: Name; readonly views: number }[];
  readonly format: (name: Name) => ReactNode;
}

function Source<Name extends string | null>({ title, items, format }: SourceProps<Name>) {
  const [all, setAll] = useState(false);
  const total = items.reduce((sum, { views }) => sum + views, 0);
  const rows = all ? items : items.slice(0, shownAtFirst);
  return (
    <section className="card stack tight">
      <h2>{title}</h2>
      {items.length === 0 && <p className="meta">No view in this period.</p>}
      <BarList
        label={title}
        full={Math.max(1, total)}
        items={rows.map(({ name, views }) => ({
          key: String(name),
          name: format(name),
          value: views,
          figure: (
            <>
              <span title={counted(views, "view", "views")}>{exactNumber(views)}</span>{" "}
              <small>{percent(total === 0 ? 0 : (views / total) * 100, 0)}</small>
            </>
          ),
        }))}
      />
      {items.length > shownAtFirst && (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${items.length}`}
        </button>
      )}
    </section>
  );
}
