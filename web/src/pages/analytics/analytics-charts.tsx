import type { BioAnalytics } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { calendarDay, calendarDayOfYear, calendarWeekday } from "../../format/date.ts";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";
import { wasCounted } from "./analytics-figures.tsx";

type Day = BioAnalytics["series"][number];

export function ViewsAndClicks({ analytics }: { readonly analytics: BioAnalytics }) {
  const { series, views, clicks } = analytics;
  return (
    <DayChart
      title="Views and clicks"
      analytics={analytics}
      sentence={`${counted(views, "view", "views")} and ${counted(clicks, "click", "clicks")} ${spanOf(analytics)}. ${mostOf(series, (day) => day.views, "views")}`}
      legend={[
        { name: "Views", color: "--series-rest" },
        { name: "Clicks", color: "--series-2" },
      ]}
      bars={course(analytics, (day) => day.views)}
      line={course(analytics, (day) => day.clicks)}
      figures={[
        ["Views", (day) => day.views],
        ["Clicks", (day) => day.clicks],
      ]}
      told={(day) => [counted(day.views, "view", "views"), counted(day.clicks, "click", "clicks")]}
    />
  );
}

export function Visitors({ analytics }: { readonly analytics: BioAnalytics }) {
  const { series, dailyUniqueVisitors, dailyUniqueClickers } = analytics;
  return (
    <DayChart
      title="Visitors"
      analytics={analytics}
      sentence={`${counted(dailyUniqueVisitors, "daily visitor", "daily visitors")} ${spanOf(analytics)}, of whom ${exactNumber(dailyUniqueClickers)} clicked. ${mostOf(series, (day) => day.uniqueVisitors, "visitors")}`}
      legend={[
        { name: "Visitors", color: "--series-3" },
        { name: "Who clicked", color: "--series-2" },
      ]}
      area={course(analytics, (day) => day.uniqueVisitors)}
      line={course(analytics, (day) => day.uniqueClickers)}
      figures={[
        ["Visitors", (day) => day.uniqueVisitors],
        ["Who clicked", (day) => day.uniqueClickers],
      ]}
      told={(day) => [counted(day.uniqueVisitors, "visitor", "visitors"), `${exactNumber(day.uniqueClickers)} clicked`]}
    />
  );
}

interface DayChartProps extends Pick<Parameters<typeof TimeChart>[0], "sentence" | "bars" | "area" | "line"> {
  readonly title: string;
  readonly analytics: BioAnalytics;
  readonly legend: Parameters<typeof ChartFigure>[0]["legend"];
  readonly figures: readonly (readonly [string, (day: Day) => number])[];
  readonly told: (day: Day) => readonly string[];
}

const notCounted = "Not counted yet";

function DayChart({ title, analytics, legend, figures, told, ...chart }: DayChartProps) {
  const { series } = analytics;
  const last = series.length - 1;
  const isCounted = (day: Day): boolean => wasCounted(analytics, day.date);
  return (
    <ChartFigure
      title={title}
      legend={legend}
      table={{
        columns: ["Day (UTC)", ...figures.map(([name]) => name)],
        rows: series.map((day, index) => [
          calendarDayOfYear(day.date) + (index === last ? ", so far" : ""),
          ...figures.map(([, value]) => (isCounted(day) ? exactNumber(value(day)) : "–")),
        ]),
      }}
    >
      <TimeChart
        {...chart}
        name={`${title}, day by day`}
        unknown={{ count: series.filter((day) => !isCounted(day)).length, words: notCounted }}
        labels={series.map(({ date }) => calendarDay(date))}
        format={shortNumber}
        whole
        told={(index) => {
          const day = series[index]!; // safe: an index of the series
          const name = calendarWeekday(day.date) + (index === last ? ", so far" : "");
          return [name, ...(isCounted(day) ? told(day) : [notCounted])];
        }}
      />
    </ChartFigure>
  );
}

/** Nothing where nothing was counted, which is not 0. */
const course = (analytics: BioAnalytics, value: (day: Day) => number): readonly (number | null)[] =>
  analytics.series.map((day) => (wasCounted(analytics, day.date) ? value(day) : null));

const spanOf = ({ from, to }: BioAnalytics): string =>
  `from ${calendarDayOfYear(from)} to ${calendarDayOfYear(to)}, by day`;

function mostOf(series: readonly Day[], value: (day: Day) => number, what: string): string {
  const [best] = series.toSorted((one, other) => value(other) - value(one));
  return best === undefined || value(best) === 0
    ? ""
    : `Busiest day: ${calendarDay(best.date)}, with ${exactNumber(value(best))} ${what}.`;
}
