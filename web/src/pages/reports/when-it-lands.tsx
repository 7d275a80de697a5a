import type { CompetitorReport } from "@reelscript/contract";
import { dayNames } from "@reelscript/contract/values";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { HeatMap } from "../../charts/heat-map.tsx";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";
import { clockHour, seenHours } from "./posting-hours.ts";

const title = "When it lands";
const shownTimes = 3;

export function WhenItLands({ report }: { readonly report: CompetitorReport }) {
  const seen = seenHours(report);
  if (seen === undefined) return undefined;
  const { hours, complete } = seen;
  const best = (report.bestPostingTimes ?? []).map(({ dayOfWeek, ...time }) => ({
    ...time,
    day: dayNames.indexOf(dayOfWeek),
  }));
  const at = (day: number, hour: number) => hours.find((seenHour) => seenHour.day === day && seenHour.hour === hour);
  const nothing = complete ? "No reel" : "Not told";
  const told = (day: number, hour: number): [string, ...string[]] => {
    const found = at(day, hour);
    return [
      `${dayNames[day]}, ${clockHour(hour)}`,
      ...(found === undefined ? [nothing] : []),
      ...(found?.avgViews === undefined ? [] : [`${shortNumber(found.avgViews)} views on average`]),
      ...(found?.reels === undefined ? [] : [counted(found.reels, "reel", "reels")]),
      ...(found && found.avgViews === undefined ? ["Views not settled or not known"] : []),
    ];
  };
  return (
    <ChartFigure
      title={title}
      sub={
        <>
          Average views by day and hour of posting, in the time of <bdi>{report.timezone.replaceAll("_", " ")}</bdi>
        </>
      }
      table={{
        columns: complete ? ["Posted", "Reels", "Average views"] : ["Posted", "Average views"],
        rows: hours.map(({ day, hour, reels, avgViews }) => [
          `${dayNames[day]}, ${clockHour(hour)}`,
          ...(complete ? [exactNumber(reels ?? 0)] : []),
          avgViews === undefined ? "" : exactNumber(Math.round(avgViews)),
        ]),
      }}
      after={<BestTimes times={best.slice(0, shownTimes)} />}
    >
      <HeatMap
        name={`${title}, hour by hour`}
        sentence={
          best[0]
            ? `Average views by day and hour of posting. Best: ${dayNames[best[0].day]} at ${clockHour(best[0].hour)} with ${shortNumber(best[0].avgViews)}.`
            : `Average views by day and hour of posting: ${counted(hours.length, "hour", "hours")} of the week with reels. No hour has enough reels to call it the best.`
        }
        cells={hours.map(({ day, hour, avgViews = null }) => ({ day, hour, value: avgViews }))}
        best={best[0]}
        format={shortNumber}
        told={told}
        nothing={nothing}
        waiting="Views not settled"
      />
    </ChartFigure>
  );
}

function BestTimes({
  times,
}: {
  readonly times: readonly { readonly day: number; readonly hour: number; readonly avgViews: number }[];
}) {
  if (times.length === 0)
    return (
      <p className="meta">
        No best time yet: that takes an hour of the week with at least 3 reels older than 72 hours.
      </p>
    );
  return (
    <>
      <table className="times">
        <caption className="vh">Best times</caption>
        <tbody>
          {times.map(({ day, hour, avgViews }) => (
            <tr key={`${day} ${hour}`}>
              <th scope="row">
                {dayNames[day]}, {clockHour(hour)}
              </th>
              <td className="num">
                <b title={`${exactNumber(Math.round(avgViews))} views on average`}>{shortNumber(avgViews)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="meta">The best of the hours with at least 3 reels older than 72 hours.</p>
    </>
  );
}
