import type { ReportWeek } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { runningMedian } from "../../charts/running-median.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { viewsOfWeek, viewsSentence } from "./views-sentence.ts";
import { calendarDay, calendarDayOfYear } from "../../format/calendar-day.ts";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";

const title = "Views over time";
const medianWeeks = 9;

export function ViewsOverTime({ weeks }: { readonly weeks: readonly ReportWeek[] }) {
  const averages = weeks.map((week) => viewsOfWeek(week) ?? null);
  if (weeks.length < 2 || averages.every((average) => average === null)) return undefined;
  const medians = runningMedian(averages, medianWeeks);
  const hasMedian = weeks.length >= medianWeeks && medians.some((median) => median !== null);
  const told = (index: number): [string, ...string[]] => {
    const { start, reels } = weeks[index]!; // safe: an index of the list
    const median = hasMedian ? medians[index] : undefined;
    return [
      `Week of ${calendarDay(start)}`,
      ...(averages[index] == null ? [] : [`typically ${shortNumber(averages[index])} views`]),
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
              { name: "Typical reel of the week", kind: "bar", color: "--series-rest" },
              { name: `Median of ${medianWeeks} weeks`, kind: "line", color: "--series-2" },
            ]
          : undefined
      }
      sub={hasMedian ? undefined : "Typical views of each week’s reels"}
      table={{
        columns: ["Week of", "Reels", "Typical views"],
        rows: weeks.map(({ start, reels }, index) => [
          calendarDayOfYear(start),
          exactNumber(reels),
          averages[index] == null ? "" : exactNumber(Math.round(averages[index])),
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
