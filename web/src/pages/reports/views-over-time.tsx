import type { ReportWeek } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { runningMedian } from "../../charts/running-median.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
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
        sentence={sentenceOf(weeks)}
        labels={weeks.map(({ start }) => calendarDay(start))}
        bars={averages}
        {...(hasMedian && { line: medians })}
        format={shortNumber}
        told={told}
      />
    </ChartFigure>
  );
}

/** What the drawing says, in words. */
export function sentenceOf(weeks: readonly ReportWeek[]): string {
  const [first, last] = [weeks[0], weeks.at(-1)];
  const viewed = weeks.filter((week): week is ReportWeek & { avgViews: number } => week.avgViews !== undefined);
  const [best] = viewed.toSorted((one, other) => other.avgViews - one.avgViews);
  if (first === undefined || last === undefined || best === undefined) return "No views are known.";
  const half = Math.floor(viewed.length / 2);
  const earlier = mean(viewed.slice(0, half));
  const later = mean(viewed.slice(-half));
  const course =
    half === 0
      ? ""
      : ` From the first half to the second they go from ${shortNumber(earlier)} to ${shortNumber(later)}.`;
  return `Average views per week from ${calendarDayOfYear(first.start)} to ${calendarDayOfYear(last.start)}.${course} The highest is ${shortNumber(best.avgViews)} in the week of ${calendarDay(best.start)}.`;
}

const mean = (weeks: readonly { readonly avgViews: number }[]): number =>
  weeks.reduce((sum, { avgViews }) => sum + avgViews, 0) / Math.max(1, weeks.length);
