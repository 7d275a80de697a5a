import type { ReportWeek } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { runningMedian } from "../../charts/running-median.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { viewsSentence } from "./views-sentence.ts";
import { calendarDay, calendarDayOfYear } from "../../format/calendar-day.ts";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";

const title = "Views over time";
const medianWeeks = 9;

export function ViewsOverTime({ weeks }: { readonly weeks: readonly ReportWeek[] }) {
  const averages = weeks.map(({ avgViews }) => avgViews ?? null);
  if (weeks.length < 2 || averages.every((average) => average === null)) return undefined;
  const medians = runningMedian(averages, medianWeeks);
  const hasMedian = weeks.length >= medianWeeks && medians.some((median) => median !== null);
  const told = (index: number): [string, ...string[]] => {
    const { start, reels, avgViews } = weeks[index]!; // safe: an index of the list
    const median = hasMedian ? medians[index] : undefined;
    return [
      `Week of ${calendarDay(start)}`,
      ...(avgViews === undefined ? [] : [`${shortNumber(avgViews)} views on average`]),
      reels === 0 ? "No reel" : counted(reels, "reel", "reels"),
      ...(median == null ? [] : [`${shortNumber(median)} median of ${medianWeeks} weeks`]),
    ];
  };
  return (
    <ChartFigure
      title={title}
      legend={
        hasMedian
          ? [
              { name: "Average of the week", kind: "bar", color: "--c0" },
              { name: `Median of ${medianWeeks} weeks`, kind: "line", color: "--c2" },
            ]
          : undefined
      }
      sub={hasMedian ? undefined : "Average of each week"}
      table={{
        columns: ["Week of", "Reels", "Average views"],
        rows: weeks.map(({ start, reels, avgViews }) => [
          calendarDayOfYear(start),
          exactNumber(reels),
          avgViews === undefined ? "" : exactNumber(Math.round(avgViews)),
        ]),
      }}
    >
      <TimeChart
        name={`${title}, week by week`}
        sentence={viewsSentence(weeks)}
        labels={weeks.map(({ start }) => calendarDay(start))}
        bars={averages}
        {...(hasMedian && { line: medians })}
        format={shortNumber}
        told={told}
      />
    </ChartFigure>
  );
}
