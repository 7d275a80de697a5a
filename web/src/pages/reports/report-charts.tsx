import type { ReportWeek, CompetitorReport, PostingBlock, PostingHour } from "@reelscript/contract";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { runningMedian } from "../../charts/geometry.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { calendarDay, calendarDayOfYear, counted, exactNumber, shortNumber } from "../../format.ts";
import { clockHours, dayNames, fewestReelsOfHour } from "@reelscript/contract/values";
import { HeatMap } from "../../charts/heat-map.tsx";

const title = "Views over time";
const medianWeeks = 9;

export function ViewsOverTime({ weeks }: { readonly weeks: readonly ReportWeek[] }) {
  const averages = weeks.map(({ medianViews }) => medianViews ?? null);
  if (weeks.length < 2 || averages.every((average) => average === null)) return undefined;
  const medians = runningMedian(averages, medianWeeks);
  const hasMedian = weeks.length >= medianWeeks && medians.some((median) => median !== null);
  const texts = (index: number): [string, ...string[]] => {
    const { start, reels } = weeks[index]!; // safe: an index of the list
    const median = hasMedian ? medians[index] : undefined;
    return [
      `Week of ${calendarDay(start)}`,
      ...(averages[index] == null ? [] : [`median ${shortNumber(averages[index])} views`]),
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
              { name: "Median of the week", color: "--series-rest" },
              { name: `Median of ${medianWeeks} weeks`, color: "--series-2" },
            ]
          : undefined
      }
      sub={hasMedian ? undefined : "Median views of each week’s reels"}
      table={{
        columns: ["Week of", "Reels", "Median views"],
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
        texts={texts}
      />
    </ChartFigure>
  );
}

export function viewsSentence(weeks: readonly ReportWeek[]): string {
  const first = weeks[0];
  const last = weeks.at(-1);
  const views = weeks.flatMap(({ medianViews }) => medianViews ?? []);
  if (first === undefined || last === undefined || views.length === 0) return "No views are known.";
  return `Median views per week from ${calendarDayOfYear(first.start)} to ${calendarDayOfYear(last.start)}, between ${shortNumber(Math.min(...views))} and ${shortNumber(Math.max(...views))}.`;
}

const clockHour = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
const cellPlaceOf = ({ dayOfWeek, hour }: PostingHour) => ({ day: dayNames.indexOf(dayOfWeek), hour });
const nameOf = ({ dayOfWeek, hour }: PostingHour): string => `${dayOfWeek}, ${clockHour(hour)}`;

export function WhenItLands({ report }: { readonly report: CompetitorReport }) {
  const { postingHours = [], postingBlocks = [], timezone, notCompared } = report;
  // One hour has no other to be compared with.
  if (postingHours.length < 2) return undefined;
  const best = postingBlocks.find((block) => block.best);
  const noBest = notCompared ? "Times couldn’t be compared." : "No time is clearly better.";
  const texts = (day: number, hour: number): [string, ...string[]] => {
    const cell = postingHours.find((one) => one.hour === hour && one.dayOfWeek === dayNames[day]);
    const name = `${dayNames[day]}, ${clockHour(hour)}`;
    if (cell === undefined) return [name, "No reel"];
    const { medianViews, reels } = cell;
    return [
      name,
      ...(medianViews === undefined ? [] : [`median ${shortNumber(medianViews)} views`]),
      counted(reels, "reel", "reels"),
      ...(medianViews === undefined ? ["Too recent, or views hidden"] : []),
    ];
  };
  return (
    <ChartFigure
      title="Views by posting time"
      sub={
        <>
          Median views by the day and hour a reel was posted, in <bdi>{timezone.replaceAll("_", " ")}</bdi>
        </>
      }
      table={{
        columns: ["Posted", "Reels", "Median views"],
        rows: postingHours.map((one) => [
          nameOf(one),
          exactNumber(one.reels),
          one.medianViews === undefined ? "" : exactNumber(Math.round(one.medianViews)),
        ]),
      }}
      after={<BestBlock block={best} noBest={noBest} />}
    >
      <HeatMap
        name="Views by posting time, hour by hour"
        sentence={`Median views by day and hour of posting, in ${counted(postingHours.length, "hour", "hours")} of the week with reels.${best ? ` Best: ${clockHours(best.hours)}.` : ` ${noBest}`}`}
        cells={postingHours.map((one) => ({
          ...cellPlaceOf(one),
          value: one.medianViews ?? null,
          few: (one.settledReels ?? one.reels) < fewestReelsOfHour,
        }))}
        texts={texts}
      />
    </ChartFigure>
  );
}

interface BestBlockProps {
  readonly block: PostingBlock | undefined;
  /** The sentence for reports in which no block is best. */
  readonly noBest: string;
}

function BestBlock({ block, noBest }: BestBlockProps) {
  const pale = `Paler cells have fewer than ${fewestReelsOfHour} reels.`;
  return (
    <p className="meta">
      {block === undefined ? (
        noBest
      ) : (
        <>
          Best: <b>{clockHours(block.hours)}</b>, on any day.
        </>
      )}{" "}
      {pale}
    </p>
  );
}
