import type { ReportWeek } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { runningMedian } from "../../charts/geometry.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { calendarDay, calendarDayOfYear } from "../../format/date.ts";
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
              { name: "Typical reel of the week", color: "--series-rest" },
              { name: `Median of ${medianWeeks} weeks`, color: "--series-2" },
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

/** The typical views of a week; older reports know the average alone. */
const viewsOfWeek = ({ medianViews, avgViews }: ReportWeek): number | undefined => medianViews ?? avgViews;

export function viewsSentence(weeks: readonly ReportWeek[]): string {
  const [first, last] = [weeks[0], weeks.at(-1)];
  const views = weeks.flatMap((week) => viewsOfWeek(week) ?? []);
  if (first === undefined || last === undefined || views.length === 0) return "No views are known.";
  return `Typical views per week from ${calendarDayOfYear(first.start)} to ${calendarDayOfYear(last.start)}, between ${shortNumber(Math.min(...views))} and ${shortNumber(Math.max(...views))}.`;
}
