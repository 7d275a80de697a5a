import type { BioAnalytics } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { calendarDay, calendarDayOfYear, calendarWeekday } from "../../format/calendar-day.ts";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";

type Day = BioAnalytics["series"][number];

export function ViewsAndClicks({ analytics }: { readonly analytics: BioAnalytics }) {
  const { series, views, clicks } = analytics;
  return (
    <DayChart
      title="Views and clicks"
      series={series}
      sentence={`${counted(views, "view", "views")} and ${counted(clicks, "click", "clicks")} ${spanOf(analytics)}. ${mostOf(series, (day) => day.views, "views")}`}
      legend={[
        { name: "Views", kind: "bar", color: "--c0" },
        { name: "Clicks", kind: "line", color: "--c2" },
      ]}
      bars={series.map((day) => day.views)}
      line={series.map((day) => day.clicks)}
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
      series={series}
      sentence={`${counted(dailyUniqueVisitors, "daily visitor", "daily visitors")} ${spanOf(analytics)}, of whom ${exactNumber(dailyUniqueClickers)} clicked. ${mostOf(series, (day) => day.uniqueVisitors, "visitors")}`}
      legend={[
        { name: "Visitors", kind: "line", color: "--c3" },
        { name: "Who clicked", kind: "line", color: "--c2" },
      ]}
      area={series.map((day) => day.uniqueVisitors)}
      line={series.map((day) => day.uniqueClickers)}
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
  readonly series: readonly Day[];
  readonly legend: Parameters<typeof ChartFigure>[0]["legend"];
  readonly figures: readonly (readonly [string, (day: Day) => number])[];
  readonly told: (day: Day) => readonly string[];
}

function DayChart({ title, series, legend, figures, told, ...chart }: DayChartProps) {
  const last = series.length - 1;
  return (
    <ChartFigure
      title={title}
      legend={legend}
      table={{
        columns: ["Day (UTC)", ...figures.map(([name]) => name)],
        rows: series.map((day, index) => [
          calendarDayOfYear(day.date) + (index === last ? ", so far" : ""),
          ...figures.map(([, value]) => exactNumber(value(day))),
        ]),
      }}
    >
      <TimeChart
        {...chart}
        name={`${title}, day by day`}
        labels={series.map(({ date }) => calendarDay(date))}
        format={shortNumber}
        whole
        told={(index) => {
          const day = series[index]!; // safe: an index of the series
          return [calendarWeekday(day.date) + (index === last ? ", so far" : ""), ...told(day)];
        }}
      />
    </ChartFigure>
  );
}

const spanOf = ({ from, to }: BioAnalytics): string =>
  `from ${calendarDayOfYear(from)} to ${calendarDayOfYear(to)}, by day`;

function mostOf(series: readonly Day[], value: (day: Day) => number, what: string): string {
  const [best] = series.toSorted((one, other) => value(other) - value(one));
  return best === undefined || value(best) === 0
    ? ""
    : `The most on one day are ${exactNumber(value(best))} ${what} on ${calendarDay(best.date)}.`;
}
